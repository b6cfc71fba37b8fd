import {
  isObject,
  NotificationRefused,
  type ParsedNotification,
  type ProviderEvent,
  type ReportedDispute,
} from '@payment-orchestrator/provider-kit';
import { isMoney, type PayPalApi, PayPalRefusal } from './client.js';
import { codeOf } from './decline.js';
import type { Money } from './documents.js';
import { reasonOf } from './order.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/;
type Json = Readonly<Record<string, unknown>>;
type Match = ProviderEvent['match'];

/** A refund has our reference and the key of its call, so that it is found by either. */
export const refundIdOf = (reference: string, key: string): string => `${reference}.${key}`;

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const itemsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : []);

/** Throws `validation_failed` with the name of the field. */
function needed<T>(value: T | undefined, field: string): T {
  if (value !== undefined) return value;
  throw new NotificationRefused('validation_failed', { errors: [{ field, message: 'is not as PayPal documents it' }] });
}

const dateOf = (value: unknown): Date | undefined => {
  const date = new Date(textOf(value) ?? NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
};
const moneyOf = (value: unknown): { amount: string; currency: string } => {
  const { value: amount, currency_code: currency } = needed(isMoney(value) ? (value as Money) : undefined, 'amount');
  return { amount, currency: needed(/^[A-Z]{3}$/.test(currency) ? currency : undefined, 'currency_code') };
};

/** A webhook event of PayPal as ours: https://developer.paypal.com/api/rest/webhooks/event-names/ */
export async function parseEvent(json: unknown, api: () => PayPalApi): Promise<ParsedNotification> {
  const { id: eventId, event_type: type, create_time: createTime, resource: given } = objectOf(json);
  const resource = objectOf(needed(isObject(given) ? given : undefined, 'resource'));
  const id = needed(textOf(eventId), 'id');
  const kind = needed(textOf(type), 'event_type');
  const occurredAt = needed(dateOf(createTime), 'create_time');
  const resourceId = textOf(resource['id']) ?? textOf(resource['dispute_id']);
  const data = { event_type: kind, ...(resourceId && { id: resourceId }), ...statusOf(resource) };
  const ignored: ParsedNotification = { events: [{ id, match: {}, status: 'ignored', data }] };
  // the payer has approved, and the look-up shows that the money can be taken
  if (kind === 'CHECKOUT.ORDER.APPROVED') return { events: [], ask: [needed(resourceId, 'resource.id')] };
  if (kind === 'VAULT.PAYMENT-TOKEN.CREATED') {
    const transactionId = textOf(objectOf(resource['metadata'])['order_id']);
    if (!transactionId || !resourceId) return ignored;
    const savedMethod = { token: resourceId, transactionId };
    return { events: [{ id, match: { transactionId }, status: 'ignored', savedMethod, data }] };
  }
  const fields = factsOf(kind, resource);
  const match = fields && (await matchOf(resource, api));
  if (!fields || !match) return ignored;
  return {
    events: [
      {
        id,
        match,
        occurredAt: fields.dispute ? (dateOf(resource['update_time']) ?? occurredAt) : occurredAt,
        ...fields,
        data,
      },
    ],
  };
}

const statusOf = ({ status }: Json): Json => (textOf(status) === undefined ? {} : { status });

type Facts = Omit<ProviderEvent, 'id' | 'match' | 'data' | 'occurredAt'>;

/** `undefined`: it says nothing about a payment's status, or nothing that another event does not say. */
function factsOf(kind: string, resource: Json): Facts | undefined {
  const operationId = needed(textOf(resource['id']) ?? textOf(resource['dispute_id']), 'resource.id');
  // the capture of an authorisation is an operation of ours; that of an order is its charge
  const capture = relatedTo(resource)['authorization_id'] === undefined ? {} : { operationId };
  switch (kind) {
    case 'PAYMENT.AUTHORIZATION.CREATED':
      if (resource['status'] !== 'CREATED') return { status: 'processing' };
      return {
        status: 'authorized',
        ...moneyOf(resource['amount']),
        captureBefore: needed(dateOf(resource['expiration_time']), 'resource.expiration_time'),
      };
    case 'PAYMENT.AUTHORIZATION.VOIDED':
      return { status: hasLapsed(resource) ? 'authorization_expired' : 'cancelled' };
    case 'PAYMENT.CAPTURE.COMPLETED':
      return { status: 'completed', ...capture, ...moneyOf(resource['amount']) };
    case 'PAYMENT.CAPTURE.PENDING':
      return { status: 'processing' };
    case 'PAYMENT.CAPTURE.DECLINED':
    case 'PAYMENT.CAPTURE.DENIED': {
      const declineCode = reasonOf({ status_details: objectOf(resource['status_details']) });
      return { status: 'operationId' in capture ? 'capture_failed' : 'failed', ...capture, declineCode };
    }
    case 'PAYMENT.CAPTURE.REFUNDED':
      return { status: 'refunded', operationId, ...moneyOf(resource['amount']) };
    case 'PAYMENT.REFUND.PENDING':
      return { status: 'refund_pending', operationId };
    case 'PAYMENT.REFUND.FAILED':
      return { status: 'refund_failed', operationId };
    case 'CUSTOMER.DISPUTE.CREATED':
    case 'CUSTOMER.DISPUTE.UPDATED':
    case 'CUSTOMER.DISPUTE.RESOLVED':
      return { status: 'disputed', dispute: disputeOf(resource) };
    default:
      return undefined;
  }
}

/** PayPal reports the end of an authorisation like a void. */
const hasLapsed = ({ expiration_time: end, update_time: at }: Json): boolean =>
  (dateOf(end)?.getTime() ?? Infinity) <= (dateOf(at)?.getTime() ?? Date.now());

const relatedTo = (resource: Json): Json => objectOf(objectOf(resource['supplementary_data'])['related_ids']);

/** The payment by our reference, or by its order. A refund or a dispute without them names its capture. */
async function matchOf(resource: Json, api: () => PayPalApi): Promise<Match | undefined> {
  const [disputed = {}] = itemsOf(resource['disputed_transactions']);
  const custom = textOf(resource['custom_id']) ?? textOf(disputed['custom']);
  const orderId = textOf(relatedTo(resource)['order_id']);
  const reference = UUID.exec(custom ?? '')?.[0];
  if (reference !== undefined) return { reference, ...(orderId !== undefined && { transactionId: orderId }) };
  if (custom !== undefined) return undefined; // of another system that uses the account
  if (orderId !== undefined) return { transactionId: orderId };
  const up = itemsOf(resource['links']).find(({ rel }) => rel === 'up');
  const captureId =
    textOf(disputed['seller_transaction_id']) ?? /\/captures\/(\w{1,64})$/.exec(String(up?.['href']))?.[1];
  if (captureId === undefined) return undefined;
  try {
    const capture = await api().call('GET', `/v2/payments/captures/${encodeURIComponent(captureId)}`);
    const { custom_id: id, supplementary_data: data } = objectOf(capture);
    return await matchOf({ custom_id: id, supplementary_data: data }, api);
  } catch (error) {
    if (error instanceof PayPalRefusal && error.status === 404) return undefined;
    throw new NotificationRefused('dependency_unavailable', { detail: 'PayPal did not show the capture' });
  }
}

const KINDS: Readonly<Record<string, ReportedDispute['kind']>> = {
  INQUIRY: 'inquiry',
  CHARGEBACK: 'chargeback',
  PRE_ARBITRATION: 'pre_arbitration',
  ARBITRATION: 'pre_arbitration',
};
/** `RESOLVED_WITH_PAYOUT`: PayPal pays the customer, and the merchant keeps the money. */
const OUTCOMES: Readonly<Record<string, ReportedDispute['status']>> = {
  ACCEPTED: 'accepted',
  CANCELED_BY_BUYER: 'won',
  DENIED: 'won',
  RESOLVED_BUYER_FAVOUR: 'lost',
  RESOLVED_SELLER_FAVOUR: 'won',
  RESOLVED_WITH_PAYOUT: 'won',
};
const STATUSES: Readonly<Record<string, ReportedDispute['status']>> = {
  OPEN: 'open',
  WAITING_FOR_SELLER_RESPONSE: 'open',
  WAITING_FOR_BUYER_RESPONSE: 'under_review',
  UNDER_REVIEW: 'under_review',
  OTHER: 'under_review',
};

function disputeOf(resource: Json): ReportedDispute {
  const { outcome_code: outcome } = objectOf(resource['dispute_outcome']);
  const isResolved = resource['status'] === 'RESOLVED';
  const [status, reason] = [
    isResolved ? OUTCOMES[String(outcome)] : STATUSES[String(resource['status'])],
    textOf(resource['reason']),
  ];
  const [evidenceDueBy, openedAt] = [dateOf(resource['seller_response_due_date']), dateOf(resource['create_time'])];
  return {
    id: needed(textOf(resource['dispute_id']), 'resource.dispute_id'),
    kind: needed(KINDS[String(resource['dispute_life_cycle_stage'])], 'resource.dispute_life_cycle_stage'),
    status: needed(status, 'resource.status'),
    ...moneyOf(resource['dispute_amount']),
    ...(reason !== undefined && { reasonCode: codeOf(reason) }),
    ...(evidenceDueBy && { evidenceDueBy }),
    ...(openedAt && { openedAt }),
  };
}
