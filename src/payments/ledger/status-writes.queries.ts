import type { Statement } from '../../platform/database/database.js';
import { type Fields, parametersOf, recordFrom, recordsFrom, valuesOf } from '../../platform/database/records.js';
import { countSuccessesFrom, recoveredShopOf } from '../../shops/shop-outcomes-sql.js';
import type { RecoveredShop, ShopOutcome } from '../../shops/shop-outcomes.service.js';
import { WEBHOOK_EVENT } from '../../webhooks/outbox/webhook-body.js';
import { EVENT_POSITION, insertDeliveriesFrom } from '../../webhooks/outbox/outbox-sql.js';
import type { AttemptOutcome } from './attempt.js';
import { settleChargesFrom } from './operation.queries.js';
import type { ChangeCause, PaymentStatus } from './payment-state.js';

/** What a payment is taken to be, and what it becomes; times in ISO 8601. */
interface StatusWrite {
  id: number;
  known_status: PaymentStatus;
  known_attempt: number;
  known_updated_at: string;
  status: PaymentStatus;
  updated_at: string;
  /** JSON text: what a provider says may hold escapes that PostgreSQL takes in `json`, but not inside other JSON. */
  provider_metadata: string;
  provider_transaction_id: string | null;
  /** JSON text; `null`: the payer has nothing to do. */
  next_action: string | null;
  /** The attempt whose outcome this is, `null` for none. */
  attempt: number | null;
  attempt_outcome: AttemptOutcome | null;
  decline_code: string | null;
  /** What it says of the shop, where that is no fault. */
  shop_outcome: Exclude<ShopOutcome, 'failed'> | null;
}

/** A step on the way to the new status. */
interface StepWrite {
  from_status: PaymentStatus;
  to_status: PaymentStatus;
  cause: ChangeCause;
  at: string;
  /** The webhook's body; `null`: no webhook. */
  request_body: string | null;
  /** Of the span that writes it; `null`: it is not traced. */
  traceparent: string | null;
}

/** A change of status to write: no more steps than `stepsTo` makes, in their order. */
export interface Change {
  write: StatusWrite;
  steps: StepWrite[];
}

/** A payment that was written. */
export interface WrittenRow extends RecoveredShop {
  id: number;
}

const WRITE: Fields<StatusWrite> = {
  id: 'bigint',
  known_status: 'text',
  known_attempt: 'smallint',
  known_updated_at: 'timestamptz',
  status: 'text',
  updated_at: 'timestamptz',
  provider_metadata: 'text',
  provider_transaction_id: 'text',
  next_action: 'text',
  attempt: 'smallint',
  attempt_outcome: 'text',
  decline_code: 'text',
  shop_outcome: 'text',
};

const STEP: Fields<StepWrite> = {
  from_status: 'text',
  to_status: 'text',
  cause: 'text',
  at: 'timestamptz',
  request_body: 'text',
  traceparent: 'text',
};

const MOST_STEPS = 2;

// One text makes three statements (docs/decisions/048-one-row-at-a-gentle-rate.md): of many payments, of one, and of one that
// the caller has locked.

/** The parameters before those of the records: $1 and $2 `ShopOutcomesService.countingNow`: minute, cool-down before. */
const FIRST = 3;
/** Of the payment, where it is one. */
const ONE = `$${FIRST}`;
const FIRST_STEP = FIRST + Object.keys(WRITE).length;
/** In how many ms what is new about an erased customer is blanked. */
const SETTLING_MS = `$${FIRST_STEP + MOST_STEPS * Object.keys(STEP).length}`;

/** A notification came before the transaction id that it is about. */
const IS_AWAITED = `EXISTS (SELECT FROM provider_notifications n WHERE n.outcome = 'waiting' AND n.payment_id IS NULL
            AND n.shop_id = p.shop_id AND n.provider_transaction_id = i.provider_transaction_id)`;

/** Nothing about the payment has to be looked at under its lock: the customer is not erased, no notification waits. */
const NEEDS_NO_LOCK = `NOT p.has_waiting_notifications
          AND (i.provider_transaction_id IS NOT DISTINCT FROM p.provider_transaction_id OR NOT ${IS_AWAITED})
          AND (SELECT c.erased_at FROM customers c WHERE c.id = p.customer_id) IS NULL`;

const UNLOCKED = (payment: string): string =>
  `unlocked AS MATERIALIZED (SELECT id FROM payments WHERE id = ${payment} FOR NO KEY UPDATE SKIP LOCKED)`;

/** New facts about a customer that was erased are blanked again. */
const REOPENED = `reopened AS (
      UPDATE customers SET erasure_due_at = now() + ${SETTLING_MS} * interval '1 ms'
      WHERE id = ANY (ARRAY(SELECT customer_id FROM changed)) AND erased_at IS NOT NULL
    ), `;

const ONES_STEPS = Array.from({ length: MOST_STEPS }, (_, index) =>
  parametersOf(FIRST_STEP + index * Object.keys(STEP).length, STEP).join(', '),
);

/** The parts in which the statements differ. */
interface Shape {
  /** CTEs: `input`, and the ids of payments that may be changed. */
  input: string;
  /** The payments that are changed, of those; and those that were, for what follows. */
  payment: string;
  changedPayment: string;
  condition: string;
  /** Rows `s` of steps. */
  steps: string;
  order: string;
  isOne: boolean;
  reopened: string;
}

const ofMany = (relation: string): string => `ANY (ARRAY(SELECT id FROM ${relation}))`;

const MANY: Shape = {
  input: `input AS MATERIALIZED (SELECT * FROM ${recordsFrom(`$${FIRST}`, WRITE)}), ${UNLOCKED(ofMany('input'))}`,
  payment: ofMany('unlocked'),
  changedPayment: ofMany('changed'),
  condition: NEEDS_NO_LOCK,
  steps: `(SELECT * FROM ${recordsFrom(`$${FIRST + 1}`, { written_id: 'bigint', position: 'integer', ...STEP })}) s
        JOIN changed c ON c.id = s.written_id`,
  order: 'ORDER BY r.position',
  isOne: false,
  reopened: '',
};

/** One row of `changed` and the steps as they are listed: there is nothing to sort. */
const OF_ONE: Shape = {
  input: `input AS NOT MATERIALIZED (${recordFrom(FIRST, WRITE)}), ${UNLOCKED(ONE)}`,
  payment: '(SELECT id FROM unlocked)',
  changedPayment: ONE,
  condition: NEEDS_NO_LOCK,
  steps: `changed c CROSS JOIN (VALUES ${ONES_STEPS.map((step) => `(${step})`).join(', ')}) AS s (${Object.keys(STEP).join(', ')})`,
  order: '',
  isOne: true,
  reopened: '',
};

const LOCKED: Shape = {
  ...OF_ONE,
  input: `input AS NOT MATERIALIZED (${recordFrom(FIRST, WRITE)})`,
  payment: ONE,
  condition: 'true',
  reopened: REOPENED,
};

/**
 * The one text that writes a status: transaction 2 of payments. An optimistic compare-and-set, no payment twice.
 * Answers those that were as known, the customer not erased since and no notification waiting for the change; of the others,
 * and of those that somebody else has locked, nothing is written: a group waits for none of its members. All else is read
 * off the rows that the UPDATE returns, and so comes after their locks: ids of deliveries and of history grow in the order of
 * the changes, and so do positions, also where a transaction that was numbered first had to wait.
 * `= ANY (ARRAY(…))`, and of one payment its parameter: whatever the planner thinks of a table's size, it looks rows up by id.
 */
const writeStatuses = ({ input, payment, changedPayment, condition, steps, order, isOne, reopened }: Shape): string =>
  `WITH ${input}, changed AS (
      UPDATE payments p SET status = i.status, updated_at = i.updated_at, provider_metadata = i.provider_metadata::json,
        provider_transaction_id = i.provider_transaction_id, next_action = i.next_action::json,
        event_position = greatest(${EVENT_POSITION}, p.event_position)
      FROM input i
      WHERE p.id = ${payment} AND p.id = i.id AND p.status = i.known_status
        AND p.attempt = i.known_attempt AND p.updated_at = i.known_updated_at AND ${condition}
      RETURNING p.id, p.merchant_id, p.shop_id, p.customer_id, p.webhook_lane_id, p.webhook_endpoint, p.updated_at,
        p.provider_transaction_id, p.event_position, i.attempt, i.attempt_outcome, i.decline_code, i.shop_outcome
    ), ended AS (
      UPDATE payment_attempts a SET outcome = c.attempt_outcome, decline_code = c.decline_code, ended_at = c.updated_at,
        provider_transaction_id = c.provider_transaction_id
      FROM changed c
      WHERE a.payment_id = ${changedPayment} AND a.payment_id = c.id AND a.number = c.attempt
    ), ${settleChargesFrom('changed', isOne ? ONE : undefined)}, ${reopened}steps AS MATERIALIZED (
      SELECT s.*, c.id AS payment_id, c.merchant_id, c.shop_id, c.event_position, c.webhook_lane_id AS lane_id,
        c.webhook_endpoint, s.to_status AS payment_status, '${WEBHOOK_EVENT}' AS event
      FROM ${steps} WHERE s.to_status IS NOT NULL
    ), history AS (
      INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position)
      SELECT payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position FROM steps r ${order}
    ), ${insertDeliveriesFrom('(SELECT * FROM steps WHERE request_body IS NOT NULL)', 'n.traceparent', order)},
    ${countSuccessesFrom('changed', '$1', isOne)}
    SELECT c.id, ${recoveredShopOf('c', '$2')} AS recovered_shop_id FROM changed c`;

/** $3 JSON array of `StatusWrite`, $4 JSON array of their `StepWrite`s, with `written_id` and `position`. */
export const WRITE_STATUSES: Statement = { name: 'payments.write_statuses', text: writeStatuses(MANY) };

/** From $3 on the fields of a `StatusWrite` and of `MOST_STEPS` of `StepWrite`. */
export const WRITE_STATUS: Statement = { name: 'payments.write_status', text: writeStatuses(OF_ONE) };

/** As `WRITE_STATUS`, and last in how many ms what is new about an erased customer is blanked. The caller has locked the payment. */
export const WRITE_LOCKED_STATUS: Statement = { name: 'payments.write_locked_status', text: writeStatuses(LOCKED) };

/** The values of `WRITE_STATUSES` behind $2. */
export function valuesOfMany(changes: Change[]): unknown[] {
  const steps = changes.flatMap(({ write, steps }) => steps.map((step) => ({ ...step, written_id: write.id })));
  return [
    JSON.stringify(changes.map(({ write }) => write)),
    JSON.stringify(steps.map((step, position) => ({ ...step, position }))),
  ];
}

/** The values of the other statements behind $2. Throws where there are more steps than they have parameters for. */
export function valuesOfOne({ write, steps }: Change): unknown[] {
  if (steps.length > MOST_STEPS) throw new Error(`payment ${write.id} takes ${steps.length} steps at once`);
  const ofSteps = Array.from({ length: MOST_STEPS }, (_, index) => valuesOf(steps[index] ?? null, STEP));
  return [...valuesOf(write, WRITE), ...ofSteps.flat()];
}
