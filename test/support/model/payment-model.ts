// The possible effects of actions on a payment, based on the documentation and not on the product's code.

export type Status = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'refunded';

/** The table of transitions of the specification. */
const TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  pending: ['processing', 'completed', 'failed', 'cancelled'],
  processing: ['completed', 'failed', 'cancelled'],
  completed: ['refunded'],
  failed: [],
  cancelled: [],
  refunded: [],
};

/** Whether a payment may get from one status to another, possibly in several steps. */
export const canBecome = (from: Status, to: Status): boolean =>
  from === to || TRANSITIONS[from].some((next) => canBecome(next, to));

/** The status in the answer to a new payment. */
export const AFTER_CREATION = {
  tok_success: 'completed',
  tok_decline: 'failed',
  tok_soft_decline: 'failed',
  tok_unavailable: 'failed',
  tok_pending: 'processing',
  tok_timeout: 'pending',
  tok_charged_no_answer: 'pending',
  tok_async_success: 'processing',
  tok_async_decline: 'processing',
  tok_early_notification: 'completed',
  tok_requires_action: 'processing',
  tok_refund_pending: 'completed',
  tok_refund_refused: 'completed',
} as const satisfies Record<string, Status>;

export type Token = keyof typeof AFTER_CREATION;
export const TOKENS = Object.keys(AFTER_CREATION) as Token[];

const isOver = (status: Status): boolean => TRANSITIONS[status].length === 0 || status === 'completed';

/** The possible answers of a cancellation, and the statuses that the payment may have after each. */
export function afterCancel(status: Status): Readonly<Record<number, readonly Status[]>> {
  if (status === 'pending' || status === 'cancelled') return { 200: ['cancelled'] };
  // 409: the provider has captured the money meanwhile, and its notification is on the way
  if (status === 'processing') return { 200: ['cancelled'], 409: ['processing'], 503: ['processing'] };
  return { 409: [status] };
}

export function afterRefund(status: Status, token: Token): Readonly<Record<number, readonly Status[]>> {
  if (status === 'refunded') return { 200: ['refunded'] };
  if (status !== 'completed') return { 409: [status] };
  if (token === 'tok_refund_refused') return { 409: ['completed'], 503: ['completed'] };
  const done: readonly Status[] = token === 'tok_refund_pending' ? ['completed', 'refunded'] : ['refunded'];
  return { 200: done, 503: ['completed'] };
}

/**
 * The statuses that a signed notification may report. For a payment that waits for the provider, the truth; for one
 * that has ended, contradictions that cannot be true. (A provider's notification about an open payment is believed.)
 */
export function reportable(status: Status, token: Token): Status[] {
  if (token === 'tok_pending' && status === 'processing') return ['completed', 'failed', 'cancelled'];
  if (token === 'tok_pending' && status === 'completed') return ['refunded', 'failed', 'processing'];
  return isOver(status) ? CONTRADICTIONS[status] : [];
}

const CONTRADICTIONS: Readonly<Record<Status, Status[]>> = {
  pending: [],
  processing: [],
  completed: ['processing', 'failed', 'cancelled'],
  failed: ['processing', 'completed', 'cancelled', 'refunded'],
  cancelled: ['processing', 'completed', 'failed', 'refunded'],
  refunded: ['processing', 'completed', 'failed', 'cancelled'],
};

/** The status after a report. */
export const afterReport = (status: Status, reported: Status): Status =>
  canBecome(status, reported) ? reported : status;
