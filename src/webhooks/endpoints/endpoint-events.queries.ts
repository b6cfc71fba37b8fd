import type { Statement } from '../../platform/database/database.js';
import { EVENT_POSITION } from '../outbox/outbox-sql.js';

/** What a delivery's first attempt fails by may be its own affair; the second one comes 10 seconds later. */
const LONELY_ATTEMPTS = 1;

/** Scheme, host and port: path and query may name a customer, and events outlive an erasure. */
const ORIGIN = `coalesce(substring(webhook_endpoint FROM '^[A-Za-z]+://[^/?#]+'), '')`;

/** As JavaScript writes a time. */
const iso = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * CTEs that tell what attempts came to, in the statement that records them, so that it is told exactly once. From `gone`,
 * deliveries that have ended, and `recorded`, attempts.
 * - Few rows, or none: a lane is marked once, when a delivery has failed again, and the first 2xx takes the mark away.
 *   Marks are locked in the order of the lanes, and new ones come after all that were removed.
 * - A 2xx that does not see a mark made at the same moment leaves it to the next one; `ANNOUNCE_FAILING` looks again.
 * - `marked` and `recovered` hold each change of an endpoint once, however many workers record at the same moment.
 * - `greatest`: whoever was announced as failing recovers after that, whichever transaction was numbered first.
 */
export const endpointEventsOf = (gone: string, recorded: string): string => `answering AS MATERIALIZED (
      SELECT f.lane_id FROM failing_endpoints f
      WHERE f.lane_id = ANY (ARRAY(SELECT lane_id FROM ${gone} WHERE outcome = 'delivered'))
      ORDER BY f.lane_id FOR UPDATE
    ), recovered AS (
      DELETE FROM failing_endpoints f WHERE f.lane_id = ANY (ARRAY(SELECT lane_id FROM answering)) RETURNING f.*
    ), marked AS (
      INSERT INTO failing_endpoints (lane_id, merchant_id, shop_id, origin, failing_since, last_status_code, last_error)
      SELECT DISTINCT ON (r.lane_id) r.lane_id, r.merchant_id, r.shop_id, ${ORIGIN}, r.started_at, r.status_code, r.error
      FROM ${recorded} r
      WHERE r.outcome <> 'delivered' AND (r.number > ${LONELY_ATTEMPTS} OR r.outcome = 'failed')
        AND NOT EXISTS (SELECT FROM failing_endpoints f WHERE f.lane_id = r.lane_id)
        AND r.lane_id <> ALL (ARRAY(SELECT lane_id FROM ${gone} WHERE outcome = 'delivered'))
        AND (SELECT count(*) FROM recovered) >= 0
      ORDER BY r.lane_id, r.started_at
      ON CONFLICT DO NOTHING RETURNING lane_id, shop_id, origin, last_status_code, last_error
    ), told AS (
      INSERT INTO webhook_events (event_position, merchant_id, shop_id, payment_id, type, data)
      SELECT ${EVENT_POSITION}, merchant_id, shop_id, payment_id, 'delivery.failed', json_build_object(
          'delivery_id', id, 'event', event, 'payment_status', payment_status, 'webhook_endpoint', ${ORIGIN},
          'attempts', number, 'last_status_code', status_code, 'last_error', error)
      FROM ${gone} WHERE outcome = 'failed'
      UNION ALL
      SELECT greatest(${EVENT_POSITION}, event_position), merchant_id, shop_id, NULL, 'endpoint.recovered',
        json_build_object('webhook_endpoint', origin, 'failing_since', ${iso('failing_since')},
          'recovered_at', ${iso('statement_timestamp()')})
      FROM recovered WHERE announced_at IS NOT NULL
    )`;

/** Of the latest deliveries of a shop, and of those that a lane tries again, how many are looked at. */
const LOOK_BACK = 200;

const latestOf = (status: 'delivered' | 'failed'): string => `(
          SELECT d.lane_id, d.delivered_at, d.last_attempt_at FROM webhook_deliveries d
          WHERE d.shop_id = f.shop_id AND d.status = '${status}'
          ORDER BY d.shop_id DESC, d.status DESC, d.id DESC LIMIT ${LOOK_BACK})`;

/**
 * Announces endpoints that have given no 2xx for $1 ms, $2 of them at most. Where a delivery arrived since the mark was
 * made, by a statement that did not see it, only if something failed after that.
 */
export const ANNOUNCE_FAILING: Statement = {
  name: 'webhooks.announce_failing',
  text: `WITH overdue AS MATERIALIZED (
      SELECT f.lane_id FROM failing_endpoints f
      CROSS JOIN LATERAL (
        SELECT max(d.delivered_at) AS at FROM ${latestOf('delivered')} d WHERE d.lane_id = f.lane_id
      ) arrived
      WHERE f.announced_at IS NULL AND f.failing_since < statement_timestamp() - $1 * interval '1 ms'
        AND (arrived.at IS NULL OR arrived.at < f.failing_since
          OR EXISTS (SELECT FROM (
            SELECT p.last_attempt_at FROM pending_deliveries p
            WHERE p.lane_id = f.lane_id AND p.attempts > 0 LIMIT ${LOOK_BACK}) p WHERE p.last_attempt_at >= arrived.at)
          OR EXISTS (SELECT FROM ${latestOf('failed')} d
            WHERE d.lane_id = f.lane_id AND d.last_attempt_at >= arrived.at))
      ORDER BY f.failing_since LIMIT $2 FOR UPDATE OF f SKIP LOCKED
    ), announced AS (
      UPDATE failing_endpoints SET announced_at = statement_timestamp(), event_position = ${EVENT_POSITION}
      WHERE lane_id = ANY (ARRAY(SELECT lane_id FROM overdue)) RETURNING *
    ), told AS (
      INSERT INTO webhook_events (event_position, merchant_id, shop_id, type, data)
      SELECT event_position, merchant_id, shop_id, 'endpoint.failing', json_build_object('webhook_endpoint', origin,
        'failing_since', ${iso('failing_since')}, 'last_status_code', last_status_code, 'last_error', last_error)
      FROM announced
    )
    SELECT lane_id, shop_id, origin FROM announced`,
};

/** $1 before when, $2 how many at most. In the order of their ids, which is nearly that of their times. */
export const PRUNE_EVENTS: Statement = {
  name: 'webhooks.prune_events',
  text: `DELETE FROM webhook_events WHERE id = ANY (ARRAY(SELECT id FROM webhook_events ORDER BY id LIMIT $2))
      AND created_at < $1::timestamptz RETURNING id`,
};
