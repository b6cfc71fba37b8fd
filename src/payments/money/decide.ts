import { decideCharge } from './rules/charge.js';
import { changeStatus } from './rules/change.js';
import { disputeAfter } from './state/dispute.js';
import { Draft } from './state/draft.js';
import type { Effect } from './state/effect.js';
import type { DisputeFact, EndFact, Fact } from './state/fact.js';
import { alarm, APPLIED, ignored, type NotificationVerdict } from './state/notification.js';
import { decideOperation } from './rules/operation-result.js';
import { decideRefund } from './rules/refund-report.js';
import { decideRequest, type Granted } from './rules/request.js';
import { decideFailure } from './rules/late-charge.js';
import { decideSettlement } from './rules/settle.js';
import type { Moment, MoneyState, WaitingFact } from './state/state.js';
import { MONEY_ALARM_REASONS } from '../../shared/alarm.js';
import { subtractAmounts } from '../../shared/money.js';

/** The answer to a fact: all its effects, in the order in which they are written, and the state after them. */
export interface Decision {
  effects: readonly Effect[];
  state: MoneyState;
  /** Whether the fact was applied, is ignored, waits, or is an alarm for a person. */
  verdict: NotificationVerdict;
  /** For a request. */
  granted: Granted | undefined;
}

/**
 * The only decision about money. A payment moves along these statuses; only a failed refund leads back.
 *
 *     pending ──► processing ──► completed ◄──► refunded
 *        │            │
 *        └────────────┴──► failed, cancelled
 *
 * A charge that comes after the end changes no status: it is reversed. Facts that wait are tried again after each fact. Throws
 * the `Problem` of a request or a settlement that is refused.
 */
export function decide(state: MoneyState, fact: Fact, moment: Moment): Decision {
  const draft = new Draft(state, moment);
  const granted = fact.about === 'request' ? decideRequest(draft, fact) : undefined;
  const verdict = fact.about === 'request' ? APPLIED : verdictOf(draft, fact);
  retryWaiting(draft);
  return { effects: draft.effects, state: draft.state, verdict, granted };
}

/** Tries the facts that wait, for example after their payment was read again. */
export function decideWaiting(state: MoneyState, moment: Moment): Decision {
  const draft = new Draft(state, moment);
  retryWaiting(draft);
  return { effects: draft.effects, state: draft.state, verdict: APPLIED, granted: undefined };
}

function verdictOf(draft: Draft, fact: Exclude<Fact, { about: 'request' }>): NotificationVerdict {
  const verdict = decideFact(draft, fact);
  if (verdict.outcome === 'alarm') raise(draft, fact, verdict.reason);
  return verdict;
}

function decideFact(draft: Draft, fact: Exclude<Fact, { about: 'request' }>): NotificationVerdict {
  switch (fact.about) {
    case 'charge':
      return decideCharge(draft, fact);
    case 'operation':
      return decideOperation(draft, fact);
    case 'failure':
      return decideFailure(draft, fact);
    case 'refund':
      return decideRefund(draft, fact);
    case 'dispute':
      return decideDispute(draft, fact);
    case 'settlement':
      return decideSettlement(draft, fact);
    case 'end':
      return end(draft, fact);
  }
}

/** A dispute is about money that was taken, and changes no status, so it is applied at once. */
function decideDispute(draft: Draft, { attempt, provider, report }: DisputeFact): NotificationVerdict {
  if (report === null) return ignored('dispute_unchanged');
  const { id } = report.dispute;
  const before = draft.state.disputes.find((row) => row.attempt === attempt && row.provider_dispute_id === id);
  const decision = disputeAfter(before ?? null, report);
  const { reported_at: reportedAt, opened_at: openedAt } = decision.state;
  const isKept =
    before?.reported_at.getTime() === reportedAt.getTime() && before.opened_at.getTime() === openedAt.getTime();
  if (decision.event !== null || !isKept) draft.add({ do: 'dispute', attempt, provider, report, decision });
  return decision.event === null ? ignored(decision.reason) : APPLIED;
}

function end(draft: Draft, { to, cause, metadata }: EndFact): NotificationVerdict {
  const change = { to, cause, onlyFrom: 'pending', ...(metadata && { providerMetadata: metadata }) } as const;
  const outcome = changeStatus(draft, change);
  return outcome === 'changed' ? APPLIED : ignored('status_unchanged');
}

/** One fact may make others legal, so they are tried until none changes anything. */
function retryWaiting(draft: Draft): void {
  const isNew = (seen: Set<number>) => (each: WaitingFact) => each.state === 'waits' && !seen.has(each.id);
  for (const seen = new Set<number>(); ;) {
    const next = draft.state.waiting.find(isNew(seen));
    if (!next) return;
    seen.add(next.id);
    const found = verdictOf(draft, next.fact as Exclude<Fact, { about: 'request' }>);
    const verdict = found.outcome === 'waiting' && next.isTimedOut ? endOfWaiting(draft, next, found) : found;
    if (verdict.outcome === 'waiting') continue;
    draft.add({ do: 'settle_waiting', id: next.id, verdict });
    // an earlier one may wait for its effects
    seen.clear();
  }
}

/**
 * Ends the wait of a fact whose cause will not be reported. A failure still needs a person, and so does a refund that may be
 * another one than ours.
 */
function endOfWaiting(draft: Draft, { fact }: WaitingFact, { reason }: NotificationVerdict): NotificationVerdict {
  const status = 'event' in fact ? fact.event?.status : undefined;
  const isOther = status === 'refunded' && /^payment_is_(completed|refunded)$/.test(reason ?? '');
  const code = isOther ? 'other_refund' : MONEY_ALARM_REASONS.find((each) => each === status);
  if (!code) return ignored(reason!);
  raise(draft, fact, code);
  return alarm(code);
}

function raise(draft: Draft, fact: Fact, reason: (NotificationVerdict & { outcome: 'alarm' })['reason']): void {
  const attempt =
    'attempt' in fact ? fact.attempt : (draft.operation('operation' in fact ? fact.operation : 0)?.attempt ?? 0);
  const event = ('event' in fact ? fact.event : undefined) ?? null;
  const isFound = reason === 'other_refund' && fact.about === 'charge' && fact.refunded !== undefined;
  const parts = 'status' in fact ? [fact.status, fact.captured ?? fact.amount, fact.refunded] : [event?.operationId];
  draft.add({
    do: 'alarm',
    reason,
    attempt,
    key: [attempt, reason, ...parts].filter((part) => part !== undefined && part !== null).join(' '),
    event,
    ...(isFound && { amount: subtractAmounts(fact.refunded!, draft.state.payment.amount_refunded) }),
  });
}
