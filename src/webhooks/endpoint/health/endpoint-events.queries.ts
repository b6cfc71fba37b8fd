import type { Statement } from '../../../platform/database/database.js';
import { redeliveringOnRecovery } from './recovery-redelivery.js';
import { isoTime } from '../../../platform/database/iso-time.js';
import { DISABLED_EVENTS, disablingEndpoints } from './endpoint-states.queries.js';
import { EVENT_POSITION, insertEvents } from '../../fan-out/fan-out-sql.js';

/** Failed attempts of a delivery that do not mark its endpoint: a single failure may be accidental. The second comes 10 s later. */
const IGNORED_ATTEMPTS = 1;

/** The receiver no longer wants deliveries. */
const GONE = 410;

/** Scheme, host and port only: path and query may identify a customer, and events remain after an erasure. */
const ORIGIN = `coalesce(substring(webhook_endpoint FROM '^[A-Za-z]+://[^/?#]+'), '')`;

/**
 * Returns CTEs that write the events of recorded attempts. They are part of the statement that records the attempts, so
 * each event is written exactly once. They read `gone`, finished deliveries, and `recorded`, attempts.
 * - They write few rows. A lane is marked once, when a delivery fails again, and the first 2xx removes the mark. The mark
 *   tells whether a delivery failed for good since. Marks are locked in the order of the lanes, and new marks are inserted
 *   after all removals.
 * - The removal of a mark requests the redelivery of what failed for good, and a 410 disables a standing endpoint.
 * - A 2xx that does not see a concurrent mark leaves it for the next 2xx; `ANNOUNCE_FAILING` checks it again.
 * - `marked` and `recovered` contain each change of an endpoint once, for any number of concurrent workers.
 * - `greatest`: the recovery of an endpoint comes after its announcement, regardless of the order of transaction ids.
 */
export const endpointEventsOf = (gone: string, recorded: string): string => `touched AS MATERIALIZED (
      SELECT f.lane_id FROM failing_endpoints f
      WHERE f.lane_id = ANY (ARRAY(SELECT lane_id FROM ${gone}))
        AND (NOT f.has_failed OR f.lane_id = ANY (ARRAY(SELECT lane_id FROM ${gone} WHERE outcome = 'delivered')))
      ORDER BY f.lane_id FOR UPDATE
    ), recovered AS (
      DELETE FROM failing_endpoints f WHERE f.lane_id = ANY (ARRAY(SELECT lane_id FROM touched))
        AND f.lane_id = ANY (ARRAY(SELECT lane_id FROM ${gone} WHERE outcome = 'delivered')) RETURNING f.*
    ), failed_for_good AS (
      UPDATE failing_endpoints SET has_failed = true WHERE lane_id = ANY (ARRAY(SELECT lane_id FROM touched))
        AND lane_id <> ALL (ARRAY(SELECT lane_id FROM ${gone} WHERE outcome = 'delivered'))
    ), marked AS (
      INSERT INTO failing_endpoints (lane_id, merchant_id, shop_id, endpoint_id, origin, failing_since, last_status_code,
        last_error, has_failed)
      SELECT DISTINCT ON (r.lane_id) r.lane_id, r.merchant_id, CASE r.endpoint_id WHEN 0 THEN r.shop_id END,
        nullif(r.endpoint_id, 0), ${ORIGIN}, r.started_at, r.status_code, r.error,
        bool_or(r.outcome = 'failed') OVER (PARTITION BY r.lane_id)
      FROM ${recorded} r
      WHERE r.outcome <> 'delivered' AND (r.number > ${IGNORED_ATTEMPTS} OR r.outcome = 'failed')
        AND NOT EXISTS (SELECT FROM failing_endpoints f WHERE f.lane_id = r.lane_id)
        AND r.lane_id <> ALL (ARRAY(SELECT lane_id FROM ${gone} WHERE outcome = 'delivered'))
        AND (SELECT count(*) FROM recovered) >= 0
      ORDER BY r.lane_id, r.started_at
      ON CONFLICT DO NOTHING RETURNING lane_id, shop_id, origin, last_status_code, last_error
    ), gone_endpoints AS MATERIALIZED (
      SELECT r.endpoint_id, 'gone' AS reason, min(coalesce(
          (SELECT f.failing_since FROM failing_endpoints f WHERE f.lane_id = r.lane_id), r.started_at)) AS failing_since
      FROM ${gone} r
      WHERE r.endpoint_id <> 0 AND r.status_code = ${GONE} GROUP BY r.endpoint_id
    ), ${disablingEndpoints('gone_endpoints')}, ${redeliveringOnRecovery('recovered', gone)}, ${insertEvents(
      ['shop_id', 'payment_id'],
      `SELECT ${EVENT_POSITION}, merchant_id, shop_id, payment_id, 'delivery.failed', json_build_object(
            'delivery_id', id, 'event', event, 'payment_status', payment_status, 'endpoint_id', nullif(endpoint_id, 0),
            'webhook_endpoint', ${ORIGIN},
            'attempts', number, 'last_status_code', status_code, 'last_error', error)
        FROM ${gone} WHERE outcome = 'failed'
        UNION ALL
        SELECT greatest(${EVENT_POSITION}, event_position), merchant_id, shop_id, NULL, 'endpoint.recovered',
          json_build_object('endpoint_id', endpoint_id, 'webhook_endpoint', origin, 'failing_since', ${isoTime('failing_since')},
            'recovered_at', ${isoTime('statement_timestamp()')})
        FROM recovered WHERE announced_at IS NOT NULL
        UNION ALL ${DISABLED_EVENTS}`,
    )}`;

/** Number of the latest deliveries of a shop or standing endpoint, and of retried deliveries of a lane, that are read. */
const LOOK_BACK = 200;

/** Latest ended deliveries of the shop of `f`, or of its standing endpoint; the other one is null. */
const latestOf = (status: 'delivered' | 'failed'): string => `(
          (SELECT d.lane_id, d.delivered_at, d.last_attempt_at FROM webhook_deliveries d
          WHERE d.shop_id = f.shop_id AND d.status = '${status}'
          ORDER BY d.shop_id DESC, d.status DESC, d.id DESC LIMIT ${LOOK_BACK})
          UNION ALL
          (SELECT d.lane_id, d.delivered_at, d.last_attempt_at FROM webhook_deliveries d
          WHERE d.endpoint_id = f.endpoint_id AND d.endpoint_id <> 0 AND d.status = '${status}'
          ORDER BY d.endpoint_id DESC, d.status DESC, d.id DESC LIMIT ${LOOK_BACK}))`;

/**
 * Announces at most $2 endpoints without a 2xx for $1 ms. A statement that did not see the mark may have recorded a success
 * after it. Then the endpoint is announced only if an attempt failed after that success.
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
    ), ${insertEvents(
      ['shop_id'],
      `SELECT event_position, merchant_id, shop_id, 'endpoint.failing', json_build_object('endpoint_id', endpoint_id,
          'webhook_endpoint', origin, 'failing_since', ${isoTime('failing_since')}, 'last_status_code', last_status_code, 'last_error', last_error)
        FROM announced`,
    )}
    SELECT lane_id, shop_id, origin FROM announced`,
};

/** Latest ended deliveries to the standing endpoint of `f`. */
const latestAt = (status: 'delivered' | 'failed'): string => `(
          SELECT d.delivered_at, d.last_attempt_at FROM webhook_deliveries d
          WHERE d.endpoint_id = f.endpoint_id AND d.endpoint_id <> 0 AND d.status = '${status}'
          ORDER BY d.endpoint_id DESC, d.status DESC, d.id DESC LIMIT ${LOOK_BACK})`;

const HALF_WAY = `statement_timestamp() - $1::float8 / 2 * interval '1 ms'`;

/**
 * Disables at most $2 active endpoints without a 2xx for $1 ms, and since their last change of state. An attempt must have
 * failed in the second half of this time: one failure, and nothing to send since, tells little. A 2xx after the mark, from
 * a statement that did not see it, counts.
 */
export const DISABLE_FAILING: Statement = {
  name: 'webhooks.disable_failing',
  text: `WITH candidates AS MATERIALIZED (
      SELECT f.endpoint_id, min(greatest(f.failing_since, e.status_changed_at)) AS since, min(f.failing_since) AS failing_since
      FROM failing_endpoints f JOIN webhook_endpoints e ON e.id = f.endpoint_id AND e.status = 'active'
      WHERE f.endpoint_id IS NOT NULL GROUP BY f.endpoint_id
    ), failing AS MATERIALIZED (
      SELECT f.endpoint_id, 'failing' AS reason, f.failing_since FROM candidates f
      WHERE f.since < statement_timestamp() - $1::float8 * interval '1 ms'
        AND NOT EXISTS (SELECT FROM ${latestAt('delivered')} d WHERE d.delivered_at >= f.since)
        AND (EXISTS (SELECT FROM ${latestAt('failed')} d WHERE d.last_attempt_at >= ${HALF_WAY})
          OR EXISTS (SELECT FROM (
            SELECT p.last_attempt_at FROM pending_deliveries p WHERE p.endpoint_id = f.endpoint_id AND p.endpoint_id <> 0
              AND p.attempts > 0 LIMIT ${LOOK_BACK}) p WHERE p.last_attempt_at >= ${HALF_WAY}))
      ORDER BY f.since LIMIT $2
    ), ${disablingEndpoints('failing')}, ${insertEvents(['shop_id', 'payment_id'], DISABLED_EVENTS)}
    SELECT id FROM disabled`,
};

/** Deletes at most $2 events from before $1, in the order of their ids, which is nearly the order of their times. */
export const PRUNE_EVENTS: Statement = {
  name: 'webhooks.prune_events',
  text: `DELETE FROM webhook_events WHERE id = ANY (ARRAY(SELECT id FROM webhook_events ORDER BY id LIMIT $2))
      AND created_at < $1::timestamptz RETURNING id`,
};
