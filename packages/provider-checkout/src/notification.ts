import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type ConnectorContext,
  type IncomingNotification,
  isObject,
  NotificationRefused,
  type ParsedNotification,
  type ProviderEvent,
  type ReportedDispute,
} from '@payment-orchestrator/provider-kit';
import { fromCheckoutAmount } from './amount.js';
import type { CheckoutApi } from './client.js';
import { type CheckoutDecline, readCheckoutDecline } from './decline.js';

/** The data of an event about a payment. */
interface EventData extends CheckoutDecline {
  id: string;
  action_id?: string;
  reference?: string;
  amount?: number;
  currency?: string;
  processed_on?: string;
}

/** Statuses by the type of event; `action_id` is what the answer to our call had. */
const STATUSES: Readonly<Record<string, ProviderEvent['status']>> = {
  payment_approved: 'authorized',
  payment_declined: 'failed',
  payment_authentication_failed: 'failed',
  payment_captured: 'completed',
  payment_capture_declined: 'capture_failed',
  payment_voided: 'cancelled',
  payment_void_declined: 'void_failed',
  payment_refund_pending: 'refund_pending',
  payment_refunded: 'refunded',
  payment_refund_declined: 'refund_failed',
};
/** The payment tells whether an authorisation has lapsed, or a payer has not paid. */
const ASKED: ReadonlySet<string> = new Set(['payment_expired', 'payment_canceled']);
const OF_CHARGES: ReadonlySet<string> = new Set(['authorized', 'failed']);

const isSame = (given: string | string[] | undefined, expected: string): boolean => {
  const [one, other] = [Buffer.from(typeof given === 'string' ? given : ''), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
};

/** The webhook has a signature, an `Authorization` header, or both: each that the shop knows must be right. */
function verify({ rawBody, headers }: IncomingNotification, credentials: Record<string, unknown>): void {
  const { webhook_signature_key: key, webhook_authorization: authorization } = credentials;
  const checks = [
    ...(typeof key === 'string'
      ? [isSame(headers['cko-signature'], createHmac('sha256', key).update(rawBody).digest('hex'))]
      : []),
    ...(typeof authorization === 'string' ? [isSame(headers['authorization'], authorization)] : []),
  ];
  if (checks.length === 0 || checks.includes(false)) throw new NotificationRefused('invalid_signature');
}

export async function parseCheckoutNotification(
  incoming: IncomingNotification,
  api: CheckoutApi,
  parseJson: ConnectorContext['parseJson'],
): Promise<ParsedNotification> {
  verify(incoming, api.credentials);
  const body = parseJson(incoming.rawBody);
  const { id, type, data } = isObject(body) ? body : {};
  if (typeof id !== 'string' || typeof type !== 'string' || !isObject(data) || typeof data['id'] !== 'string')
    throw new NotificationRefused('validation_failed', {
      errors: [{ field: 'data.id', message: 'is required, as in events of Checkout.com’s workflows' }],
    });
  if (type.startsWith('dispute_')) return { events: await disputeEvents(id, data['id'], api) };
  if (ASKED.has(type)) return { events: [], ask: [data['id']] };
  const status = STATUSES[type];
  return { events: status === undefined ? [] : [eventOf(id, status, data as unknown as EventData)] };
}

function eventOf(id: string, status: ProviderEvent['status'], data: EventData): ProviderEvent {
  const { id: transactionId, action_id: operationId, reference, amount, currency, processed_on: at } = data;
  if (typeof amount !== 'number' || typeof currency !== 'string')
    throw new NotificationRefused('validation_failed', {
      errors: [{ field: 'data.amount', message: 'is required, with data.currency' }],
    });
  const isDecline = status === 'failed' || status === 'refund_failed' || status === 'capture_failed';
  return {
    id,
    match: { transactionId, ...(reference !== undefined && { reference }) },
    status,
    ...(!OF_CHARGES.has(status) && operationId !== undefined && { operationId }),
    amount: fromCheckoutAmount(amount, currency),
    currency,
    ...(at !== undefined && { occurredAt: new Date(at) }),
    ...(isDecline && { declineCode: readCheckoutDecline(data).declineCode }),
    data: data as unknown as Record<string, unknown>,
  };
}

/** A dispute of Checkout.com's Disputes API. */
interface Dispute {
  id: string;
  status: string;
  amount: number;
  currency: string;
  category?: string;
  reason_code?: string;
  evidence_required_by?: string;
  received_on?: string;
  last_update?: string;
  payment: { id: string };
}

const DISPUTE_STATUSES: Readonly<Record<string, ReportedDispute['status']>> = {
  evidence_required: 'open',
  evidence_under_review: 'under_review',
  arbitration_under_review: 'under_review',
  // it was refunded before
  resolved: 'won',
  won: 'won',
  arbitration_won: 'won',
  canceled: 'won',
  lost: 'lost',
  arbitration_lost: 'lost',
  expired: 'lost',
  accepted: 'accepted',
};

/** Events of disputes lack the amount: the dispute is read. It needs `disputes:view`. */
async function disputeEvents(eventId: string, disputeId: string, api: CheckoutApi): Promise<ProviderEvent[]> {
  const dispute = await api.get<Dispute>(`/disputes/${encodeURIComponent(disputeId)}`);
  const status = DISPUTE_STATUSES[dispute.status];
  if (status === undefined) return [];
  const { id, amount, currency, category, reason_code: code, evidence_required_by: due, received_on: opened } = dispute;
  return [
    {
      id: eventId,
      match: { transactionId: dispute.payment.id },
      status: 'disputed',
      ...(dispute.last_update !== undefined && { occurredAt: new Date(dispute.last_update) }),
      dispute: {
        id,
        kind: dispute.status.startsWith('arbitration') ? 'pre_arbitration' : 'chargeback',
        status,
        amount: fromCheckoutAmount(amount, currency),
        currency,
        ...(category !== undefined && { reasonCode: category }),
        ...(code !== undefined && { networkReasonCode: code }),
        ...(due !== undefined && { evidenceDueBy: new Date(due) }),
        ...(opened !== undefined && { openedAt: new Date(opened) }),
      },
      data: { id, status: dispute.status, amount, currency },
    },
  ];
}
