import {
  amount,
  boolean,
  decimal,
  described,
  integer,
  integerOrNull,
  type JsonSchema,
  namedEnum,
  objectOf,
  objectOrNull,
  oneOf,
  text,
  textOrNull,
  time,
  timeOrNull,
} from './schema-parts.js';

const outcomes = objectOf({
  payments: integer,
  approved: integer,
  declined: integer,
  refused: described(integer, 'Requests that no shop took. They are no payments, and count as not approved.'),
});

/**
 * Schemas of `data`, by name. Events outlive the erasure of a customer, so `data` has ids, amounts, codes and times, and
 * no free text of a merchant or payer. Endpoints are named by scheme, host and port: path and query may be personal.
 */
export const DATA_SCHEMAS = {
  PaymentAmounts: objectOf(
    { amount_authorized: amount, amount_captured: amount, amount_refunded: amount },
    'The amounts of a payment. Pending refunds count as refunded.',
  ),
  ChangedAmounts: objectOf({
    payment_id: integer,
    status: described(text, 'The status of the payment, which did not change.'),
    currency: text,
    cause: described(
      namedEnum('AmountsChangeCause', 'authorized', 'refund_created', 'refund_failed'),
      '`authorized`: the provider holds the amount. `refund_created`: a refund is requested or was made at the provider. ' +
        '`refund_failed`: the payer did not get its amount.',
    ),
    refund_id: described(integerOrNull, '`null`: no refund caused it.'),
    before: { $ref: '#/components/schemas/PaymentAmounts' },
    after: { $ref: '#/components/schemas/PaymentAmounts' },
  }),
  RefundState: objectOf(
    {
      id: integer,
      payment_id: integer,
      amount,
      currency: text,
      status: oneOf('pending', 'succeeded', 'failed'),
      origin: oneOf('api', 'provider'),
      provider_refund_id: textOrNull,
      failure_code: textOrNull,
      created_at: time,
      updated_at: time,
    },
    'The refund as in `GET /refunds/{id}`, without `reason` and `metadata`.',
  ),
  DisputeState: objectOf(
    {
      id: integer,
      payment_id: integer,
      shop_id: integer,
      attempt: integer,
      provider: text,
      provider_dispute_id: text,
      kind: oneOf('inquiry', 'chargeback', 'pre_arbitration'),
      status: oneOf('open', 'under_review', 'won', 'lost', 'accepted'),
      amount,
      currency: text,
      reason_code: textOrNull,
      network_reason_code: textOrNull,
      evidence_due_by: timeOrNull,
      opened_at: time,
      updated_at: time,
    },
    'The dispute, as `GET /disputes/{id}` answered it then.',
  ),
  FailedDelivery: objectOf({
    delivery_id: integer,
    event: described(text, 'The event that was not delivered.'),
    payment_status: described(textOrNull, '`null`: the event was no change of status.'),
    endpoint_id: described(integerOrNull, "The standing endpoint; `null`: the payment's own address."),
    webhook_endpoint: described(text, 'Scheme, host and port.'),
    attempts: integer,
    last_status_code: integerOrNull,
    last_error: textOrNull,
  }),
  FailingEndpoint: objectOf({
    endpoint_id: described(integerOrNull, '`null`: addresses of payments with this origin.'),
    webhook_endpoint: described(text, 'Scheme, host and port.'),
    failing_since: time,
    last_status_code: integerOrNull,
    last_error: textOrNull,
  }),
  RecoveredEndpoint: objectOf({
    endpoint_id: described(integerOrNull, '`null`: addresses of payments with this origin.'),
    webhook_endpoint: described(text, 'Scheme, host and port.'),
    failing_since: time,
    recovered_at: time,
  }),
  DisabledEndpoint: objectOf({
    endpoint_id: integer,
    webhook_endpoint: described(text, 'Scheme, host and port.'),
    reason: described(
      namedEnum('EndpointDisabledReason', 'gone', 'failing'),
      '`gone`: it answered 410. `failing`: it had no success for too long.',
    ),
    disabled_at: time,
    failing_since: time,
  }),
  ShopDown: objectOf({
    shop_name: text,
    provider: text,
    began_at: time,
    approved: described(integer, 'Payments of the last five minutes.'),
    declined: integer,
    failed: described(integer, "By a fault of the shop's account or provider."),
  }),
  ShopUp: objectOf({ shop_name: text, provider: text, began_at: time, ended_at: time }),
  StuckOperation: objectOf({
    payment_id: integer,
    operation_id: integer,
    kind: oneOf('charge', 'capture', 'void', 'refund'),
    attempt: integer,
    provider: text,
    amount,
    currency: text,
    is_stopped: described(boolean, '`true`: the service no longer asks the provider; a person must act.'),
    tries: integer,
    last_answer: described(textOrNull, "The provider's last answer, as a code."),
    created_at: time,
  }),
  LateCharge: objectOf({
    payment_id: integer,
    status: described(text, 'The status of the payment, which does not change.'),
    attempt: described(integer, 'The attempt that was charged.'),
    provider: text,
    amount: described(amount, 'The charged amount, which the service refunds.'),
    currency: text,
  }),
  FailedCapture: objectOf({
    payment_id: integer,
    operation_id: described(integer, 'The capture in `GET /payments/{id}/operations`.'),
    attempt: integer,
    provider: text,
    amount: described(amount, 'The amount that was to be captured.'),
    currency: text,
    reason: described(text, "The provider's reason. `settled_by_operator`: a person found that it had failed."),
  }),
  ActivatedFlow: objectOf({
    flow_id: integer,
    flow_name: text,
    version: integer,
    previous_version: described(integerOrNull, '`null`: the flow is new.'),
  }),
  RenamedFlow: objectOf({ flow_id: integer, flow_name: text, previous_name: text }),
  RolledBackFlow: objectOf({
    flow_id: integer,
    flow_name: text,
    version: described(integer, 'The version that all payments get again.'),
    previous_version: described(integer, 'Of a rollout: its candidate.'),
    reason: described(
      namedEnum('RollBackReason', 'requested', 'guardrail'),
      '`requested`: a client activated the earlier version or aborted the rollout. `guardrail`: the service aborted it.',
    ),
    rollout_id: described(integerOrNull, '`null`: the roll back of a version that all payments got.'),
    guardrail: objectOrNull(
      {
        max_drop_points: described(decimal, 'Percent points of the approval rate, as the rollout sets them.'),
        drop_points: described(decimal, "The candidate's approval rate is lower by these percent points."),
        base: outcomes,
        candidate: outcomes,
      },
      'The numbers that crossed the guardrail; `null`: it was not crossed.',
    ),
  }),
} satisfies Record<string, JsonSchema>;

export type DataSchemaName = keyof typeof DATA_SCHEMAS;
