import type { Schema } from '@payment-orchestrator/client';
import type { ShopNames } from '../flow-queries';
import type { Payment } from '../model/counterexample';
import type { Draft } from './use-draft';

export interface BarProps {
  flow: Schema<'Flow'>;
  shown: Schema<'FlowVersion'>;
  active: Schema<'FlowVersion'>;
  draft: Draft;
  nameOf: ShopNames;
  /** Shows a payment in the simulator. */
  onTry: (payment: Payment) => void;
  /** Called with the error of a refused change, so that the editor can show it at the fields. */
  onRefused: (error: unknown) => void;
  hasErrors: boolean;
}
