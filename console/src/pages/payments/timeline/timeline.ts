import { eventText } from '../../../api/event-types';
import type { Schema } from '@payment-orchestrator/client';
import { money } from '../../../ui/money';
import {
  AUTHORIZED,
  CAUSES,
  DELIVERY_STATUSES,
  NOTIFICATION_OUTCOMES,
  NOTIFICATION_REASONS,
  OPERATION_CAUSES,
  OUTCOMES,
  STATES,
} from '../meanings';
import { cardFacts } from '../payment-method/method-facts';
import { type Entry, known, KINDS } from './entry';
import { disputeEntries, refundEntries, settlementEntries, nameOf } from './money-entries';

/** The history of one payment, from several resources of the API. */
export interface Story {
  history: Schema<'StatusChange'>[];
  attempts: Schema<'PaymentAttempt'>[];
  operations: Schema<'PaymentOperation'>[];
  notifications: Schema<'Notification'>[];
  deliveries: Schema<'Delivery'>[];
  refunds: Schema<'Refund'>[];
  disputes: Schema<'Dispute'>[];
  /** Audit entries of operations that a person has settled; `null`: the session may not read them. */
  settlements: Schema<'AuditEntry'>[] | null;
}

type Payment = Schema<'Payment'>;

/** Names that are not part of the payment. */
export interface Names {
  /** A text such as `Flow checkout`. */
  flow: string;
  /** The label of a shop's account at its provider; `undefined`: not known. */
  accountOf: (shopId: number) => string | undefined;
}

/** The timeline of a payment, oldest first. */
export function timelineOf(payment: Payment, story: Story, names: Names): Entry[] {
  const entries = [
    created(payment, story.history, names.flow),
    ...story.attempts.flatMap((attempt) => attemptEntries(attempt, payment.capture, names)),
    ...story.operations.map((operation) => operationEntry(operation, story.attempts, payment.capture)),
    ...byId(story.refunds).flatMap(refundEntries),
    ...story.disputes.flatMap(disputeEntries),
    ...settlementEntries(story.settlements, story.operations),
    ...byId(story.notifications).map(notificationEntry),
    ...story.history.map(statusEntry),
    ...byId(story.deliveries).map(deliveryEntry),
  ];
  return entries.sort((one, other) => compare(one, other));
}

/** Sorts a list of the API, which begins with the newest item. */
const byId = <T extends { id: number }>(items: T[]): T[] => items.toSorted((one, other) => one.id - other.id);

const compare = (one: Entry, other: Entry): number =>
  Date.parse(one.at) - Date.parse(other.at) || KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind);

const created = (payment: Payment, history: Story['history'], flowName: string): Entry => ({
  key: 'created',
  at: payment.created_at,
  kind: 'payment',
  title: 'Payment created',
  status: 'pending',
  meaning: `${flowName} ${history[0]?.cause === 'declined_by_rule' ? 'declined the payment' : 'chose the shop'}.`,
  facts: known([['Session', payment.payment_session_id]]),
});

const statusEntry = ({ from, to, at, cause }: Schema<'StatusChange'>, index: number): Entry => ({
  key: `status-${index}`,
  at,
  kind: 'status',
  title: from === to ? `Status stays ${to}` : `Status: ${from} → ${to}`,
  status: to,
  meaning: CAUSES[cause],
  facts: [['Cause', cause]],
});

function attemptEntries(attempt: Schema<'PaymentAttempt'>, capture: Payment['capture'], { accountOf }: Names): Entry[] {
  const { number, shop, provider, outcome } = attempt;
  const begun: Entry = {
    key: `attempt-${number}`,
    at: attempt.started_at,
    kind: 'attempt',
    title: `Attempt ${number} with ${shop.name}`,
    meaning: outcome === null ? `Sent to ${provider}. There is no outcome yet.` : `Sent to ${provider}.`,
    facts: known([
      ['Provider', provider],
      ['Account', accountOf(shop.id)],
      ['Transaction', attempt.provider_transaction_id],
    ]),
  };
  if (outcome === null || attempt.ended_at === null) return [begun];
  const ended: Entry = {
    key: `attempt-${number}-end`,
    at: attempt.ended_at,
    kind: 'attempt',
    title: `Attempt ${number} with ${shop.name} ended`,
    status: outcome,
    meaning: capture === 'manual' && outcome === 'approved' ? AUTHORIZED : OUTCOMES[outcome],
    facts: known([['Decline code', attempt.decline_code], ...cardFacts(attempt.card ?? {})]),
  };
  return [begun, ended];
}

function operationEntry(
  operation: Schema<'PaymentOperation'>,
  attempts: Story['attempts'],
  capture: Payment['capture'],
): Entry {
  const { id, kind, cause, state, attempt } = operation;
  const shop = attempts.find(({ number }) => number === attempt)?.shop.name ?? `shop ${operation.shop_id}`;
  const name = kind === 'charge' && capture === 'manual' ? 'authorisation' : kind;
  const isAbandoned = state !== 'confirmed' && state !== 'refused' && operation.next_try_at === null;
  return {
    key: `operation-${id}`,
    at: operation.created_at,
    kind: 'operation',
    title: `${name[0]!.toUpperCase()}${name.slice(1)} requested from ${operation.provider} (${shop})`,
    status: state,
    meaning: `${STATES[state]}${isAbandoned ? ' No further retries: check it at the provider, then settle it or use Sync.' : ''} Requested ${OPERATION_CAUSES[cause]}.`,
    facts: known([
      ['Amount', money(operation.amount, operation.currency)],
      ['Calls to the provider', operation.tries],
      ['Last answer', operation.last_answer],
      ['Reason', operation.reason],
      ['Next try', operation.next_try_at],
      ['Requested by', nameOf(operation.requested_by)],
      ['Last change', operation.updated_at],
      ['Our reference', operation.reference],
      ['Provider’s id', operation.provider_operation_id],
    ]),
  };
}

const notificationEntry = (notification: Schema<'Notification'>): Entry => ({
  key: `notification-${notification.id}`,
  at: notification.received_at,
  kind: 'notification',
  title: `${notification.provider} notified: ${notification.status}`,
  status: notification.outcome,
  meaning: [NOTIFICATION_OUTCOMES[notification.outcome], reasonOf(notification.reason)].filter(Boolean).join(' '),
  facts: known([
    ['Notification', notification.notification_id],
    ['Transaction', notification.provider_transaction_id],
    ['Reason', notification.reason],
  ]),
});

const reasonOf = (reason: Schema<'Notification'>['reason']): string => {
  if (reason === null) return '';
  return NOTIFICATION_REASONS[reason] ?? `The payment was ${reason.replace('payment_is_', '')}.`;
};

const deliveryEntry = (delivery: Schema<'Delivery'>): Entry => ({
  key: `delivery-${delivery.id}`,
  at: delivery.created_at,
  kind: 'delivery',
  title: `Webhook: ${delivery.payment_status === null ? eventText(delivery.event) : `payment is ${delivery.payment_status}`}`,
  status: delivery.status,
  meaning: DELIVERY_STATUSES[delivery.status],
  facts: known([
    ['To', delivery.webhook_endpoint],
    ['Attempts', delivery.attempt_count],
    ['Last answer', delivery.last_status_code ?? delivery.last_error],
    ['Delivered', delivery.delivered_at],
    ['Next attempt', delivery.next_attempt_at],
    ['webhook-id', delivery.webhook_id],
  ]),
  to: `/deliveries/${delivery.id}`,
});
