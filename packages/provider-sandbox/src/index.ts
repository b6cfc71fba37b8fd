import type { ProviderFactory } from '@payment-orchestrator/provider-kit';
import { SandboxProvider } from './provider.js';

export type { ChangeTarget } from './dashboard/changes.js';
export type { DisputeChange } from './dashboard/dispute-change.js';
export type { NewDispute } from './dashboard/disputes.js';
export type { SandboxDisputeRow } from './dashboard/disputes.queries.js';
export { DashboardRefused } from './dashboard/refused.js';
export type { SandboxStatus, SandboxTransaction } from './transactions.queries.js';
export { SandboxProvider };

const connector: ProviderFactory = (context) => new SandboxProvider(context);
export default connector;
