import type { FieldError } from '../../shared/problem.js';
import type { ActionDataRefused, OperationLookup, PaymentProvider } from '@payment-orchestrator/provider-kit';
import { INVALID_DATA } from './provider-metrics.js';

type Credentials = Record<string, unknown>;

/** Whether the provider can be asked for the state of a charge. `transactionId`: the provider's, if it is known. */
export function canLookUp(provider: PaymentProvider, credentials: Credentials, transactionId: string | null): boolean {
  if (!provider.lookup) return false;
  const { lookup } = provider.capabilities(credentials);
  return lookup === 'by_reference' || (lookup === 'by_transaction_id' && transactionId !== null);
}

/** Whether the provider can be asked for the outcome of a capture, void or refund. */
export function canLookUpOperation(
  provider: PaymentProvider,
  credentials: Credentials,
  kind: OperationLookup['kind'],
): boolean {
  if (!provider.lookupOperation) return false;
  const { operationLookup } = provider.capabilities(credentials);
  return operationLookup === undefined || operationLookup.includes(kind);
}

/**
 * Near the end of a provider's window the provider's clock may already be past it, and the call takes time to arrive.
 */
const WINDOW_MARGIN_MS = 60_000;

/**
 * Whether a repeat under the operation's key gets the first call's answer, so that money moves at most once. Uses the
 * larger of two ages: the row's age is too small for a process that was frozen since the read, and its own clock may be
 * behind.
 */
export function isWithinWindow(
  { age_ms: ageMs, created_at: createdAt }: { age_ms: number; created_at: Date },
  idempotencyWindowMs: number,
): boolean {
  return Math.max(ageMs, Date.now() - createdAt.getTime()) < idempotencyWindowMs - WINDOW_MARGIN_MS;
}

/** The adapter refused the data of the payer's step. */
export interface RefusedData {
  outcome: typeof INVALID_DATA;
  errors: FieldError[];
}

/** The refusal that an adapter has thrown. Throws any other error again. */
export function refusedData(error: unknown): RefusedData {
  const { code, errors = [] } = error as Partial<ActionDataRefused>;
  if (code !== 'validation_failed') throw error;
  return { outcome: INVALID_DATA, errors };
}
