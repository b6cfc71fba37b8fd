// What processes of the version before the queue table ran, word for word: they are there while the migrations run.

const IN_TURN = `(d.attempts > 0 OR NOT EXISTS (
      SELECT 1 FROM webhook_deliveries e
      WHERE e.payment_id = d.payment_id AND e.id < d.id AND e.status = 'pending' AND e.attempts = 0))`;

/** $1 merchants, $2 shops, $3 lanes, $4 payments, $5 events, $6 statuses, $7 endpoints, $8 bodies. */
export const OLD_APPEND = `INSERT INTO webhook_deliveries (merchant_id, shop_id, lane_id, payment_id, event, payment_status,
      webhook_endpoint, request_body, created_at, next_attempt_at)
    SELECT n.merchant_id, n.shop_id, n.lane_id, n.payment_id, n.event, n.payment_status, n.webhook_endpoint, n.request_body,
      date_trunc('milliseconds', statement_timestamp()), date_trunc('milliseconds', statement_timestamp())
    FROM (
      SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[])
        WITH ORDINALITY AS d (merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
          request_body, position)) n ORDER BY n.position`;

/** $1 lanes, $2 quotas, $3 lease in ms. */
export const OLD_CLAIM = `UPDATE webhook_deliveries d
    SET claimed_until = statement_timestamp() + $3 * interval '1 millisecond'
    WHERE d.ctid = ANY (ARRAY(
      SELECT due.row FROM unnest((SELECT $1::bigint[]), (SELECT $2::int[])) AS l (lane_id, quota)
      CROSS JOIN LATERAL (
        SELECT d.ctid AS row FROM webhook_deliveries d
        WHERE d.lane_id = l.lane_id AND d.status = 'pending' AND d.next_attempt_at <= statement_timestamp()
          AND d.claimed_until <= statement_timestamp() AND ${IN_TURN}
        ORDER BY d.next_attempt_at, d.id LIMIT l.quota FOR UPDATE SKIP LOCKED
      ) due))
    RETURNING d.id, d.payment_id, d.request_body, d.claimed_until::text AS lease, d.attempts`;

/** One array per column, as in RECORD of today. */
export const OLD_RECORD = `WITH recorded AS (
      UPDATE webhook_deliveries d SET status = r.status, attempts = d.attempts + 1, attempts_in_run = d.attempts_in_run + 1,
        claimed_until = '-infinity', last_status_code = r.status_code, last_error = r.error, last_attempt_at = r.started_at,
        next_attempt_at = CASE WHEN r.status = 'pending' THEN statement_timestamp() + r.wait_ms * interval '1 millisecond' END,
        delivered_at = CASE WHEN r.status = 'delivered' THEN r.started_at + r.duration_ms * interval '1 millisecond' END
      FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[], $5::smallint[], $6::text[], $7::timestamptz[], $8::int[], $9::text[], $10::timestamptz[])
        AS r (id, attempts, status, wait_ms, status_code, error, started_at, duration_ms, response_body, lease)
      WHERE d.id = ANY ($1) AND d.id = r.id AND d.attempts = r.attempts AND d.claimed_until = r.lease AND d.status = 'pending'
      RETURNING d.id, d.attempts, r.started_at, r.duration_ms, r.status_code, r.error, r.response_body
    )
    INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
    SELECT id, attempts, started_at, duration_ms, status_code, error, response_body FROM recorded
    RETURNING delivery_id`;

/** $1 delivery. */
export const OLD_RETRY = `UPDATE webhook_deliveries SET status = 'pending', attempts_in_run = 0, claimed_until = '-infinity',
      delivered_at = NULL, next_attempt_at = date_trunc('milliseconds', statement_timestamp())
    WHERE id = $1 AND status <> 'pending' AND request_body <> '' RETURNING id`;
