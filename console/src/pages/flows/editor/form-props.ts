import type { Schema } from '@payment-orchestrator/client';
import type { ShopNames } from '../flow-queries';
import type { Payment } from '../model/counterexample';
import type { DefinitionForm } from '../model/form';
import type { FactsOf } from './use-rule-facts';

export interface FormProps {
  form: DefinitionForm;
  onChange: (form: DefinitionForm) => void;
  shops: ReadonlyMap<number, Schema<'Shop'>>;
  nameOf: ShopNames;
  factsOf: FactsOf;
  /** Shows a payment in the simulator. */
  onTry: (payment: Payment) => void;
}
