import type { Statement } from '../../platform/database/database.js';
import type { AttemptOutcome } from './attempt.js';

export interface AttemptRow {
  number: number;
  shop_id: number;
  shop_name: string;
  provider: string;
  provider_transaction_id: string | null;
  /** `null`: started, and no answer recorded. */
  outcome: AttemptOutcome | null;
  decline_code: string | null;
  started_at: Date;
  ended_at: Date | null;
}

/** $1 payment. */
export const LIST_ATTEMPTS: Statement = {
  name: 'attempts.list',
  text: `SELECT a.number, a.shop_id, s.name AS shop_name, a.provider, a.provider_transaction_id, a.outcome, a.decline_code,
      a.started_at, a.ended_at
    FROM payment_attempts a JOIN shops s ON s.id = a.shop_id WHERE a.payment_id = $1 ORDER BY a.number`,
};

/**
 * $1 payment, $2 number, $3 outcome, $4 decline code, $5 the provider's transaction id where it gave one, $6 ended at.
 * No row comes back when as much or more was known before.
 */
export const END_ATTEMPT: Statement = {
  name: 'attempts.end',
  text: `UPDATE payment_attempts SET outcome = $3, decline_code = $4, ended_at = $6,
      provider_transaction_id = coalesce($5, provider_transaction_id)
    WHERE payment_id = $1 AND number = $2
      AND (outcome IS NULL OR (outcome IN ('processing', 'unknown') AND $3 NOT IN (outcome, 'unknown')))
    RETURNING number`,
};

/**
 * Ends an attempt, begins the next one and makes the payment follow it: $1 payment, $2 number of the attempt that ends,
 * $3 its outcome, $4 its decline code, $5 now; of the next one $6 shop, $7 provider, $8 transaction id, $9 webhook lane;
 * $10 the payment's updated_at.
 */
export const NEXT_ATTEMPT: Statement = {
  name: 'attempts.next',
  text: `WITH ended AS (
      UPDATE payment_attempts SET outcome = $3, decline_code = $4, ended_at = $5 WHERE payment_id = $1 AND number = $2
    ), begun AS (
      INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, started_at)
      VALUES ($1, $2::smallint + 1, $6, $7, $8, $5)
    )
    UPDATE payments SET attempt = $2::smallint + 1, shop_id = $6, payment_provider = $7, provider_transaction_id = $8,
      webhook_lane_id = $9, updated_at = $10
    WHERE id = $1`,
};
