// The port and its types are in packages/provider-kit, from which connectors outside of this repository are built as well.
export type * from '@payment-orchestrator/provider-kit';
