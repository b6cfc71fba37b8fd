import type { Schema } from '@payment-orchestrator/client';
import type { Draft } from './use-draft';

export interface BarProps {
  flow: Schema<'Flow'>;
  shown: Schema<'FlowVersion'>;
  active: Schema<'FlowVersion'>;
  draft: Draft;
  /** Of the change that was tried: its fields are shown where they are edited. */
  onRefused: (error: unknown) => void;
  hasErrors: boolean;
}
