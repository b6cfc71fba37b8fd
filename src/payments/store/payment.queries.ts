import type { Statement } from '../../platform/database/database.js';
import { PAYMENT_COLUMNS } from '../../webhooks/outbox/webhook-body.js';
import { EVENT_POSITION, insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';
import { amountsChangedFrom } from './event-sql.js';
import { CUSTOMER_COLUMNS } from './customer.js';
import type { ChangeCause, PaymentStatus } from '../money/state/payment-state.js';
import { SHOPS } from '../../shared/relations.js';
import type { DueSubject } from '../../platform/due-work/due-work-sql.js';
import type { CardFacts } from '../../shared/payment-method.js';
import type { AttemptOutcome } from '../money/state/attempt.js';
import { addOperationWorkFrom } from './open-operation.queries.js';
import { recordChargesFrom } from './operation.queries.js';

export interface StatusChangeRow {
  id: number;
  from_status: PaymentStatus;
  to_status: PaymentStatus;
  cause: ChangeCause;
  at: Date;
}

const COLUMNS = `${PAYMENT_COLUMNS.map((column) => `p.${column}`).join(', ')}, s.name AS shop_name,
  p.merchant_id, p.shop_id, p.webhook_endpoint, p.webhook_lane_id, p.metadata, p.provider_metadata, p.attempt, p.max_attempts,
  p.fallback_shop_ids, p.capture, p.payment_method, p.initiator, p.agreement, p.capture_before, p.next_action, p.return_url, p.charged_after_end, p.has_waiting_notifications, p.traceparent,
  (SELECT row_to_json(r) FROM (SELECT c.id, c.erased_at, ${CUSTOMER_COLUMNS.map((column) => `c.${column}`).join(', ')} WHERE c.id IS NOT NULL) r) AS customer`;

const JOINS = `JOIN ${SHOPS} s ON s.id = p.shop_id LEFT JOIN customers c ON c.id = p.customer_id`;

/** A refund of a process without refund objects has only its operation. */
const IS_REFUND_PENDING = `p.status = 'completed' AND (
    EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.status = 'pending')
    OR EXISTS (SELECT FROM provider_operations o
      WHERE o.payment_id = p.id AND o.kind = 'refund' AND o.state IN ('open', 'pending', 'unknown'))) AS is_refund_pending`;

const IS_CAPTURE_PENDING = `p.capture = 'manual' AND EXISTS (SELECT FROM provider_operations o
    WHERE o.payment_id = p.id AND o.kind = 'capture' AND o.state IN ('open', 'pending', 'unknown')) AS is_capture_pending`;

/** Money that disputes have taken back or may still take. */
const DISPUTED_AMOUNT = `(SELECT coalesce(sum(d.amount), 0) FROM disputes d WHERE d.payment_id = p.id
    AND d.kind <> 'inquiry' AND d.status <> 'won' AND d.currency = p.currency) AS disputed_amount`;

/** When the payment became completed for the first time. */
const CAPTURED_AT = `(SELECT min(h.at) FROM payment_status_changes h
    WHERE h.payment_id = p.id AND h.to_status = 'completed' AND h.from_status <> 'completed') AS captured_at`;

/** `PaymentRow`s of payments `p`, to be shown; `from` is a table or a query in brackets. */
export const selectPayments = (from: string): string =>
  `SELECT ${COLUMNS}, ${IS_REFUND_PENDING}, ${IS_CAPTURE_PENDING}, ${DISPUTED_AMOUNT}, ${CAPTURED_AT} FROM ${from} p ${JOINS}`;

/** The payments $1, of any merchants. */
export const FIND_PAYMENTS: Statement = {
  name: 'payments.find',
  text: `${selectPayments('payments')} WHERE p.id = ANY ($1::bigint[])`,
};

/**
 * Locks the payment $1. Every change of status holds this lock from its decision to its commit, so racing changes have
 * one winner. The row is locked before the join: a payment that moves to another shop during the wait would no longer
 * match the joined shop, and would not be found.
 */
export const LOCK_PAYMENT: Statement = {
  name: 'payments.lock',
  text: `SELECT ${COLUMNS} FROM (SELECT * FROM payments WHERE id = $1 FOR UPDATE) p ${JOINS}`,
};

/**
 * Keeps a late answer without a change of status: $1 payment, $2 attempt, $3 transaction id, null: none, $4 the
 * payment's provider metadata, $5 the payer's next action, $6 the provider's facts about the card. For an attempt that the
 * payment has left, only the id and the facts are kept.
 */
export const KEEP_LATE_ANSWER: Statement = {
  name: 'payments.keep_late_answer',
  text: `WITH of_attempt AS (
      UPDATE payment_attempts SET provider_transaction_id = coalesce(provider_transaction_id, $3), card = coalesce($6, card)
      WHERE payment_id = $1 AND number = $2
        AND ((provider_transaction_id IS NULL AND $3::text IS NOT NULL) OR $6::jsonb IS NOT NULL)
    )
    UPDATE payments SET provider_transaction_id = coalesce(provider_transaction_id, $3), provider_metadata = $4,
      next_action = $5
    WHERE id = $1 AND attempt = $2`,
};

/**
 * Keeps an authorisation without a change of status, with its event: $1 payment, locked in the transaction, $2 amount, $3
 * when it ends, $4 updated at.
 */
export const KEEP_AUTHORIZATION: Statement = {
  name: 'payments.keep_authorization',
  text: `WITH before AS MATERIALIZED (SELECT id, amount_authorized FROM payments WHERE id = $1), kept AS (
      UPDATE payments p SET amount_authorized = $2, capture_before = $3, updated_at = $4, next_action = NULL,
        event_position = greatest(${EVENT_POSITION}, p.event_position)
      FROM before b WHERE p.id = b.id
      RETURNING p.*, b.amount_authorized AS was_authorized, p.amount_refunded AS was_refunded
    ), ${insertEvents(['shop_id', 'payment_id'], amountsChangedFrom('kept', { cause: `'authorized'`, refundId: 'NULL::bigint' }))}
    SELECT id FROM new_events`,
};

/** The decision of the payment $1, as it was stored. */
export const FIND_DECISION: Statement = {
  name: 'payments.find_decision',
  text: 'SELECT decision FROM payments WHERE id = $1',
};

/** Changes of status of the payment $1, in order. */
export const LIST_STATUS_CHANGES: Statement = {
  name: 'payments.list_status_changes',
  text: 'SELECT id, from_status, to_status, cause, at FROM payment_status_changes WHERE payment_id = $1 ORDER BY id',
};

/** Adds an entry to the history without a change of status: $1 payment, $2 status now, $3 cause, $4 at. */
export const NOTE_IN_HISTORY: Statement = {
  name: 'operations.note_in_history',
  text: `INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at) VALUES ($1, $2, $2, $3, $4)`,
};

/**
 * Marks a payment as charged after its end, with its event: $1 payment, locked in the transaction, $2 the attempt that was
 * charged, $3 its provider, $4 the charged amount, null: the payment's. Returns no row if it was marked before.
 */
export const MARK_CHARGED_AFTER_END: Statement = {
  name: 'operations.mark_charged_after_end',
  text: `WITH marked AS (
      UPDATE payments p SET charged_after_end = true, event_position = greatest(${EVENT_POSITION}, p.event_position)
      WHERE p.id = $1 AND NOT p.charged_after_end RETURNING p.*
    ), ${insertEvents(
      ['shop_id', 'payment_id'],
      `SELECT m.event_position, m.merchant_id, coalesce(a.shop_id, m.shop_id), m.id, 'payment.late_charge',
          json_build_object('payment_id', m.id, 'status', m.status, 'attempt', $2::integer, 'provider', $3::text,
            'amount', trim_scale(coalesce($4::numeric, m.amount)), 'currency', m.currency)
        FROM marked m LEFT JOIN payment_attempts a ON a.payment_id = m.id AND a.number = $2::integer`,
    )}
    SELECT payment_id FROM new_events`,
};

/**
 * Locks expired payments, the longest expired first, except those that are being voided: $1 now, $2 expired since, $3
 * limit. `is_uncharged`: certainly not charged. Locked rows are skipped, so parallel workers get different payments. $2
 * avoids reading index entries of payments that ended long ago, which remain while an old snapshot is open.
 */
export const LOCK_EXPIRED: Statement = {
  name: 'payments.lock_expired',
  text: `SELECT ${COLUMNS}, (
      SELECT o.state = 'refused' FROM provider_operations o
      WHERE o.payment_id = p.id AND o.attempt = p.attempt AND o.kind = 'charge' ORDER BY o.id DESC LIMIT 1
    ) IS TRUE AS is_uncharged FROM (
      SELECT * FROM payments WHERE status = 'pending' AND expires_at <= $1 AND expires_at >= $2
        AND (SELECT count(*) FROM provider_operations o
          WHERE o.payment_id = payments.id AND o.attempt = payments.attempt AND o.kind = 'void' AND o.state <> 'refused') = 0
      ORDER BY expires_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED
    ) p ${JOINS}`,
};

export const LOOK_UP_KIND = 'look_up';
/** The look-up of an attempt: its payment is the subject, its number the part. */
export const LOOK_UP_WORK = (id: string, part: string): DueSubject => ({ kind: LOOK_UP_KIND, id, part });

export interface AttemptRow {
  number: number;
  shop_id: number;
  shop_name: string;
  provider: string;
  provider_transaction_id: string | null;
  /** `null`: started, and no answer recorded. */
  outcome: AttemptOutcome | null;
  decline_code: string | null;
  card: CardFacts | null;
  started_at: Date;
  ended_at: Date | null;
}

/** Attempts of the payment $1, in order. */
export const LIST_ATTEMPTS: Statement = {
  name: 'attempts.list',
  text: `SELECT a.number, a.shop_id, s.name AS shop_name, a.provider, a.provider_transaction_id, a.outcome, a.decline_code,
      a.card, a.started_at, a.ended_at
    FROM payment_attempts a JOIN ${SHOPS} s ON s.id = a.shop_id WHERE a.payment_id = $1 ORDER BY a.number`,
};

/** The attempt and its payment: $1 our reference, $2 provider. */
export const FIND_BY_REFERENCE: Statement = {
  name: 'attempts.find_by_reference',
  text: `SELECT a.payment_id, a.number AS attempt, a.shop_id, a.provider, a.provider_transaction_id, a.reference, p.merchant_id,
      p.amount, p.currency, p.capture
    FROM payment_attempts a JOIN payments p ON p.id = a.payment_id WHERE a.reference = $1 AND a.provider = $2`,
};

/**
 * Ends an attempt and records its outcome with the charge's operation, which stays approved once it was. $1 payment, $2
 * number, $3 outcome, $4 decline code, $5 the provider's transaction id if it gave one, $6 ended at, $7 card. Returns no row
 * when the known outcome of the attempt was as definite or more definite.
 */
export const END_ATTEMPT: Statement = {
  name: 'attempts.end',
  text: `WITH ending AS (
      SELECT payment_id AS id, number AS attempt, CASE outcome WHEN 'approved' THEN outcome ELSE $3::text END AS attempt_outcome,
        CASE outcome WHEN 'approved' THEN decline_code ELSE $4::text END AS decline_code,
        coalesce($5::text, provider_transaction_id) AS provider_transaction_id, $6::timestamptz AS updated_at
      FROM payment_attempts WHERE payment_id = $1 AND number = $2
    ), ${recordChargesFrom('ending')}
    UPDATE payment_attempts SET outcome = $3, decline_code = $4, ended_at = $6,
      provider_transaction_id = coalesce($5, provider_transaction_id), card = coalesce($7, card)
    WHERE payment_id = $1 AND number = $2
      AND (outcome IS NULL OR (outcome IN ('processing', 'unknown') AND $3 NOT IN (outcome, 'unknown')))
    RETURNING number`,
};

/**
 * Ends an attempt, begins the next one with the operation of its charge, and moves the payment to it. $1 payment, $2
 * number of the attempt that ends, $3 its outcome, $4 its decline code, $5 now. For the next attempt: $6 shop, $7
 * provider, $8 transaction id, $9 webhook lane, $10 the payment's updated_at, $11 reference, $12 idempotency key, $13
 * encrypted payment token, $14 in how many ms recovery may claim the charge, $15 card of the attempt that ends.
 */
export const NEXT_ATTEMPT: Statement = {
  name: 'attempts.next',
  text: `WITH ending AS (
      SELECT $1::bigint AS id, $2::smallint AS attempt, $3::text AS attempt_outcome, $4::text AS decline_code,
        NULL::text AS provider_transaction_id, $5::timestamptz AS updated_at
    ), ${recordChargesFrom('ending')}, ended AS (
      UPDATE payment_attempts SET outcome = $3, decline_code = $4, ended_at = $5, card = coalesce($15, card)
      WHERE payment_id = $1 AND number = $2
    ), begun AS (
      INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, started_at, reference)
      VALUES ($1, $2::smallint + 1, $6, $7, $8, $5, $11)
    ), charge_opened AS (
      INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
        amount, currency, state, sealed_payment_token)
      SELECT merchant_id, $6, id, $2::smallint + 1, 'charge', 'payment', $12, $11, amount, currency, 'open', $13
      FROM payments WHERE id = $1 RETURNING payment_id, id, merchant_id
    ), ${addOperationWorkFrom('charge_opened', '$14::float8')}
    UPDATE payments SET attempt = $2::smallint + 1, shop_id = $6, payment_provider = $7, provider_transaction_id = $8,
      webhook_lane_id = $9, updated_at = $10
    WHERE id = $1`,
};
