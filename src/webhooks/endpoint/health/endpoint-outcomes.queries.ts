import type { Statement } from '../../../platform/database/database.js';
import { addTo } from '../../../platform/counters/counter.js';
import { LAZY_COMMIT } from '../../../platform/database/writes.js';
import { SHOPS } from '../../../shared/relations.js';
import { DELIVERIES_BY_MINUTE, ENDPOINT_ANSWERS, ENDPOINT_ERRORS } from './endpoint-counters.js';

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

const HOUR = `date_trunc('hour', statement_timestamp(), 'UTC')`;

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
      ${addTo(ENDPOINT_ANSWERS, { columns: { hour: HOUR }, from: 'FROM outcomes ORDER BY lane_id' })}
    ), errors AS (
      ${addTo(ENDPOINT_ERRORS, {
        columns: { hour: HOUR },
        from: `FROM json_to_recordset($2) AS e (lane_id bigint, code text, attempts int, last_at timestamptz,
          last_delivery_id bigint, last_message text) ORDER BY lane_id, code`,
      })}
    )
    ${addTo(DELIVERIES_BY_MINUTE, {
      columns: {
        minute: `date_trunc('minute', statement_timestamp(), 'UTC')`,
        ...{ delivered: 'sum(delivered)', retried: 'sum(attempts - delivered - failed)', failed: 'sum(failed)' },
      },
      from: 'FROM outcomes',
      isGrouped: true,
    })}`,
};
