import type { Statement } from '../../platform/database/database.js';
import { type Fields, parametersOf, recordFrom, recordsFrom, valuesOf } from '../../platform/database/writes.js';
import { countSuccessesFrom, recoveredShopOf } from '../../shops/shop-outcomes-sql.js';
import type { RecoveredShop, ShopOutcome } from '../../shops/shop-outcomes.service.js';
import { WEBHOOK_EVENT } from '../../webhooks/outbox/webhook-body.js';
import { EVENT_POSITION, insertDeliveriesFrom } from '../../webhooks/fan-out/fan-out-sql.js';
import { withEventIdOf } from '../../webhooks/outbox/outbox-sql.js';
import type { CardFacts } from '../../shared/payment-method.js';
import type { AttemptOutcome } from '../money/state/attempt.js';
import {
  IS_FIRST_OUTCOME,
  logFirstOutcomesFrom,
  LOGGED_COLUMNS,
} from '../../insights/approvals/attempt-changes-sql.js';
import { ERASURE_REPEAT_MS, repeatErasuresOf } from './customer.js';
import { recordChargesFrom } from './operation.queries.js';
import type { ChangeCause, PaymentStatus } from '../money/state/payment-state.js';

/** The state that a payment is expected in, and its state afterwards; times in ISO 8601. */
interface StatusWrite {
  id: number;
  known_status: PaymentStatus;
  known_attempt: number;
  known_updated_at: string;
  status: PaymentStatus;
  updated_at: string;
  /** JSON text: a provider's metadata may have escapes that PostgreSQL accepts in `json`, but not inside other JSON. */
  provider_metadata: string;
  provider_transaction_id: string | null;
  /** Decimal text. */
  amount_authorized: string;
  amount_captured: string;
  amount_refunded: string;
  capture_before: string | null;
  /** JSON text; `null`: the payer has nothing to do. */
  next_action: string | null;
  /** The attempt whose outcome this is, `null` for none. */
  attempt: number | null;
  attempt_outcome: AttemptOutcome | null;
  decline_code: string | null;
  card: CardFacts | null;
  /** The outcome that counts for the shop, except a fault. */
  shop_outcome: Exclude<ShopOutcome, 'failed'> | null;
}

/** A step on the way to the new status. */
interface StepWrite {
  from_status: PaymentStatus;
  to_status: PaymentStatus;
  cause: ChangeCause;
  at: string;
  /** The body of its webhooks after `BODY_START`, without the id of the event. */
  body: string;
  /** Trace context of the span that writes it; `null`: it is not traced. */
  traceparent: string | null;
}

/** A change of status to write, with its steps in order. */
export interface Change {
  write: StatusWrite;
  steps: StepWrite[];
}

/** A payment that was written. */
export interface WrittenRow extends RecoveredShop {
  id: number;
  /** Lanes with a new due delivery of any of the payments, in the first row only. */
  lane_ids: number[];
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
  amount_authorized: 'numeric',
  amount_captured: 'numeric',
  amount_refunded: 'numeric',
  capture_before: 'timestamptz',
  next_action: 'text',
  attempt: 'smallint',
  attempt_outcome: 'text',
  decline_code: 'text',
  card: 'jsonb',
  shop_outcome: 'text',
};

const STEP: Fields<StepWrite> = {
  from_status: 'text',
  to_status: 'text',
  cause: 'text',
  at: 'timestamptz',
  body: 'text',
  traceparent: 'text',
};

/** A notification came before the transaction id that it is about. */
const HAS_EARLY_NOTIFICATION = `EXISTS (SELECT FROM provider_notifications n WHERE n.outcome = 'waiting' AND n.payment_id IS NULL
            AND n.shop_id = p.shop_id AND n.provider_transaction_id = i.provider_transaction_id)`;

/** No decision needs the payment's lock: the customer is not erased, and no notification waits. */
const NEEDS_NO_LOCK = `NOT p.has_waiting_notifications
          AND (i.provider_transaction_id IS NOT DISTINCT FROM p.provider_transaction_id OR NOT ${HAS_EARLY_NOTIFICATION})
          AND (SELECT c.erased_at FROM customers c WHERE c.id = p.customer_id) IS NULL`;

/** A payment passes one status on its way at most (`stepsTo`). */
const MAX_STEPS = 2;

/** Number of the first parameter of the changes. */
const FIRST = 3;
/** The id, if the change is one. */
const ID = `$${FIRST}`;
const FIRST_STEP = FIRST + Object.keys(WRITE).length;

const STEPS_OF_ONE = Array.from({ length: MAX_STEPS }, (_, index) => {
  const first = FIRST_STEP + index * Object.keys(STEP).length;
  return `(${[index, ...parametersOf(first, STEP)].join(', ')})`;
});

/** The parts in which the statements differ. */
interface Shape {
  /** CTEs: `input`, and `unlocked`, the payments that no other transaction has locked. */
  input: string;
  /** The payments that are written, as a condition on their id. */
  isUnlocked: string;
  /** Whether the known state is all that a decision needs. */
  isDecided: string;
  /** The condition that finds rows of the payments that were written by their payment's id. */
  isChanged: string;
  /** Rows `r` of steps, each with its payment `c` of `changed`, in order. */
  steps: string;
  /** Further CTEs. */
  further: string;
  /** The array, in each row or in the first one. */
  laneIds: string;
}

/** All but the body, of which PostgreSQL would copy 1 KB for each change: the body of the request contains it. */
const STEP_COLUMNS = [
  ...['position', 'from_status', 'to_status', 'cause', 'at', 'traceparent'],
  ...['payment_id', 'merchant_id', 'shop_id', 'event_position', 'lane_id', 'webhook_endpoint'],
];

/** PostgreSQL looks rows up by id, regardless of its estimate of a table's size. */
const isIn = (relation: string): string => `= ANY (ARRAY(SELECT id FROM ${relation}))`;
const unlocked = (condition: string): string =>
  `unlocked AS MATERIALIZED (SELECT id FROM payments WHERE id ${condition} FOR NO KEY UPDATE SKIP LOCKED)`;
const LANE_IDS = `ARRAY(SELECT DISTINCT d.lane_id FROM new_deliveries d WHERE d.is_active)`;

const MANY: Shape = {
  input: `input AS MATERIALIZED (SELECT * FROM ${recordsFrom(`$${FIRST}`, WRITE)}), ${unlocked(isIn('input'))}`,
  isUnlocked: isIn('unlocked'),
  isDecided: NEEDS_NO_LOCK,
  isChanged: isIn('changed'),
  steps: `${recordsFrom(`$${FIRST + 1}`, { written_id: 'bigint', position: 'integer', ...STEP })}
          JOIN changed c ON c.id = r.written_id ORDER BY r.position`,
  further: '',
  laneIds: `CASE WHEN row_number() OVER () = 1 THEN ${LANE_IDS} ELSE '{}' END`,
};

const ONE: Shape = {
  input: `input AS NOT MATERIALIZED (${recordFrom(FIRST, WRITE)}), ${unlocked(`= ${ID}`)}`,
  isUnlocked: '= (SELECT id FROM unlocked)',
  isDecided: NEEDS_NO_LOCK,
  isChanged: `= ${ID}`,
  steps: `changed c CROSS JOIN (VALUES ${STEPS_OF_ONE.join(', ')}) AS r (position, ${Object.keys(STEP).join(', ')})
          WHERE r.to_status IS NOT NULL`,
  further: '',
  laneIds: LANE_IDS,
};

const LOCKED: Shape = {
  ...ONE,
  input: `input AS NOT MATERIALIZED (${recordFrom(FIRST, WRITE)})`,
  isUnlocked: `= ${ID}`,
  isDecided: 'true',
  further: `erasures_rescheduled AS (
      ${repeatErasuresOf('SELECT customer_id FROM changed', String(ERASURE_REPEAT_MS))}
    ), `,
};

/**
 * The only text that writes a status: transaction 2 of payments. An optimistic compare-and-set; each payment at
 * most once. $1 and $2 `ShopOutcomesService.countingNow`: minute, cool-down before; then the changes.
 *
 * Returns the payments that had the known state. It skips changed rows and rows that another transaction has locked,
 * because a group waits for none of its members. Without the caller's lock it also skips payments of erased customers
 * and payments with waiting notifications. New data about an erased customer is redacted again later.
 *
 * Everything else reads the rows that the UPDATE returns, so it runs after their locks. Ids of deliveries and of
 * history therefore grow in the order of the changes. Positions do too, even if a transaction that was numbered first
 * had to wait.
 */
const writeStatuses = (shape: Shape): string => `WITH ${shape.input}, changed AS (
      UPDATE payments p SET status = i.status, updated_at = i.updated_at, provider_metadata = i.provider_metadata::json,
        provider_transaction_id = i.provider_transaction_id, next_action = i.next_action::json,
        amount_authorized = i.amount_authorized, amount_captured = i.amount_captured, amount_refunded = i.amount_refunded,
        capture_before = i.capture_before,
        event_position = greatest(${EVENT_POSITION}, p.event_position)
      FROM input i
      WHERE p.id ${shape.isUnlocked} AND p.id = i.id AND p.status = i.known_status
        AND p.attempt = i.known_attempt AND p.updated_at = i.known_updated_at AND ${shape.isDecided}
      RETURNING p.id, p.merchant_id, p.shop_id, p.customer_id, p.webhook_lane_id, p.webhook_endpoint, p.updated_at,
        p.provider_transaction_id, p.event_position, i.attempt, i.attempt_outcome, i.decline_code, i.card, i.shop_outcome
    ), ended AS (
      UPDATE payment_attempts a SET outcome = c.attempt_outcome, decline_code = c.decline_code, ended_at = c.updated_at,
        provider_transaction_id = c.provider_transaction_id, card = coalesce(c.card, a.card), ${IS_FIRST_OUTCOME}
      FROM changed c
      WHERE a.payment_id ${shape.isChanged} AND a.payment_id = c.id AND a.number = c.attempt
      RETURNING ${LOGGED_COLUMNS}
    ), ${logFirstOutcomesFrom('ended')}, ${recordChargesFrom('changed', shape.isChanged)}, ${shape.further}steps AS MATERIALIZED (
      SELECT ${STEP_COLUMNS.map((column) => `n.${column}`).join(', ')}, n.change_id, n.to_status AS payment_status,
        ${withEventIdOf('n.change_id', 'n.body')} AS request_body, '${WEBHOOK_EVENT}' AS event
      FROM (
        SELECT o.*, nextval('payment_status_changes_id_seq') AS change_id
        FROM (
          SELECT r.position, r.from_status, r.to_status, r.cause, r.at, r.body, r.traceparent, c.id AS payment_id,
            c.merchant_id, c.shop_id, c.event_position, c.webhook_lane_id AS lane_id, c.webhook_endpoint
          FROM ${shape.steps}
        ) o
      ) n
    ), history AS (
      INSERT INTO payment_status_changes (id, payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position)
      SELECT change_id, payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position FROM steps
    ), ${insertDeliveriesFrom('steps')},
    ${countSuccessesFrom('changed', '$1', shape !== MANY)}
    SELECT c.id, ${recoveredShopOf('c', '$2')} AS recovered_shop_id, ${shape.laneIds} AS lane_ids
    FROM changed c`;

/** $3 JSON array of `StatusWrite`, $4 JSON array of their `StepWrite`s, with `written_id` and `position`. */
export const WRITE_STATUSES: Statement = { name: 'payments.write_statuses', text: writeStatuses(MANY) };

/** The same for one payment, whose fields and steps are the parameters from $3 on: a third less time. */
export const WRITE_STATUS: Statement = { name: 'payments.write_status', text: writeStatuses(ONE) };

/** The same for a payment that the caller has locked, with everything decided that must be decided under the lock. */
export const WRITE_LOCKED_STATUS: Statement = { name: 'payments.write_locked_status', text: writeStatuses(LOCKED) };

/** The values of {@link WRITE_STATUS} and {@link WRITE_LOCKED_STATUS} from $3 on. */
export function valuesOfChange({ write, steps }: Change): unknown[] {
  if (steps.length > MAX_STEPS) throw new Error(`payment ${write.id} takes ${steps.length} steps`);
  const stepValues = Array.from({ length: MAX_STEPS }, (_, index) => valuesOf(steps[index] ?? null, STEP));
  return [...valuesOf(write, WRITE), ...stepValues.flat()];
}

/** The values of {@link WRITE_STATUSES} from $3 on. */
export function valuesOfChanges(changes: Change[]): unknown[] {
  const steps = changes.flatMap(({ write, steps }) => steps.map((step) => ({ written_id: write.id, ...step })));
  return [
    JSON.stringify(changes.map(({ write }) => write)),
    JSON.stringify(steps.map((step, position) => ({ position, ...step }))),
  ];
}
