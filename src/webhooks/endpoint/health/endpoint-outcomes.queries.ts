import type { Statement } from '../../../platform/database/database.js';
import { LAZY_COMMIT } from '../../../platform/database/writes.js';
import { SHOPS } from '../../../shared/relations.js';

/** Counts of one endpoint since the last write, the input of `ADD_OUTCOMES`. */
export interface OutcomesRow {
  lane_id: number;
  attempts: number;
  /** Finished deliveries: successful, and failed for good. */
  delivered: number;
  failed: number;
  /** Counts by the classes of answer-times.ts, up to the class of the slowest answer. */
  answer_times: number[];
}

/** Failed attempts of one endpoint with the same code. */
export interface ErrorsRow {
  lane_id: number;
  /** Error code if there was no answer, otherwise the status of the answer. */
  code: string;
  attempts: number;
  /** ISO 8601. */
  last_at: string;
  last_delivery_id: number;
  /** One sentence about the latest of these attempts. */
  last_message: string | null;
}

const START_OF = (unit: 'hour' | 'minute'): string => `date_trunc('${unit}', statement_timestamp(), 'UTC')`;

/** Sum of two lists, position by position. The lists may have different lengths. */
const SUM_OF_TIMES = `ARRAY(SELECT coalesce(one, 0) + coalesce(other, 0)
          FROM unnest(h.answer_times, excluded.answer_times) WITH ORDINALITY AS t (one, other, place) ORDER BY place)`;

/**
 * Adds to the current hour and minute: $1 rows of `OutcomesRow`, $2 rows of `ErrorsRow`, both JSON. Workers write the same
 * rows, so each writes them in the order of their keys. A lane also gets the time of its first success. The commit is not flushed to disk: a crash of the worker may lose
 * these counts anyway.
 */
export const ADD_OUTCOMES: Statement = {
  name: 'webhooks.add_outcomes',
  text: `WITH ${LAZY_COMMIT}, outcomes AS MATERIALIZED (
      SELECT o.*, s.merchant_id
      FROM lazy, json_to_recordset($1) AS o (lane_id bigint, attempts int, delivered int, failed int, answer_times int[])
      CROSS JOIN LATERAL (
        SELECT coalesce(l.merchant_id, s.merchant_id) AS merchant_id
        FROM webhook_lanes l LEFT JOIN ${SHOPS} s ON s.id = l.shop_id WHERE l.id = o.lane_id OFFSET 0) s
    ), first_answers AS (
      UPDATE webhook_lanes SET answered_at = statement_timestamp() WHERE id = ANY (ARRAY(
        SELECT l.id FROM webhook_lanes l WHERE l.id = ANY (ARRAY(SELECT lane_id FROM outcomes WHERE delivered > 0))
          AND l.answered_at IS NULL FOR UPDATE SKIP LOCKED))
    ), hours AS (
      INSERT INTO endpoint_hours AS h (lane_id, hour, attempts, delivered, failed, answer_times)
      SELECT lane_id, ${START_OF('hour')}, attempts, delivered, failed, answer_times FROM outcomes ORDER BY lane_id
      ON CONFLICT (lane_id, hour) DO UPDATE SET attempts = h.attempts + excluded.attempts,
        delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed, answer_times = ${SUM_OF_TIMES}
    ), errors AS (
      INSERT INTO endpoint_errors AS h (lane_id, hour, code, attempts, last_at, last_delivery_id, last_message)
      SELECT lane_id, ${START_OF('hour')}, code, attempts, last_at, last_delivery_id, last_message
      FROM json_to_recordset($2) AS e (lane_id bigint, code text, attempts int, last_at timestamptz, last_delivery_id bigint,
        last_message text)
      ORDER BY lane_id, code
      ON CONFLICT (lane_id, hour, code) DO UPDATE SET attempts = h.attempts + excluded.attempts,
        last_at = greatest(h.last_at, excluded.last_at),
        last_delivery_id = CASE WHEN excluded.last_at >= h.last_at THEN excluded.last_delivery_id ELSE h.last_delivery_id END,
        last_message = CASE WHEN excluded.last_at >= h.last_at THEN excluded.last_message ELSE h.last_message END
    )
    INSERT INTO delivery_minutes AS h (merchant_id, minute, delivered, retried, failed)
    SELECT merchant_id, ${START_OF('minute')}, sum(delivered), sum(attempts - delivered - failed), sum(failed)
    FROM outcomes GROUP BY merchant_id ORDER BY merchant_id
    ON CONFLICT (merchant_id, minute) DO UPDATE SET delivered = h.delivered + excluded.delivered,
      retried = h.retried + excluded.retried, failed = h.failed + excluded.failed`,
};

const prune = (table: string, time: string): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${time} < $1 LIMIT $2)) RETURNING 1`;

/** Deletes rows from before $1, at most $2 per table. Returns their number, and the largest number in one table. */
export const PRUNE_OUTCOMES: Statement = {
  name: 'webhooks.prune_outcomes',
  text: `WITH hours AS (${prune('endpoint_hours', 'hour')}), errors AS (${prune('endpoint_errors', 'hour')}),
      minutes AS (${prune('delivery_minutes', 'minute')}),
      counts AS (
        SELECT (SELECT count(*) FROM hours) AS hours, (SELECT count(*) FROM errors) AS errors,
          (SELECT count(*) FROM minutes) AS minutes)
    SELECT (hours + errors + minutes)::integer AS rows, greatest(hours, errors, minutes)::integer AS most FROM counts`,
};
