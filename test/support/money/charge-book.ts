/** Three amounts of money: a whole charge, a part of it, and another part. */
export const WHOLE = 100;
export const PART = 60;
export const OTHER_PART = 40;

export type ReportStatus =
  | 'processing'
  | 'authorized'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'authorization_expired'
  | 'refunded'
  | 'refund_failed'
  | 'void_failed'
  | 'capture_failed'
  | 'disputed';

/** Statuses of a dispute, in the provider's order. */
export const DISPUTE_WORDS = ['open', 'lost', 'won'] as const;

/** A notification that the provider sends: it may come late, twice, or never. */
export interface Report {
  status: ReportStatus;
  amount: number | null;
  /** The provider's id of the operation. */
  operationId: string | null;
  isDelivered: boolean;
  /** With `disputed`: its place in `DISPUTE_WORDS`. */
  word?: number;
}

export interface BookRefund {
  id: string;
  /** The call that made it; `null`: a person did, at the provider. */
  call: string | null;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
}

/** The provider's answer to a call. It stays the same for each call with the same key. */
export interface BookAnswer {
  outcome: 'confirmed' | 'pending' | 'refused';
  operationId: string | null;
}

/** Books of a provider about the charge of one attempt. Never changed, only replaced. */
export interface ChargeBook {
  attempt: number;
  /** `none`: no call has arrived. */
  status: 'none' | 'processing' | 'authorized' | 'captured' | 'declined' | 'voided';
  captured: number;
  /** The call that captured it; `null`: none of ours. */
  capturedBy: string | null;
  refunds: readonly BookRefund[];
  /** An accepted capture or void whose outcome comes later. */
  accepted: { kind: 'capture' | 'void'; call: string; amount: number } | null;
  /** Whether the uncaptured rest has lapsed. */
  isRestOver: boolean;
  /** The answer to the call of the charge. */
  chargeAnswer: 'processing' | 'authorized' | 'captured' | 'declined' | null;
  /** By the name of the call. */
  answers: Readonly<Record<string, BookAnswer>>;
  /** The outcome of what was accepted, by the name of the call. */
  outcomes: Readonly<Record<string, 'confirmed' | 'refused'>>;
  reports: readonly Report[];
}

export const emptyBook = (attempt: number): ChargeBook => ({
  ...{ attempt, status: 'none', captured: 0, capturedBy: null, refunds: [], accepted: null, isRestOver: false },
  ...{ chargeAnswer: null, answers: {}, outcomes: {}, reports: [] },
});

export const reported = (book: ChargeBook, status: ReportStatus, of: Partial<Report> = {}): ChargeBook => ({
  ...book,
  reports: [...book.reports, { status, amount: null, operationId: null, isDelivered: false, ...of }],
});

/** Given back, or about to be. */
export const refundedIn = ({ refunds }: ChargeBook): number =>
  sumOf(refunds.filter(({ status }) => status !== 'failed'));

export const succeededIn = ({ refunds }: ChargeBook): number =>
  sumOf(refunds.filter(({ status }) => status === 'succeeded'));

/** Captured and not given back. */
export const heldIn = (book: ChargeBook): number => book.captured - refundedIn(book);

const sumOf = (refunds: readonly BookRefund[]): number => refunds.reduce((sum, { amount }) => sum + amount, 0);

export function capturedBook(book: ChargeBook, amount: number, call: string | null): ChargeBook {
  const after = { ...book, status: 'captured', captured: amount, capturedBy: call, accepted: null } as const;
  return reported(after, 'completed', { amount, operationId: call === null ? null : idOf(call) });
}

/** The charge that arrives, or its outcome that comes later. */
export function chargedBook(book: ChargeBook, to: NonNullable<ChargeBook['chargeAnswer']>): ChargeBook {
  const answered = book.status === 'none' ? { ...book, chargeAnswer: to } : book;
  if (to === 'captured') return capturedBook(answered, WHOLE, null);
  if (to === 'declined') return reported({ ...answered, status: 'declined' }, 'failed');
  return reported({ ...answered, status: to }, to, { amount: to === 'authorized' ? WHOLE : null });
}

export function refundedBook(book: ChargeBook, refund: Omit<BookRefund, 'id'>): ChargeBook {
  const id = refund.call === null ? `re_${refund.amount}_at_provider_${book.attempt}` : idOf(refund.call);
  const after = { ...book, refunds: [...book.refunds, { ...refund, id }] };
  const { amount, status } = refund;
  return status === 'succeeded' ? reported(after, 'refunded', { amount, operationId: id }) : after;
}

export function endedRefund(book: ChargeBook, id: string, status: 'succeeded' | 'failed'): ChargeBook {
  const refunds = book.refunds.map((row) => (row.id === id ? { ...row, status } : row));
  const { amount, call } = refunds.find((row) => row.id === id)!;
  const report = status === 'failed' ? 'refund_failed' : 'refunded';
  const after = { ...book, refunds };
  return reported(call === null ? after : withOutcome(after, call, status === 'succeeded'), report, {
    amount,
    operationId: id,
  });
}

export function endedAccepted(book: ChargeBook, isMade: boolean): ChargeBook {
  const { kind, call, amount } = book.accepted!;
  const after = withOutcome({ ...book, accepted: null }, call, isMade);
  const operationId = idOf(call);
  if (kind === 'capture')
    return isMade ? capturedBook(after, amount, call) : reported(after, 'capture_failed', { operationId });
  return isMade ? voidedBook(after, 'cancelled') : reported(after, 'void_failed', { operationId });
}

const withOutcome = (book: ChargeBook, call: string, isMade: boolean): ChargeBook => ({
  ...book,
  outcomes: { ...book.outcomes, [call]: isMade ? 'confirmed' : 'refused' },
});

export const voidedBook = (book: ChargeBook, report: 'cancelled' | 'authorization_expired'): ChargeBook =>
  reported({ ...book, status: 'voided', accepted: null }, report);

/** The provider's id of what a call has made. */
export const idOf = (call: string): string => `op_${call}`;
