import type {
  ChargeAnswer,
  ChargeRequest,
  OperationAnswer,
  OperationReference,
  OperationRequest,
  ProviderCapabilities,
  ProviderState,
  RefundRequest,
} from '../../../src/providers/payment-provider.js';
import { SandboxProvider } from '../../../src/providers/sandbox/sandbox.provider.js';
import type { TestApi } from '../../support/app/api-app.js';

interface Entry {
  status: 'open' | 'captured' | 'voided' | 'refunded' | 'declined';
  transactionId: string;
  amount: string;
  currency: string;
}

interface Call {
  operation: 'charge' | 'void' | 'refund' | 'lookup';
  paymentId: number;
  key: string;
  reference: string;
  token?: string | undefined;
  reason?: string | undefined;
}

/**
 * The fate of one call. `lost`: it is done, and its answer never arrives. `dropped`: it never arrives. `unavailable`:
 * rejected before processing.
 */
type Fate = 'answered' | 'lost' | 'dropped' | 'unavailable' | { refused: string };

/**
 * A provider with a ledger in memory, in place of the sandbox. It accepts a key once and finds charges by reference. A
 * void of an unknown reference keeps a later charge from being made.
 */
export class LedgerProvider {
  readonly entries = new Map<string, Entry>();
  readonly calls: Call[] = [];
  capabilities: ProviderCapabilities = {
    lookup: 'by_reference',
    idempotencyWindowMs: 86_400_000,
    choosesTransactionIds: true,
  };
  /** Fates of the next calls, in order; all later calls are answered. */
  fates: Partial<Record<Call['operation'], Fate[]>> = {};
  /** The status of a new charge at the provider. */
  chargeAs: (request: ChargeRequest) => Entry['status'] = () => 'captured';
  transactionIdOf: (request: ChargeRequest) => string = ({ reference }) => `tx_${reference}`;
  /** Voids and refunds are accepted, and completed later by `finish`. */
  isAsynchronous = false;
  /** Awaited after a charge was made, before it is answered. */
  beforeAnswer: (request: ChargeRequest) => Promise<void> = () => Promise.resolve();
  /** Awaited before a look-up is answered. */
  beforeLookup: (reference: OperationReference) => Promise<void> = () => Promise.resolve();
  private readonly answers = new Map<string, ChargeAnswer | OperationAnswer>();

  constructor(api: TestApi) {
    const sandbox = api.get(SandboxProvider) as unknown as Record<string, unknown>;
    sandbox['capabilities'] = () => this.capabilities;
    sandbox['charge'] = (request: ChargeRequest) => this.charge(request);
    sandbox['void'] = (request: OperationRequest) => this.undo('void', request);
    sandbox['refund'] = (request: RefundRequest) => this.undo('refund', request);
    sandbox['lookup'] = (reference: OperationReference) => this.lookup(reference);
  }

  callsOf(paymentId: number, operation: Call['operation']): Call[] {
    return this.calls.filter((call) => call.paymentId === paymentId && call.operation === operation);
  }

  /** The statuses of a payment's charges at the provider. */
  heldOf(paymentId: number): string[] {
    const references = new Set(this.calls.filter((call) => call.paymentId === paymentId).map((call) => call.reference));
    return [...references].flatMap((reference) => this.entries.get(reference)?.status ?? []);
  }

  async charge(request: ChargeRequest): Promise<ChargeAnswer> {
    const fate = this.note('charge', request, { token: request.paymentMethodToken });
    if (fate === 'dropped') return lost();
    const { idempotencyKey: key, reference, amount, currency } = request;
    if (!this.answers.has(key)) {
      const status = this.entries.has(reference) ? 'declined' : this.chargeAs(request);
      const transactionId = this.transactionIdOf(request);
      if (!this.entries.has(reference)) this.entries.set(reference, { status, transactionId, amount, currency });
      this.answers.set(key, answerTo(status, transactionId));
    }
    await this.beforeAnswer(request);
    return fate === 'lost' ? lost() : (this.answers.get(key) as ChargeAnswer);
  }

  private async undo(
    operation: 'void' | 'refund',
    request: OperationRequest | RefundRequest,
  ): Promise<OperationAnswer> {
    const fate = this.note(operation, request, { reason: 'reason' in request ? request.reason : undefined });
    if (fate === 'dropped') return lost();
    if (fate === 'unavailable')
      return { outcome: 'refused', reason: 'too many calls', retryable: true, isUnavailable: true };
    const { idempotencyKey: key } = request;
    if (typeof fate === 'object') this.answers.set(key, { outcome: 'refused', reason: fate.refused, retryable: true });
    if (!this.answers.has(key)) this.answers.set(key, this.done(operation, request));
    return fate === 'lost' ? lost() : (this.answers.get(key) as OperationAnswer);
  }

  private done(operation: 'void' | 'refund', { reference, amount, currency }: OperationRequest): OperationAnswer {
    const entry = this.entries.get(reference) ?? { status: 'open', transactionId: `tx_${reference}`, amount, currency };
    const isPossible = operation === 'void' ? entry.status !== 'captured' : entry.status === 'captured';
    const isDone = entry.status === (operation === 'void' ? 'voided' : 'refunded');
    if (!isPossible && !isDone) return { outcome: 'refused', reason: `it is ${entry.status}`, retryable: false };
    if (this.isAsynchronous) return { outcome: 'pending', operationId: `op_${reference}` };
    this.entries.set(reference, { ...entry, status: operation === 'void' ? 'voided' : 'refunded' });
    return { outcome: 'confirmed' };
  }

  /** Changes the status of a payment's charges at the provider. */
  finish(paymentId: number, status: Entry['status'], fields: Partial<Entry> = {}): void {
    for (const { reference } of this.calls.filter((call) => call.paymentId === paymentId)) {
      const entry = this.entries.get(reference);
      if (entry) this.entries.set(reference, { ...entry, status, ...fields });
    }
  }

  private async lookup(reference: OperationReference): Promise<ProviderState> {
    const fate = this.note('lookup', { ...reference, idempotencyKey: '' });
    await this.beforeLookup(reference);
    if (fate === 'dropped' || fate === 'lost') return lost();
    return this.entries.get(reference.reference) ?? { status: 'not_found' };
  }

  private note(
    operation: Call['operation'],
    { paymentId, idempotencyKey: key, reference }: Pick<OperationRequest, 'paymentId' | 'idempotencyKey' | 'reference'>,
    fields: Partial<Call> = {},
  ): Fate {
    this.calls.push({ operation, paymentId, key, reference, ...fields });
    return this.fates[operation]?.shift() ?? 'answered';
  }
}

const lost = () => Promise.reject<never>(new Error('the connection was reset'));

function answerTo(status: Entry['status'], transactionId: string): ChargeAnswer {
  if (status === 'captured') return { outcome: 'approved', transactionId };
  if (status === 'open') return { outcome: 'processing', transactionId };
  return { outcome: 'declined', declineCode: 'card_declined', transactionId };
}
