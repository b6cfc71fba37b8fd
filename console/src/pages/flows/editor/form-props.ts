import type { Schema } from '@payment-orchestrator/client';
import type { ShopNames } from '../flow-queries';
import type { Payment } from '../model/counterexample';
import type { DefinitionForm } from '../model/form';

export interface FormProps {
  form: DefinitionForm;
  onChange: (form: DefinitionForm) => void;
  shops: ReadonlyMap<number, Schema<'Shop'>>;
  nameOf: ShopNames;
  /** Shows a payment in the simulator. */
  onTry: (payment: Payment) => void;
}
