import type {
  CaptureRequest,
  ChargeAnswer,
  ChargeRequest,
  OperationAnswer,
  OperationLookup,
  OperationReference,
  OperationRequest,
  OperationState,
  ProviderState,
} from '@payment-orchestrator/provider-kit';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import type { TestApi } from '../../app/api-app.js';
import type { HeldTransaction } from '../../ledger/money.js';

/** Whole cents of the only currency of the model. */
export type Cents = number;
export const CURRENCY = 'EUR';
export const textOf = (cents: Cents): string => (cents / 100).toFixed(2);
const centsOf = (text: string): Cents => Math.round(Number(text) * 100);

/**
 * The fate of the next call. `lost`: it is done, and its answer never arrives. `dropped`: it never arrives. `pending`:
 * accepted, and done later.
 */
export type Fate = 'answered' | 'lost' | 'dropped' | 'refused' | 'pending';

export interface BookedRefund {
  id: string;
  amount: Cents;
  status: 'pending' | 'succeeded' | 'failed';
  /** Made by our call, and not in the provider's dashboard. */
  isOurs: boolean;
}

/** A charge at the provider. */
export interface Booked {
  reference: string;
  transactionId: string;
  paymentId: number;
  shopId: number;
  amount: Cents;
  status: 'authorized' | 'captured' | 'voided';
  captured: Cents;
  /** An accepted capture that is not done yet. */
  capturing: Cents | null;
  refunds: BookedRefund[];
}

const refundedOf = ({ refunds }: Booked): Cents =>
  refunds.filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0);

/** The amount that can still be refunded; pending refunds count as made. */
export const leftAt = ({ captured, refunds }: Booked): Cents =>
  captured - refunds.filter(({ status }) => status !== 'failed').reduce((sum, { amount }) => sum + amount, 0);

/** Whether the payer has got back all that was captured. */
export const isReturned = (booked: Booked): boolean => booked.captured > 0 && refundedOf(booked) === booked.captured;

/**
 * A provider in place of the sandbox, whose books the test can read and change. It accepts a key once and repeats its
 * answer, finds charges by reference, and captures an authorisation once.
 */
export class ProviderBooks {
  /** By reference. */
  private readonly booked = new Map<string, Booked>();
  private readonly answers = new Map<string, ChargeAnswer | OperationAnswer>();
  private readonly refundsByKey = new Map<string, BookedRefund>();
  /** The fate of the next call that changes something; then calls are answered again. */
  next: Fate = 'answered';
  /** Captures, voids and refunds can be looked up by their key or id. */
  findsRefunds = true;
  /** When authorisations end. */
  private readonly captureBefore = new Date(Date.now() + 604_800_000);
  private ids = 0;

  constructor(api: TestApi) {
    const sandbox = api.get(SandboxProvider) as unknown as Record<string, unknown>;
    sandbox['charge'] = (request: ChargeRequest) => this.charge(request);
    sandbox['capture'] = (request: CaptureRequest) =>
      this.change(request, (...given) => capture(given[0], request, given[1]));
    sandbox['void'] = (request: OperationRequest) => this.change(request, (booked) => voidCharge(booked));
    sandbox['refund'] = (request: OperationRequest) =>
      this.change(request, (...given) => this.refund(given[0], request, given[1]));
    sandbox['lookup'] = (reference: OperationReference) =>
      Promise.resolve(stateOf(this.booked.get(reference.reference)));
    const lookup = (request: OperationLookup) => Promise.resolve(this.lookupOperation(request));
    Object.defineProperty(sandbox, 'lookupOperation', { get: () => (this.findsRefunds ? lookup : undefined) });
  }

  /** The charge of a payment; `undefined`: it never arrived. */
  of(paymentId: number): Booked | undefined {
    return [...this.booked.values()].find((each) => each.paymentId === paymentId);
  }

  /** A refund in the provider's own dashboard. */
  refundByHand(booked: Booked, amount: Cents): BookedRefund {
    const refund: BookedRefund = { id: this.newId(), amount, status: 'succeeded', isOurs: false };
    booked.refunds.push(refund);
    return refund;
  }

  /** For the comparison with our payments. */
  transactionsOf(paymentIds: readonly number[]): HeldTransaction[] {
    return [...this.booked.values()]
      .filter(({ paymentId }) => paymentIds.includes(paymentId))
      .map((booked) => ({
        reference: booked.reference,
        payment_id: booked.paymentId,
        shop_id: booked.shopId,
        status: booked.status,
        amount: textOf(booked.amount),
        currency: CURRENCY,
        captured: textOf(booked.captured),
        refunded: textOf(refundedOf(booked)),
      }));
  }

  private newId(): string {
    return `re_${(this.ids += 1)}`;
  }

  private takeFate(): Fate {
    const fate = this.next;
    this.next = 'answered';
    return fate;
  }

  private charge(request: ChargeRequest): Promise<ChargeAnswer> {
    const fate = this.takeFate();
    if (fate === 'dropped') return lost();
    const { reference, paymentId, shopId, idempotencyKey: key } = request;
    const transactionId = `tx_${reference}`;
    const isManual = request.capture === 'manual';
    if (!this.booked.has(reference)) {
      const amount = centsOf(request.amount);
      const held = { amount, status: isManual ? 'authorized' : 'captured', captured: isManual ? 0 : amount } as const;
      const charge = { reference, transactionId, paymentId, shopId, capturing: null, refunds: [], ...held };
      this.booked.set(reference, charge);
      const answer: ChargeAnswer = isManual
        ? { outcome: 'authorized', transactionId, captureBefore: this.captureBefore }
        : { outcome: 'approved', transactionId };
      this.answers.set(key, answer);
    }
    return fate === 'lost' ? lost() : Promise.resolve(this.answers.get(key) as ChargeAnswer);
  }

  /** Carries out a void, a capture or a refund once per key. */
  private change(
    { reference, idempotencyKey: key }: OperationRequest,
    work: (booked: Booked, isPending: boolean) => OperationAnswer,
  ): Promise<OperationAnswer> {
    const fate = this.takeFate();
    if (fate === 'dropped') return lost();
    const booked = this.booked.get(reference);
    if (!this.answers.has(key)) {
      const isRefused = fate === 'refused' || !booked;
      this.answers.set(key, isRefused ? refused('by the test') : work(booked, fate === 'pending'));
    }
    return fate === 'lost' ? lost() : Promise.resolve(this.answers.get(key) as OperationAnswer);
  }

  private refund(booked: Booked, request: OperationRequest, isPending: boolean): OperationAnswer {
    const amount = centsOf(request.amount);
    if (booked.status !== 'captured' || amount > leftAt(booked)) return refused('more than is left');
    const refund: BookedRefund = {
      id: this.newId(),
      amount,
      status: isPending ? 'pending' : 'succeeded',
      isOurs: true,
    };
    booked.refunds.push(refund);
    this.refundsByKey.set(request.idempotencyKey, refund);
    return { outcome: isPending ? 'pending' : 'confirmed', operationId: refund.id };
  }

  private lookupOperation(request: OperationLookup): OperationState {
    if (request.kind === 'refund') return this.lookupRefund(request);
    const { reference, idempotencyKey: key, kind } = request;
    const booked = this.booked.get(reference);
    const answer = this.answers.get(key) as OperationAnswer | undefined;
    if (!answer || !booked) return { outcome: 'not_found' };
    if (kind === 'void' || answer.outcome === 'refused' || booked.capturing !== null) return answer;
    return booked.captured > 0 ? { outcome: 'confirmed', operationId: `ca_${reference}` } : refused('capture_failed');
  }

  private lookupRefund({ idempotencyKey: key, operationId }: OperationLookup): OperationState {
    const all = [...this.booked.values()].flatMap(({ refunds }) => refunds);
    const refund = this.refundsByKey.get(key) ?? all.find(({ id }) => id === operationId);
    const answer = this.answers.get(key) as OperationAnswer | undefined;
    if (!refund) return answer?.outcome === 'refused' ? answer : { outcome: 'not_found' };
    if (refund.status === 'failed') return { ...refused('refund_failed'), operationId: refund.id };
    return { outcome: refund.status === 'pending' ? 'pending' : 'confirmed', operationId: refund.id };
  }
}

const lost = () => Promise.reject<never>(new Error('the connection was reset'));
const refused = (reason: string): OperationAnswer & { outcome: 'refused' } => ({
  outcome: 'refused',
  reason,
  retryable: false,
});

function capture(booked: Booked, { amount, reference }: CaptureRequest, isPending: boolean): OperationAnswer {
  if (booked.status !== 'authorized' || booked.capturing !== null) return refused('not_authorized');
  const operationId = `ca_${reference}`;
  booked.capturing = centsOf(amount);
  if (isPending) return { outcome: 'pending', operationId };
  finishCapture(booked, centsOf(amount));
  return { outcome: 'confirmed', operationId };
}

/** Captures an authorisation, also by hand in the provider's dashboard. The rest of it is released. */
export function finishCapture(booked: Booked, amount: Cents): void {
  Object.assign(booked, { status: 'captured', captured: amount, capturing: null });
}

/** Captured money is refunded, not voided. */
function voidCharge(booked: Booked): OperationAnswer {
  if (booked.status === 'captured' || booked.capturing !== null) return refused('already_captured');
  booked.status = 'voided';
  return { outcome: 'confirmed' };
}

function stateOf(booked: Booked | undefined): ProviderState {
  if (!booked) return { status: 'not_found' };
  const { status, transactionId } = booked;
  return {
    status: isReturned(booked) ? 'refunded' : status,
    transactionId,
    amount: textOf(booked.amount),
    currency: CURRENCY,
    ...(status === 'captured' && { capturedAmount: textOf(booked.captured) }),
    ...(status === 'captured' && { refundedAmount: textOf(refundedOf(booked)) }),
  };
}
