import type { Schema } from '@payment-orchestrator/client';
import type { Draft } from './use-draft';

export interface BarProps {
  flow: Schema<'Flow'>;
  shown: Schema<'FlowVersion'>;
  active: Schema<'FlowVersion'>;
  draft: Draft;
  /** Called with the error of a refused change, so that the editor can show it at the fields. */
  onRefused: (error: unknown) => void;
  hasErrors: boolean;
}
