// What may become of a payment by what is done with it, written from the documentation and not with the product's code.

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

/** Whether a payment may get from one status to another, by way of others. */
export const canBecome = (from: Status, to: Status): boolean =>
  from === to || TRANSITIONS[from].some((next) => canBecome(next, to));

/** What the answer to a new payment says. */
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

/** What a cancellation answers, and makes of the payment: the statuses it may have by each answer. */
export function afterCancel(status: Status): Readonly<Record<number, readonly Status[]>> {
  if (status === 'pending' || status === 'cancelled') return { 200: ['cancelled'] };
  // 409: the provider has taken the money meanwhile, and its word of that is on its way
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
 * What somebody with the shop's secret may say about the payment. Of one that waits for that, the truth; of one that is
 * over, whatever contradicts it and cannot be true. (What a provider signs while a payment is open is believed.)
 */
export function tellable(status: Status, token: Token): Status[] {
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

/** By what was told. */
export const afterTelling = (status: Status, told: Status): Status => (canBecome(status, told) ? told : status);
