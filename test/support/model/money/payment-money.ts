// The expected state of a payment whose money is captured, refunded, disputed and settled, based on the documentation
// and not on the product's code: statuses with their causes, amounts, refunds, webhooks and events.

import { type Booked, type BookedRefund, type Cents, isReturned } from './provider-books.js';

type Status = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'refunded';

export interface ModelRefund {
  amount: Cents;
  status: 'pending' | 'succeeded' | 'failed';
  origin: 'api' | 'provider';
  /** The provider's id, as far as we know it. */
  id: string | null;
  /** At the provider; `null`: it never arrived. */
  booked: BookedRefund | null;
  events: string[];
}

export interface ModelOperation {
  kind: 'charge' | 'capture' | 'void' | 'refund';
  /** `unknown`: called without an answer. `pending`: accepted. */
  state: 'unknown' | 'pending' | 'closed';
  amount: Cents;
  /** Closed because it was made, and not because it was refused. */
  isConfirmed: boolean;
  /** The provider has carried it out, so that a repeat under the same key gets the same answer. */
  isDone: boolean;
  refund: ModelRefund | null;
  cause: string;
}

/** A provider's notification about the charge or a refund. */
export type Report =
  | { status: 'authorized' | 'cancelled' | 'authorization_expired' }
  | { status: 'completed'; amount: Cents }
  | { status: 'refunded' | 'refund_failed'; booked: BookedRefund };

type RefundReport = Extract<Report, { booked: BookedRefund }>;

const sumOf = (refunds: readonly { amount: Cents }[]): Cents => refunds.reduce((sum, { amount }) => sum + amount, 0);

export class PaymentMoney {
  status: Status = 'pending';
  authorized: Cents = 0;
  captured: Cents = 0;
  refunded: Cents = 0;
  readonly refunds: ModelRefund[] = [];
  readonly operations: ModelOperation[] = [];
  readonly history: string[] = [];
  /** Status, and the authorised, captured and refunded cents of each webhook. */
  readonly webhooks: [Status, Cents, Cents, Cents][] = [];
  readonly waiting: RefundReport[] = [];
  /** Ids of refunds whose failure was reported. */
  private readonly failed = new Set<string>();

  constructor(
    readonly capture: 'automatic' | 'manual',
    private readonly amount: Cents,
  ) {}

  get isOngoing(): boolean {
    return this.status === 'pending' || this.status === 'processing';
  }

  get isAuthorized(): boolean {
    return this.status === 'processing' && this.capture === 'manual' && this.authorized > 0;
  }

  get isCharged(): boolean {
    return this.status === 'completed' || this.status === 'refunded';
  }

  get left(): Cents {
    return this.captured - this.refunded;
  }

  get open(): ModelOperation[] {
    return this.operations.filter(({ state }) => state !== 'closed');
  }

  openOf(kind: ModelOperation['kind']): ModelOperation | undefined {
    return this.open.find((each) => each.kind === kind);
  }

  /** The refunded amount that no refund explains: a look-up found it. */
  get unexplained(): Cents {
    return this.refunded - sumOf(this.refunds.filter(({ status }) => status !== 'failed'));
  }

  /** Whether a refund has failed at the provider, and we do not know it. */
  get hasUnseenFailure(): boolean {
    return this.refunds.some(({ status, booked }) => status !== 'failed' && booked?.status === 'failed');
  }

  /** A refund that only a look-up of the charge has shown cannot be identified when it fails. */
  canFail(booked: BookedRefund): boolean {
    return this.unexplained === 0 || this.refunds.some((each) => each.booked === booked);
  }

  request(
    kind: ModelOperation['kind'],
    state: 'unknown' | 'pending',
    fields: Partial<ModelOperation> = {},
  ): ModelOperation {
    const operation = {
      kind,
      state,
      amount: this.amount,
      isDone: false,
      isConfirmed: false,
      refund: null,
      cause: 'cancel_requested',
    };
    this.operations.push({ ...operation, ...fields });
    return this.operations.at(-1)!;
  }

  /** The provider holds the amount. */
  authorize(cause: string): void {
    this.close('charge');
    if (this.status !== 'pending') return;
    this.authorized = this.amount;
    this.change('processing', cause);
  }

  /** The provider was asked, and has charged the payer. */
  charge(cause: string, captured: Cents): void {
    if (this.status === 'pending') this.change('processing', cause);
    this.complete(cause, captured);
  }

  /** An authorisation was captured, or an automatic charge. */
  complete(cause: string, captured: Cents): void {
    this.close('charge');
    if (!this.isOngoing) return;
    this.captured = captured;
    this.authorized = Math.max(this.authorized, captured);
    this.change('completed', cause);
  }

  /** The charge ended without money. */
  decline(cause: string): void {
    this.change('processing', cause);
    this.end('failed', cause);
  }

  end(to: 'failed' | 'cancelled', cause: string): void {
    this.change(to, cause);
    this.closeAll();
  }

  /** Nothing is left to charge, to capture or to void. */
  closeAll(): void {
    for (const operation of this.open) {
      if (operation.kind === 'refund') continue;
      operation.state = 'closed';
      operation.isConfirmed = operation.kind === 'void' && this.status === 'cancelled';
    }
  }

  /** All that was captured has gone back before we knew of the capture. */
  completeReturned(cause: string, captured: Cents): void {
    this.complete(cause, captured);
    this.refunded = captured;
    this.change('refunded', cause);
  }

  refund(amount: Cents, origin: ModelRefund['origin'], booked: BookedRefund | null, uncounted = amount): ModelRefund {
    const status = origin === 'api' ? 'pending' : 'succeeded';
    const id = origin === 'api' ? null : booked!.id;
    const refund: ModelRefund = { amount, status, origin, id, booked, events: [`refund.created ${status}`] };
    this.refunds.push(refund);
    this.refunded += uncounted;
    return refund;
  }

  succeed(refund: ModelRefund, cause: string): void {
    refund.id = refund.booked?.id ?? null;
    this.closeRefund(refund);
    if (refund.status !== 'pending') return;
    refund.status = 'succeeded';
    refund.events.push('refund.updated succeeded');
    this.finish(cause);
  }

  fail(refund: ModelRefund): void {
    this.closeRefund(refund);
    if (refund.status === 'failed') return;
    refund.status = 'failed';
    refund.events.push('refund.updated failed');
    this.refunded -= refund.amount;
    if (this.status === 'refunded') this.change('completed', 'refund_failed');
  }

  /** Our capture was made if the captured amount is its own; otherwise a person has captured. */
  closeCapture(captured: Cents): void {
    const capture = this.openOf('capture');
    if (capture) Object.assign(capture, { state: 'closed', isConfirmed: capture.amount === captured });
  }

  close(kind: ModelOperation['kind']): void {
    for (const operation of this.open) if (operation.kind === kind) operation.state = 'closed';
  }

  /** Applies the state of the charge that a look-up returns. */
  find(booked: Booked | undefined, cause = 'provider_lookup'): void {
    if (!booked) return;
    if (booked.status === 'voided') return this.isOngoing ? this.end('cancelled', cause) : undefined;
    if (booked.status === 'authorized') return this.authorize(cause);
    if (isReturned(booked) && this.isOngoing) this.completeReturned(cause, booked.captured);
    else this.charge(cause, booked.captured);
    this.closeCapture(booked.captured);
  }

  /** A notification arrives. */
  report(report: Report): void {
    if ('booked' in report) {
      if (report.status === 'refund_failed') this.failed.add(report.booked.id);
      if (this.reportRefund(report) === 'waiting') this.waiting.push(report);
      return;
    }
    const cause = 'provider_notification';
    if (report.status === 'authorized') return this.reportAuthorized(cause);
    if (report.status === 'completed') {
      this.complete(cause, report.amount);
      this.closeCapture(report.amount);
    } else if (this.isOngoing) {
      this.end('cancelled', report.status === 'cancelled' ? cause : report.status);
    }
  }

  /** Applies the notifications that waited for something and need to wait no longer. */
  settleWaiting(): void {
    for (let applied = true; applied;) {
      applied = false;
      for (const report of [...this.waiting]) {
        if (this.reportRefund(report) === 'waiting') continue;
        this.waiting.splice(this.waiting.indexOf(report), 1);
        applied = true;
      }
    }
  }

  /** An authorisation that is reported after the end is voided, unless that was done. */
  private reportAuthorized(cause: string): void {
    const isVoided = this.operations.some(
      ({ kind, state, isConfirmed }) => kind === 'void' && (state !== 'closed' || isConfirmed),
    );
    if (this.status !== 'cancelled') this.authorize(cause);
    else if (!isVoided) this.request('void', 'unknown', { cause: 'charged_after_end' });
  }

  private reportRefund({ status, booked }: RefundReport): 'waiting' | 'done' {
    const isFailure = status === 'refund_failed';
    if (!this.isCharged) return isFailure ? 'done' : this.isOngoing ? 'waiting' : 'done';
    if (!isFailure && this.failed.has(booked.id)) return 'done';
    const known = this.refunds.find(({ id }) => id === booked.id);
    if (known) {
      if (isFailure) this.fail(known);
      else if (known.status === 'pending') this.succeed(known, 'provider_notification');
      return 'done';
    }
    if (this.refunds.some((refund) => refund.status === 'pending' && refund.id === null)) return 'waiting';
    return isFailure ? 'done' : this.reportOther(booked);
  }

  /** A refund that was made at the provider. */
  private reportOther(booked: BookedRefund): 'waiting' | 'done' {
    const uncounted = Math.max(0, booked.amount - this.unexplained);
    if (uncounted > this.left) return 'waiting';
    this.refund(booked.amount, 'provider', booked, uncounted);
    this.finish('provider_notification');
    return 'done';
  }

  private finish(cause: string): void {
    const isPending = this.refunds.some(({ status }) => status === 'pending');
    if (this.status === 'completed' && this.left === 0 && !isPending) this.change('refunded', cause);
  }

  private closeRefund(refund: ModelRefund): void {
    for (const operation of this.open) if (operation.refund === refund) operation.state = 'closed';
  }

  private change(to: Status, cause: string): void {
    this.status = to;
    this.history.push(`${to} ${cause}`);
    this.webhooks.push([to, this.authorized, this.captured, this.refunded]);
  }
}
