import type { Statement } from '../../platform/database/database.js';
import { countSuccessesFrom } from '../../shops/shop-outcomes-sql.js';
import type { ShopOutcome } from '../../shops/shop-outcomes.service.js';
import { WEBHOOK_EVENT } from '../../webhooks/outbox/webhook-body.js';
import { EVENT_POSITION, insertDeliveriesFrom } from '../../webhooks/outbox/outbox-sql.js';
import type { AttemptOutcome } from './attempt.js';
import { settleChargesFrom } from './operation.queries.js';
import type { ChangeCause, PaymentStatus } from './payment-state.js';

/** What a payment is taken to be, and what it becomes; times in ISO 8601. */
export interface StatusWrite {
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
  /** Written although the customer was erased or notifications wait: the caller has looked under the payment's lock. */
  is_locked: boolean;
  /** The attempt whose outcome this is, `null` for none. */
  attempt: number | null;
  attempt_outcome: AttemptOutcome | null;
  decline_code: string | null;
  /** What it says of the shop, where that is no fault. */
  shop_outcome: Exclude<ShopOutcome, 'failed'> | null;
}

/** A step on the way to the new status, `position` in the order of the steps. */
export interface StepWrite {
  payment_id: number;
  position: number;
  from_status: PaymentStatus;
  to_status: PaymentStatus;
  cause: ChangeCause;
  at: string;
  /** The webhook's body; `null`: no webhook. */
  request_body: string | null;
  /** Of the span that writes it; absent: it is not traced. */
  traceparent: string | undefined;
}

/** A notification came before the transaction id that it is about. */
const IS_AWAITED = `EXISTS (SELECT FROM provider_notifications n WHERE n.outcome = 'waiting' AND n.payment_id IS NULL
            AND n.shop_id = p.shop_id AND n.provider_transaction_id = i.provider_transaction_id)`;

/**
 * The one statement that writes a status: transaction 2 of many payments, or of one that the caller has locked. An
 * optimistic compare-and-set: $1 JSON array of `StatusWrite`, no payment twice, $2 JSON array of their `StepWrite`s, $3–$5
 * `ShopOutcomesService.countingNow`: minute, now, cool-down before, $6 in how many ms what is new about an erased customer
 * is blanked.
 * Answers the ids of those that were as known, the customer not erased since and no notification waiting for the change; of
 * the others, and of those that somebody else has locked, nothing is written: a group waits for none of its members. All else is read off the rows that the
 * UPDATE returns, and so comes after their locks: ids of deliveries and of history grow in the order of the changes, and so
 * do positions, also where a transaction that was numbered first had to wait.
 * `= ANY (ARRAY(…))`: whatever the planner thinks of the table's size, it looks the rows up by id.
 */
export const WRITE_STATUSES: Statement = {
  name: 'payments.write_statuses',
  text: `WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS i (id bigint, known_status text, known_attempt smallint,
        known_updated_at timestamptz, status text, updated_at timestamptz, provider_metadata text,
        provider_transaction_id text, next_action text, is_locked boolean, attempt smallint, attempt_outcome text,
        decline_code text, shop_outcome text)
    ), unlocked AS MATERIALIZED (
      SELECT id FROM payments WHERE id = ANY (ARRAY(SELECT id FROM input)) FOR NO KEY UPDATE SKIP LOCKED
    ), changed AS (
      UPDATE payments p SET status = i.status, updated_at = i.updated_at, provider_metadata = i.provider_metadata::json,
        provider_transaction_id = i.provider_transaction_id, next_action = i.next_action::json,
        event_position = greatest(${EVENT_POSITION}, p.event_position)
      FROM input i
      WHERE p.id = ANY (ARRAY(SELECT id FROM unlocked)) AND p.id = i.id AND p.status = i.known_status
        AND p.attempt = i.known_attempt AND p.updated_at = i.known_updated_at
        AND (i.is_locked OR (NOT p.has_waiting_notifications
          AND (i.provider_transaction_id IS NOT DISTINCT FROM p.provider_transaction_id OR NOT ${IS_AWAITED})
          AND (SELECT c.erased_at FROM customers c WHERE c.id = p.customer_id) IS NULL))
      RETURNING p.id, p.merchant_id, p.shop_id, CASE WHEN i.is_locked THEN p.customer_id END AS locked_customer_id, p.webhook_lane_id, p.webhook_endpoint, p.updated_at,
        p.provider_transaction_id, p.event_position, i.attempt, i.attempt_outcome, i.decline_code, i.shop_outcome
    ), ended AS (
      UPDATE payment_attempts a SET outcome = c.attempt_outcome, decline_code = c.decline_code, ended_at = c.updated_at,
        provider_transaction_id = c.provider_transaction_id
      FROM changed c
      WHERE a.payment_id = ANY (ARRAY(SELECT id FROM changed)) AND a.payment_id = c.id AND a.number = c.attempt
    ), ${settleChargesFrom('changed')}, reopened AS (
      UPDATE customers SET erasure_due_at = now() + $6 * interval '1 ms'
      WHERE id = ANY (ARRAY(SELECT locked_customer_id FROM changed)) AND erased_at IS NOT NULL
    ), steps AS MATERIALIZED (
      SELECT s.*, c.merchant_id, c.shop_id, c.event_position, c.webhook_lane_id AS lane_id, c.webhook_endpoint, s.to_status AS payment_status,
        '${WEBHOOK_EVENT}' AS event
      FROM json_to_recordset($2) AS s (payment_id bigint, position integer, from_status text, to_status text, cause text,
        at timestamptz, request_body text, traceparent text)
      JOIN changed c ON c.id = s.payment_id
    ), history AS (
      INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position)
      SELECT payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position FROM steps ORDER BY position
    ), ${insertDeliveriesFrom('(SELECT * FROM steps WHERE request_body IS NOT NULL)', 'n.traceparent')}, ${countSuccessesFrom('changed', { minute: '$3::timestamptz', now: '$4', coolDownBefore: '$5' })}
    SELECT id FROM changed`,
};
