import type { Statement } from '../../platform/database/database.js';
import type { DueSubject } from '../../platform/due-work/due-work-sql.js';
import type { CardFacts } from '../../shared/payment-method.js';
import type { AttemptOutcome } from '../money/state/attempt.js';
import { addOperationWorkFrom } from './open-operation.queries.js';
import { recordChargesFrom } from './operation.queries.js';
import { SHOPS } from '../../shared/relations.js';

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
