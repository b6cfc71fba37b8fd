import type { DataSchemaName } from './data-schemas.js';

interface EventDescription {
  /** When it is written: half a sentence, for lists. */
  description: string;
  /** The schema of `data`; `null`: the body of a change of status has its own schema, and no `data`. */
  dataSchema: DataSchemaName | null;
  /** The facts of the example; `shopId` and `paymentId` are `null` for events without one. */
  example: { shopId: number | null; paymentId: number | null; data: Record<string, unknown> };
}

const AT = '2026-11-21T01:02:03.456Z';
const EARLIER = '2026-11-21T00:45:10.000Z';
const ENDPOINT = 'https://shop.example';
const OF_PAYMENT = { shopId: 3, paymentId: 17 };
const OF_SHOP = { shopId: 3, paymentId: null };
const OF_MERCHANT = { shopId: null, paymentId: null };

const REFUND = {
  id: 815,
  payment_id: 17,
  amount: 10,
  currency: 'EUR',
  status: 'pending',
  origin: 'api',
  provider_refund_id: null,
  failure_code: null,
  created_at: AT,
  updated_at: AT,
};

const DISPUTE = {
  id: 42,
  payment_id: 17,
  shop_id: 3,
  attempt: 1,
  provider: 'sandbox',
  provider_dispute_id: 'dp_1',
  kind: 'chargeback',
  status: 'open',
  amount: 49.9,
  currency: 'EUR',
  reason_code: 'fraudulent',
  network_reason_code: '10.4',
  evidence_due_by: '2026-12-01T23:59:59.000Z',
  opened_at: AT,
  updated_at: AT,
};

const amounts = (refunded: number) => ({
  amount_authorized: 49.9,
  amount_captured: 49.9,
  amount_refunded: refunded,
});

/**
 * Every type of event, in the order of lists. The names, the API document, `GET /webhooks/event-types`, samples for
 * receivers and the page about events are made from it. The types of the packages are checked against it.
 */
const EVENT_CATALOGUE = {
  'payment.status_changed': {
    description: 'a payment changes its status, also without a `webhook_endpoint`',
    dataSchema: null,
    example: { ...OF_PAYMENT, data: {} },
  },
  'payment.amounts_changed': {
    description: 'the authorized or refunded amount of a payment changes, and its status stays',
    dataSchema: 'ChangedAmounts',
    example: {
      ...OF_PAYMENT,
      data: {
        payment_id: 17,
        status: 'completed',
        currency: 'EUR',
        cause: 'refund_created',
        refund_id: 815,
        before: amounts(0),
        after: amounts(10),
      },
    },
  },
  'payment.late_charge': {
    description: 'a provider charged a payment that has ended or moved to another shop; the service refunds the charge',
    dataSchema: 'LateCharge',
    example: {
      ...OF_PAYMENT,
      data: { payment_id: 17, status: 'cancelled', attempt: 1, provider: 'sandbox', amount: 49.9, currency: 'EUR' },
    },
  },
  'capture.failed': {
    description: 'a requested capture has failed',
    dataSchema: 'FailedCapture',
    example: {
      ...OF_PAYMENT,
      data: {
        payment_id: 17,
        operation_id: 24,
        attempt: 1,
        provider: 'sandbox',
        amount: 39.9,
        currency: 'EUR',
        reason: 'capture_failed',
      },
    },
  },
  'authorization.lapsing': {
    description: 'an authorisation that was not captured lapses within a day',
    dataSchema: 'LapsingAuthorization',
    example: {
      ...OF_PAYMENT,
      data: {
        payment_id: 17,
        attempt: 1,
        provider: 'sandbox',
        amount: 49.9,
        currency: 'EUR',
        capture_before: '2026-11-22T01:02:03.456Z',
      },
    },
  },
  'refund.created': {
    description: 'a refund is requested, or was made at the provider',
    dataSchema: 'RefundState',
    example: { ...OF_PAYMENT, data: REFUND },
  },
  'refund.updated': {
    description: 'a refund has succeeded or failed',
    dataSchema: 'RefundState',
    example: { ...OF_PAYMENT, data: { ...REFUND, status: 'succeeded', provider_refund_id: 're_3MtwBw' } },
  },
  'dispute.opened': {
    description: 'a payer disputes a payment, or a closed dispute goes on',
    dataSchema: 'DisputeState',
    example: { ...OF_PAYMENT, data: DISPUTE },
  },
  'dispute.updated': {
    description: 'a dispute has changed otherwise',
    dataSchema: 'DisputeState',
    example: { ...OF_PAYMENT, data: { ...DISPUTE, status: 'under_review' } },
  },
  'dispute.due': {
    description: 'evidence for an open dispute is due within two days',
    dataSchema: 'DisputeState',
    example: { ...OF_PAYMENT, data: { ...DISPUTE, evidence_due_by: '2026-11-23T01:02:03.456Z' } },
  },
  'dispute.closed': {
    description: 'a dispute is won, lost or accepted; again for another end',
    dataSchema: 'DisputeState',
    example: { ...OF_PAYMENT, data: { ...DISPUTE, status: 'won', evidence_due_by: null } },
  },
  'operation.stuck': {
    description:
      'a charge, capture, void or refund has had no known outcome for 15 minutes, or the service has stopped to ask',
    dataSchema: 'StuckOperation',
    example: {
      ...OF_PAYMENT,
      data: {
        payment_id: 17,
        operation_id: 23,
        kind: 'refund',
        attempt: 1,
        provider: 'sandbox',
        amount: 10,
        currency: 'EUR',
        is_stopped: false,
        tries: 9,
        last_answer: 'unknown',
        created_at: EARLIER,
      },
    },
  },
  'shop.down': {
    description: 'too many payments of a shop fail by its own fault; it gets no payments for now',
    dataSchema: 'ShopDown',
    example: {
      ...OF_SHOP,
      data: { shop_name: 'Berlin', provider: 'sandbox', began_at: AT, approved: 2, declined: 1, failed: 9 },
    },
  },
  'shop.up': {
    description: 'a shop that was down has completed a payment again',
    dataSchema: 'ShopUp',
    example: { ...OF_SHOP, data: { shop_name: 'Berlin', provider: 'sandbox', began_at: EARLIER, ended_at: AT } },
  },
  'approvals.fell': {
    description: 'a shop approves fewer payments of a card scheme than the day before, beyond chance',
    dataSchema: 'FallenApprovals',
    example: {
      ...OF_SHOP,
      data: {
        shop_name: 'Berlin',
        card_scheme: 'visa',
        approval_rate: 0.71,
        approval_rate_before: 0.92,
        attempts: 240,
        attempts_before: 262,
        fell_at: AT,
      },
    },
  },
  'delivery.failed': {
    description: 'a webhook has failed for good',
    dataSchema: 'FailedDelivery',
    example: {
      ...OF_PAYMENT,
      data: {
        delivery_id: 91,
        event: 'payment.status_changed',
        payment_status: 'completed',
        endpoint_id: null,
        webhook_endpoint: ENDPOINT,
        attempts: 4,
        last_status_code: 500,
        last_error: null,
      },
    },
  },
  'endpoint.failing': {
    description: 'no webhook to an endpoint got a 2xx for five minutes, after a second failure',
    dataSchema: 'FailingEndpoint',
    example: {
      ...OF_MERCHANT,
      data: {
        endpoint_id: 5,
        webhook_endpoint: ENDPOINT,
        failing_since: EARLIER,
        last_status_code: null,
        last_error: 'timeout',
      },
    },
  },
  'endpoint.recovered': {
    description: 'the endpoint answers with a 2xx again',
    dataSchema: 'RecoveredEndpoint',
    example: {
      ...OF_MERCHANT,
      data: { endpoint_id: 5, webhook_endpoint: ENDPOINT, failing_since: EARLIER, recovered_at: AT },
    },
  },
  'endpoint.disabled': {
    description:
      'a standing endpoint answered 410, or had no success for days; it gets no webhooks until it is resumed',
    dataSchema: 'DisabledEndpoint',
    example: {
      ...OF_MERCHANT,
      data: { endpoint_id: 5, webhook_endpoint: ENDPOINT, reason: 'gone', disabled_at: AT, failing_since: EARLIER },
    },
  },
  'approval.requested': {
    description: 'a client asks colleagues to approve a version of a flow',
    dataSchema: 'RequestedApproval',
    example: {
      ...OF_MERCHANT,
      data: {
        flow_id: 2,
        flow_name: 'checkout',
        version: 5,
        requested_by: 'client_0c8c1d1e6f0a',
        colleagues: ['client_1d9e2f3a4b5c'],
        requested_at: AT,
      },
    },
  },
  'flow.activated': {
    description: 'a version of a flow becomes active, also the first one',
    dataSchema: 'ActivatedFlow',
    example: { ...OF_MERCHANT, data: { flow_id: 2, flow_name: 'checkout', version: 5, previous_version: 4 } },
  },
  'flow.rolled_back': {
    description: 'an earlier version of a flow, which was active before, becomes active again, or a rollout is aborted',
    dataSchema: 'RolledBackFlow',
    example: {
      ...OF_MERCHANT,
      data: {
        flow_id: 2,
        flow_name: 'checkout',
        version: 4,
        previous_version: 5,
        reason: 'guardrail',
        rollout_id: 3,
        guardrail: {
          max_drop_points: 2,
          drop_points: 4.1,
          base: { payments: 9_020, approved: 8_195, declined: 790, refused: 0 },
          candidate: { payments: 976, approved: 850, declined: 123, refused: 4 },
        },
      },
    },
  },
  'flow.renamed': {
    description: 'a flow gets another name, by which payments name it',
    dataSchema: 'RenamedFlow',
    example: { ...OF_MERCHANT, data: { flow_id: 2, flow_name: 'checkout-eu', previous_name: 'checkout' } },
  },
} satisfies Record<string, EventDescription>;

export type EventType = keyof typeof EVENT_CATALOGUE;

export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as readonly EventType[];

/** The catalogue's entry, with the same type for every event. */
export const describedEvent = (type: EventType): EventDescription => EVENT_CATALOGUE[type];
