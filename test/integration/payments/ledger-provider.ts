import type {
  CaptureRequest,
  ChargeAnswer,
  ChargeRequest,
  OperationAnswer,
  OperationReference,
  OperationRequest,
  ProviderCapabilities,
  ProviderState,
  OperationLookup,
  RefundRequest,
  VoidRequest,
} from '@payment-orchestrator/provider-kit';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import type { TestApi } from '../../support/app/api-app.js';

interface Entry {
  status: 'open' | 'authorized' | 'captured' | 'voided' | 'refunded' | 'declined';
  transactionId: string;
  amount: string;
  currency: string;
  capturedAmount?: string;
  refundedAmount?: string;
  captureBefore?: Date;
}

interface Call {
  operation: 'charge' | 'capture' | 'void' | 'refund' | 'lookup' | 'lookup_operation';
  paymentId: number;
  key: string;
  reference: string;
  token?: string | undefined;
  reason?: string | undefined;
  amount?: string | undefined;
  /** The request of a charge, capture, void or refund. */
  request?: ChargeRequest | VoidRequest | OperationRequest;
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
    manualCapture: true,
    partialCapture: true,
    partialRefund: true,
    operationLookup: ['refund'],
  };
  /** Fates of the next calls, in order; all later calls are answered. */
  fates: Partial<Record<Call['operation'], Fate[]>> = {};
  /** The status of a new charge at the provider. */
  chargeAs: (request: ChargeRequest) => Entry['status'] = ({ capture }) =>
    capture === 'manual' ? 'authorized' : 'captured';
  /** When authorisations end. */
  captureBefore = new Date(Date.now() + 604_800_000);
  transactionIdOf: (request: ChargeRequest) => string = ({ reference }) => `tx_${reference}`;
  /** Captures, voids and refunds are taken, and done later by `finish`. */
  isAsynchronous = false;
  /** Answers to refunds have an id. */
  givesIds = false;
  /** Awaited after a refund was taken, before it is answered. */
  beforeRefundAnswer: (request: OperationRequest) => Promise<void> = () => Promise.resolve();
  /** Awaited after a charge was taken, before it is answered. */
  beforeAnswer: (request: ChargeRequest) => Promise<void> = () => Promise.resolve();
  /** Awaited before a look-up is answered. */
  beforeLookup: (reference: OperationReference) => Promise<void> = () => Promise.resolve();
  private readonly answers = new Map<string, ChargeAnswer | OperationAnswer>();

  constructor(api: TestApi) {
    this.serve(api);
  }

  /** One ledger for several processes. */
  serve(api: TestApi): void {
    const sandbox = api.get(SandboxProvider) as unknown as Record<string, unknown>;
    sandbox['capabilities'] = () => this.capabilities;
    sandbox['charge'] = (request: ChargeRequest) => this.charge(request);
    sandbox['capture'] = (request: CaptureRequest) => this.undo('capture', request);
    sandbox['void'] = (request: OperationRequest) => this.undo('void', request);
    sandbox['refund'] = (request: RefundRequest) => this.undo('refund', request);
    sandbox['lookup'] = (reference: OperationReference) => this.lookup(reference);
    sandbox['lookupOperation'] = undefined;
  }

  /** From now on refunds can be looked up by their key. */
  offerRefundLookup(api: TestApi): void {
    const sandbox = api.get(SandboxProvider) as unknown as Record<string, unknown>;
    sandbox['lookupOperation'] = (request: OperationLookup) => {
      this.note('lookup_operation', request);
      return Promise.resolve(this.answers.get(request.idempotencyKey) ?? { outcome: 'not_found' });
    };
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
    const fate = this.note('charge', request, { token: request.paymentMethod?.token, request });
    if (fate === 'dropped') return lost();
    const { idempotencyKey: key, reference, amount, currency } = request;
    if (!this.answers.has(key)) {
      const status = this.entries.has(reference) ? 'declined' : this.chargeAs(request);
      const transactionId = this.transactionIdOf(request);
      const { captureBefore } = this;
      const held = { status, transactionId, amount, currency, ...(status === 'authorized' && { captureBefore }) };
      if (!this.entries.has(reference)) this.entries.set(reference, held);
      this.answers.set(key, answerTo(status, transactionId, captureBefore));
    }
    await this.beforeAnswer(request);
    return fate === 'lost' ? lost() : (this.answers.get(key) as ChargeAnswer);
  }

  private async undo(operation: Undo, request: OperationRequest | RefundRequest): Promise<OperationAnswer> {
    const { amount } = request;
    const fate = this.note(operation, request, {
      amount,
      request,
      reason: 'reason' in request ? request.reason : undefined,
    });
    if (fate === 'dropped') return lost();
    if (fate === 'unavailable')
      return { outcome: 'refused', reason: 'too many calls', retryable: true, isUnavailable: true };
    const { idempotencyKey: key } = request;
    if (typeof fate === 'object') this.answers.set(key, { outcome: 'refused', reason: fate.refused, retryable: true });
    if (!this.answers.has(key)) this.answers.set(key, this.done(operation, request));
    if (operation === 'refund') await this.beforeRefundAnswer(request);
    return fate === 'lost' ? lost() : (this.answers.get(key) as OperationAnswer);
  }

  private done(operation: Undo, request: OperationRequest): OperationAnswer {
    const { reference, amount, currency } = request;
    const entry = this.entries.get(reference) ?? { status: 'open', transactionId: `tx_${reference}`, amount, currency };
    const { before, after } = STEPS[operation];
    const isPossible = before.includes(entry.status);
    const isDone = entry.status === after && operation !== 'capture';
    if (!isPossible && !isDone) return { outcome: 'refused', reason: `it is ${entry.status}`, retryable: false };
    if (operation === 'refund' && entry.status === 'captured') return this.refunded(entry, request);
    if (this.isAsynchronous) return { outcome: 'pending', operationId: `op_${reference}` };
    const captured = operation === 'capture' && { capturedAmount: amount };
    this.entries.set(reference, { ...entry, status: after, ...captured });
    return { outcome: 'confirmed' };
  }

  private refunded(entry: Entry, { reference, amount, idempotencyKey }: OperationRequest): OperationAnswer {
    const refundedAmount = String(
      Number(((Number(entry.refundedAmount ?? 0) + Number(amount)) * 100).toFixed(0)) / 100,
    );
    const left = Number(entry.capturedAmount ?? entry.amount) - Number(refundedAmount);
    if (left < 0) return { outcome: 'refused', reason: 'it exceeds the charge', retryable: false };
    const operationId = `re_${idempotencyKey}`;
    if (this.isAsynchronous) return { outcome: 'pending', operationId };
    this.entries.set(reference, { ...entry, refundedAmount, status: left === 0 ? 'refunded' : 'captured' });
    return { outcome: 'confirmed', ...(this.givesIds && { operationId }) };
  }

  /** Refunds that were taken are done. */
  settleRefunds(): void {
    for (const [key, answer] of this.answers) {
      if (answer.outcome === 'pending' && 'operationId' in answer)
        this.answers.set(key, { ...answer, outcome: 'confirmed' });
    }
  }

  /** Something happens at the provider on its own account. */
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

type Undo = 'capture' | 'void' | 'refund';

/** The statuses from which an operation is possible, and the one that it leads to. */
const STEPS: Record<Undo, { before: readonly Entry['status'][]; after: Entry['status'] }> = {
  capture: { before: ['authorized'], after: 'captured' },
  void: { before: ['open', 'authorized', 'declined', 'refunded'], after: 'voided' },
  refund: { before: ['captured'], after: 'refunded' },
};

const lost = () => Promise.reject<never>(new Error('the connection was reset'));

function answerTo(status: Entry['status'], transactionId: string, captureBefore: Date): ChargeAnswer {
  if (status === 'authorized') return { outcome: 'authorized', transactionId, captureBefore };
  if (status === 'captured') return { outcome: 'approved', transactionId };
  if (status === 'open') return { outcome: 'processing', transactionId };
  return { outcome: 'declined', declineCode: 'card_declined', transactionId };
}
