import type { Statement } from '../../platform/database/database.js';
import { isoTime } from '../../platform/database/iso-time.js';
import { EVENT_POSITION } from '../../webhooks/outbox/outbox-sql.js';
import type { OperationRow } from '../ledger/operation.js';
import { ATTEMPT, ATTEMPT_OF } from '../ledger/operation.queries.js';

/** Open operations whose outcome is unknown or that were stopped; the predicate of `provider_operations_maybe_stuck`. */
const MAY_BE_STUCK = `stuck_at IS NULL AND (state = 'unknown'
        OR (state = 'open' AND kind <> 'charge') OR (state IN ('open', 'pending') AND next_try_at IS NULL))`;

/** A reported operation; `is_stopped`: no worker tries it. */
export type StuckOperation = Pick<OperationRow, 'payment_id' | 'id' | 'kind'> & { is_stopped: boolean };

/**
 * Reports operations that were stopped, or that have had no known outcome for $1 ms, each once, at most $2. Parallel
 * workers get different rows. Returns what was reported.
 */
export const REPORT_STUCK: Statement = {
  name: 'operations.report_stuck',
  text: `WITH stuck AS MATERIALIZED (
      SELECT payment_id, id FROM provider_operations
      WHERE ${MAY_BE_STUCK} AND (next_try_at IS NULL OR created_at < clock_timestamp() - $1 * interval '1 ms')
      ORDER BY created_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
    ), marked AS (
      UPDATE provider_operations o SET stuck_at = clock_timestamp()
      WHERE o.payment_id = ANY (ARRAY(SELECT payment_id FROM stuck)) AND o.id = ANY (ARRAY(SELECT id FROM stuck))
      RETURNING o.*
    ), reported AS (
      INSERT INTO webhook_events (event_position, merchant_id, shop_id, payment_id, type, data)
      SELECT ${EVENT_POSITION}, o.merchant_id, o.shop_id, o.payment_id, 'operation.stuck',
        json_build_object('payment_id', o.payment_id, 'operation_id', o.id, 'kind', o.kind, 'attempt', ${ATTEMPT_OF},
          'provider', a.provider, 'amount', trim_scale(o.amount), 'currency', o.currency,
          'is_stopped', o.next_try_at IS NULL, 'tries', o.tries, 'last_answer', o.last_answer,
          'created_at', ${isoTime('o.created_at')})
      FROM marked o ${ATTEMPT}
    )
    SELECT payment_id, id, kind, next_try_at IS NULL AS is_stopped FROM marked`,
};
