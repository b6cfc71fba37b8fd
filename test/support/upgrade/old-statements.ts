// The statements of processes of commit 03ffeb28, as PostgreSQL ran them.

/**
 * $1 clients, $2 keys, $3 hashes, $4 lock in ms.
 */
export const OLD_CLAIM_KEYS = `WITH lazy AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO idempotency_keys (client_id, key, request_hash, locked_until)
    SELECT n.client_id, n.key, n.request_hash, now() + $4 * interval '1 ms'
    FROM unnest($1::text[], $2::text[], $3::bytea[]) AS n (client_id, key, request_hash), lazy ORDER BY n.client_id, n.key
    ON CONFLICT (client_id, key) DO NOTHING
    RETURNING client_id, key, payment_id, lock_version`;

/**
 * $1 ms until recovery tries the charge, $2 records.
 */
export const OLD_INSERT_PAYMENTS = `WITH input AS MATERIALIZED (
      SELECT r.*, nextval('payments_id_seq') AS id, CASE WHEN r.customer IS NULL THEN r.known_customer_id
        ELSE coalesce(r.new_customer_id, nextval('customers_id_seq')) END AS customer_id
      FROM json_to_recordset($2) AS r (position integer, merchant_id bigint, shop_id bigint, flow_id bigint, payment_session_id text, provider_transaction_id text, payment_provider text, amount numeric, currency text, country text, webhook_endpoint text, webhook_lane_id bigint, metadata json, return_url text, capture text, payment_method jsonb, initiator text, traceparent text, attempt smallint, max_attempts smallint, fallback_shop_ids bigint[], flow_version integer, rollout_id bigint, rollout_stage smallint, known_customer_id bigint, new_customer_id bigint, customer json, created_at timestamptz, expires_at timestamptz, decision json, rule_key text, reference text, charge_key text, sealed_payment_token text, key_client_id text, key text, key_lock_version integer)
    ), held AS MATERIALIZED (
      SELECT k.client_id, k.key FROM idempotency_keys k
      WHERE k.client_id = ANY (ARRAY(SELECT key_client_id FROM input)) AND k.key = ANY (ARRAY(SELECT key FROM input))
        AND (k.client_id, k.key, k.lock_version) IN (SELECT key_client_id, key, key_lock_version FROM input)
      FOR NO KEY UPDATE OF k SKIP LOCKED
    ), attached AS (
      UPDATE idempotency_keys k SET payment_id = i.id FROM held h JOIN input i ON i.key_client_id = h.client_id AND i.key = h.key
      WHERE k.client_id = ANY (ARRAY(SELECT client_id FROM held)) AND k.key = ANY (ARRAY(SELECT key FROM held))
        AND k.client_id = h.client_id AND k.key = h.key
      RETURNING i.id
    ), accepted AS MATERIALIZED (
      SELECT * FROM input WHERE key IS NULL OR id IN (SELECT id FROM attached)
    ), customers_inserted AS (
      INSERT INTO customers (id, merchant_id, email, phone, first_name, last_name, full_name, address, city, region, postal_code, country_code, date_of_birth, gender, company, vat_number)
      SELECT a.customer_id, a.merchant_id, c.email, c.phone, c.first_name, c.last_name, c.full_name, c.address, c.city, c.region, c.postal_code, c.country_code, c.date_of_birth, c.gender, c.company, c.vat_number
      FROM accepted a CROSS JOIN LATERAL json_to_record(a.customer) AS c (email text, phone text, first_name text, last_name text, full_name text, address text, city text, region text, postal_code text, country_code text, date_of_birth text, gender text, company text, vat_number text)
      WHERE a.customer IS NOT NULL
    ), payments_inserted AS (
      INSERT INTO payments (id, merchant_id, shop_id, flow_id, payment_session_id, provider_transaction_id, payment_provider, amount, currency, country, webhook_endpoint, webhook_lane_id, metadata, return_url, capture, payment_method, initiator, traceparent, attempt, max_attempts, fallback_shop_ids, flow_version, rollout_id, rollout_stage, customer_id, created_at, updated_at, expires_at, decision)
      SELECT id, merchant_id, shop_id, flow_id, payment_session_id, provider_transaction_id, payment_provider, amount, currency, country, webhook_endpoint, webhook_lane_id, metadata, return_url, capture, payment_method, initiator, traceparent, attempt, max_attempts, fallback_shop_ids, flow_version, rollout_id, rollout_stage, customer_id, created_at, created_at, expires_at, decision
      FROM accepted
    ), attempts_begun AS (
      INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, started_at, reference)
      SELECT id, 1, shop_id, payment_provider, provider_transaction_id, created_at, reference FROM accepted WHERE attempt > 0
    ), charges_opened AS (
      INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
        amount, currency, state, next_try_at, sealed_payment_token)
      SELECT merchant_id, shop_id, id, 1, 'charge', 'payment', charge_key, reference, amount, currency, 'open',
        clock_timestamp() + $1 * interval '1 ms', decode(sealed_payment_token, 'hex') FROM accepted WHERE attempt > 0
    ), hits_counted AS (
      INSERT INTO flow_rule_hits AS h (flow_id, rule_key, hour, slot, hits)
    SELECT flow_id, rule_key, date_trunc('hour', created_at, 'UTC'), pg_backend_pid(), count(*) FROM accepted
    WHERE rule_key IS NOT NULL GROUP BY 1, 2, 3
    ON CONFLICT (flow_id, rule_key, hour, slot) DO UPDATE SET hits = h.hits + excluded.hits
    ), counted AS (
      INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT shop_id, ((extract(epoch FROM now())::bigint / 3600) << 22) + pg_backend_pid(), count(*), count(webhook_endpoint) FROM accepted WHERE attempt > 0 GROUP BY shop_id
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks
    )
    SELECT a.position, a.id, a.customer_id, a.amount::numeric(19, 4) AS amount,
      (SELECT s.provider_credentials FROM shops s WHERE s.merchant_id = a.merchant_id AND s.id = a.shop_id) AS encrypted_account
    FROM accepted a`;

/**
 * $1 minute, $2 cool-down before, $3 writes, $4 steps.
 */
export const OLD_WRITE_STATUSES = `WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($3) AS r (id bigint, known_status text, known_attempt smallint, known_updated_at timestamptz, status text, updated_at timestamptz, provider_metadata text, provider_transaction_id text, amount_authorized numeric, amount_captured numeric, amount_refunded numeric, capture_before timestamptz, next_action text, attempt smallint, attempt_outcome text, decline_code text, card jsonb, shop_outcome text, is_locked boolean)
    ), unlocked AS MATERIALIZED (
      SELECT id FROM payments WHERE id = ANY (ARRAY(SELECT id FROM input)) FOR NO KEY UPDATE SKIP LOCKED
    ), changed AS (
      UPDATE payments p SET status = i.status, updated_at = i.updated_at, provider_metadata = i.provider_metadata::json,
        provider_transaction_id = i.provider_transaction_id, next_action = i.next_action::json,
        amount_authorized = i.amount_authorized, amount_captured = i.amount_captured, amount_refunded = i.amount_refunded,
        capture_before = i.capture_before,
        event_position = greatest((SELECT coalesce((SELECT epoch << 44 FROM event_epochs
          WHERE postmaster_started_at = pg_postmaster_start_time()) + pg_current_xact_id()::text::bigint,
        current_event_position())), p.event_position)
      FROM input i
      WHERE p.id = ANY (ARRAY(SELECT id FROM unlocked)) AND p.id = i.id AND p.status = i.known_status
        AND p.attempt = i.known_attempt AND p.updated_at = i.known_updated_at AND (i.is_locked OR (NOT p.has_waiting_notifications
          AND (i.provider_transaction_id IS NOT DISTINCT FROM p.provider_transaction_id OR NOT EXISTS (SELECT FROM provider_notifications n WHERE n.outcome = 'waiting' AND n.payment_id IS NULL
            AND n.shop_id = p.shop_id AND n.provider_transaction_id = i.provider_transaction_id))
          AND (SELECT c.erased_at FROM customers c WHERE c.id = p.customer_id) IS NULL))
      RETURNING p.id, p.merchant_id, p.shop_id, p.customer_id, p.webhook_lane_id, p.webhook_endpoint, p.updated_at,
        p.provider_transaction_id, p.event_position, i.attempt, i.attempt_outcome, i.decline_code, i.card, i.shop_outcome
    ), ended AS (
      UPDATE payment_attempts a SET outcome = c.attempt_outcome, decline_code = c.decline_code, ended_at = c.updated_at,
        provider_transaction_id = c.provider_transaction_id, card = coalesce(c.card, a.card)
      FROM changed c
      WHERE a.payment_id = ANY (ARRAY(SELECT id FROM changed)) AND a.payment_id = c.id AND a.number = c.attempt
    ), charges_recorded AS (
      UPDATE provider_operations o SET state = CASE c.attempt_outcome WHEN 'approved' THEN 'confirmed' WHEN 'processing' THEN 'pending' WHEN 'unknown' THEN 'unknown' ELSE 'refused' END, last_answer = c.attempt_outcome,
        reason = c.decline_code, updated_at = c.updated_at,
        next_try_at = CASE WHEN c.attempt_outcome IN ('processing', 'unknown') THEN o.next_try_at END,
        sealed_payment_token = CASE WHEN c.attempt_outcome IN ('processing', 'unknown') THEN o.sealed_payment_token END
      FROM changed c
      WHERE o.payment_id = ANY (ARRAY(SELECT id FROM changed WHERE attempt IS NOT NULL)) AND o.payment_id = c.id
        AND o.attempt = c.attempt AND o.kind = 'charge' AND o.state IN ('open', 'pending', 'unknown')
        AND NOT (o.state = 'pending' AND c.attempt_outcome = 'unknown')
        AND NOT (o.next_try_at IS NULL AND c.attempt_outcome IN ('processing', 'unknown'))
        AND NOT (o.next_try_at IS NOT NULL AND c.attempt_outcome = 'approved' AND c.provider_transaction_id IS NULL)
    ), erasures_rescheduled AS (
      UPDATE customers SET erasure_due_at = now() + interval '60000 ms'
      WHERE id = ANY (ARRAY(SELECT customer_id FROM changed)) AND erased_at IS NOT NULL
    ), steps AS MATERIALIZED (
      SELECT r.*, c.id AS payment_id, c.merchant_id, c.shop_id, c.event_position, c.webhook_lane_id AS lane_id,
        c.webhook_endpoint, r.to_status AS payment_status, 'payment.status_changed' AS event
      FROM json_to_recordset($4) AS r (written_id bigint, position integer, from_status text, to_status text, cause text, at timestamptz, request_body text, traceparent text) JOIN changed c ON c.id = r.written_id
    ), history AS (
      INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position)
      SELECT payment_id, from_status, to_status, cause, at, merchant_id, shop_id, event_position
      FROM steps ORDER BY position
    ), targets AS (
      SELECT 0::bigint AS endpoint_id, r.lane_id, r.webhook_endpoint, true AS is_active, r.position, r.merchant_id, r.shop_id, r.payment_id, r.event, r.payment_status, r.request_body, r.traceparent
      FROM steps r WHERE r.webhook_endpoint IS NOT NULL
      UNION ALL
      SELECT e.id, e.lane_id, e.url, e.status = 'active', r.position, r.merchant_id, r.shop_id, r.payment_id, r.event, r.payment_status, r.request_body, r.traceparent
      FROM steps r JOIN webhook_endpoints e ON e.merchant_id = r.merchant_id AND e.status <> 'deleted'
        AND r.event = ANY (e.event_types) AND (e.shop_ids IS NULL OR r.shop_id = ANY (e.shop_ids))
    ), numbered AS MATERIALIZED (
      SELECT t.*, nextval('webhook_deliveries_id_seq') AS id
      FROM (SELECT * FROM targets ORDER BY position, endpoint_id) t
    ), new_deliveries AS MATERIALIZED (
      SELECT n.*, first_value(n.id) OVER (PARTITION BY n.position ORDER BY n.id) AS body_id, (statement_timestamp() AT TIME ZONE 'UTC')::date AS body_day,
        date_trunc('milliseconds', statement_timestamp()) AS created_at
      FROM numbered n
    ), bodies_inserted AS (
      INSERT INTO webhook_bodies (day, delivery_id, body, traceparent)
      SELECT body_day, id, request_body, traceparent FROM new_deliveries WHERE id = body_id
    ), deliveries_inserted AS (
      INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day,
        body_bytes, event, payment_status, webhook_endpoint, endpoint_id, body_id)
      SELECT id, CASE WHEN is_active THEN created_at ELSE 'infinity' END, lane_id, payment_id, merchant_id, shop_id,
        created_at, body_day, octet_length(request_body), event, payment_status, webhook_endpoint, endpoint_id,
        nullif(body_id, id)
      FROM new_deliveries
    ),
    outcomes_counted AS (
      INSERT INTO shop_outcomes AS o (shop_id, minute, slot, approved, declined, unusable)
      SELECT shop_id, $1::timestamptz, pg_backend_pid(), count(*) FILTER (WHERE shop_outcome = 'approved'),
        count(*) FILTER (WHERE shop_outcome = 'declined'), count(*) FILTER (WHERE shop_outcome = 'unusable')
      FROM changed WHERE shop_outcome IS NOT NULL GROUP BY shop_id
      ON CONFLICT (shop_id, minute, slot) DO UPDATE SET approved = o.approved + excluded.approved,
        declined = o.declined + excluded.declined, unusable = o.unusable + excluded.unusable
    )
    SELECT c.id, CASE WHEN c.shop_outcome <> 'unusable' THEN (SELECT x.shop_id FROM shop_outages x
      WHERE x.shop_id = c.shop_id AND x.ended_at IS NULL AND x.last_fault_at <= $2) END AS recovered_shop_id,
      CASE WHEN row_number() OVER () = 1 THEN
        ARRAY(SELECT DISTINCT d.lane_id FROM new_deliveries d WHERE d.is_active) ELSE '{}' END AS lane_ids
    FROM changed c`;

/**
 * $1 clients, $2 keys, $3 lock versions, $4 answers.
 */
export const OLD_COMPLETE_KEYS = `WITH input AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[]) AS n (client_id, key, lock_version, response_body)
    ), held AS MATERIALIZED (
      SELECT k.client_id, k.key FROM idempotency_keys k
      WHERE k.client_id = ANY ($1) AND k.key = ANY ($2)
        AND (k.client_id, k.key, k.lock_version) IN (SELECT client_id, key, lock_version FROM input)
        AND (SELECT (SELECT c.erased_at FROM customers c WHERE c.id = p.customer_id) FROM payments p WHERE p.id = k.payment_id) IS NULL
      FOR NO KEY UPDATE OF k SKIP LOCKED
    )
    UPDATE idempotency_keys k SET response_body = n.response_body
    FROM held h JOIN input n ON n.client_id = h.client_id AND n.key = h.key
    WHERE k.client_id = ANY (ARRAY(SELECT client_id FROM held)) AND k.key = ANY (ARRAY(SELECT key FROM held))
      AND k.client_id = h.client_id AND k.key = h.key AND k.lock_version = n.lock_version
    RETURNING k.client_id, k.key`;

/**
 * $1 lanes, $2 quotas, $3 maximum bytes, $4 floors, $5 lease in ms, $6 whether with the following changes. For a day
 * without bodies.
 */
export const OLD_CLAIM = `WITH lazy AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)), found AS MATERIALIZED (
        SELECT due.row, due.id, due.rows, due.ids
        FROM (SELECT l.*, coalesce((SELECT p.status <> 'active' FROM webhook_endpoints p
          WHERE p.id = (SELECT w.endpoint_id FROM webhook_lanes w WHERE w.id = l.lane_id)), false) AS is_stopped FROM unnest((SELECT $1::bigint[]), (SELECT $2::int[]), (SELECT $3::float8[]),
          (SELECT $4::float8[]), (SELECT $6::boolean[])) AS l (lane_id, quota, max_bytes, scan_from, with_successors)) l
        CROSS JOIN LATERAL (
          SELECT c.row, c.id, n.rows, n.ids, row_number() OVER oldest_first AS place,
            sum(c.body_bytes + coalesce(n.bytes, 0)) OVER oldest_first AS bytes
          FROM (
            SELECT d.ctid AS row, d.due_at, d.id, d.lane_id, d.payment_id, d.endpoint_id, d.attempts, d.body_bytes
            FROM pending_deliveries d
            WHERE (d.lane_id, d.due_at) >= (l.lane_id, to_timestamp(l.scan_from))
              AND (d.lane_id, d.due_at) <= (l.lane_id, statement_timestamp())
              AND d.claimed_until <= statement_timestamp() AND (d.attempts > 0 OR NOT EXISTS (SELECT 1 FROM pending_deliveries e WHERE e.payment_id = d.payment_id AND e.endpoint_id + 0 = d.endpoint_id AND e.id + 0 < d.id AND e.attempts = 0)) AND NOT l.is_stopped
            ORDER BY d.lane_id, d.due_at, d.id LIMIT l.quota FOR UPDATE SKIP LOCKED
          ) c LEFT JOIN LATERAL (SELECT array_agg(n.row ORDER BY n.id) AS rows, array_agg(n.id ORDER BY n.id) AS ids, sum(n.body_bytes) AS bytes FROM (
            SELECT d.*, row_number() OVER by_id AS place, sum(d.body_bytes) OVER by_id AS bytes FROM (
              SELECT d.ctid AS row, d.id, d.body_bytes, (SELECT count(*) FROM pending_deliveries e
              WHERE e.payment_id = d.payment_id AND e.endpoint_id + 0 = d.endpoint_id AND e.id + 0 < d.id AND e.id + 0 > c.id AND e.attempts = 0) AS between FROM pending_deliveries d
              WHERE l.with_successors AND c.attempts = 0 AND d.payment_id = c.payment_id AND d.endpoint_id + 0 = c.endpoint_id
                AND d.id + 0 > c.id AND d.lane_id + 0 = c.lane_id
                AND d.attempts = 0 AND d.due_at + interval '0' <= statement_timestamp()
                AND d.claimed_until <= statement_timestamp()
              ORDER BY d.payment_id, d.id LIMIT 3 FOR UPDATE SKIP LOCKED
            ) d WINDOW by_id AS (ORDER BY d.id ROWS UNBOUNDED PRECEDING)
          ) n WHERE n.place = n.between + 1 AND n.bytes <= 294912) n ON true
          WINDOW oldest_first AS (ORDER BY c.due_at, c.id ROWS UNBOUNDED PRECEDING)
        ) due
        WHERE due.place = 1 OR due.bytes <= l.max_bytes
    ), claimed AS (
      UPDATE pending_deliveries d
      SET claimed_until = statement_timestamp() + $5 * interval '1 millisecond'
      FROM lazy
      WHERE d.ctid = ANY (ARRAY(SELECT row FROM found UNION ALL SELECT unnest(rows) FROM found))
      RETURNING d.id, d.created_at, d.shop_id, d.lane_id, d.payment_id, d.webhook_endpoint, d.endpoint_id, d.body_id,
        d.body_day, d.due_at, d.claimed_until, d.attempts, d.attempts_in_run
    )
    SELECT CASE WHEN row_number() OVER () = 1 THEN date_part('epoch', statement_timestamp()) END AS clock, CASE WHEN row_number() OVER () = 1 THEN d.claimed_until::text END AS lease,
      CASE WHEN row_number() OVER () = 1 THEN (SELECT json_agg(array_prepend(id, ids)) FROM found WHERE ids IS NOT NULL) END AS units,
      CASE WHEN row_number() OVER () = 1 THEN (SELECT json_agg(json_build_object('shop_id', s.id, 'merchant_id', s.merchant_id, 'current', encode(CASE WHEN s.webhook_secret_active_from > statement_timestamp() THEN s.previous_webhook_secret ELSE s.webhook_secret END, 'base64'),
      'previous', encode(CASE WHEN NOT coalesce(s.webhook_secret_active_from > statement_timestamp(), false)
      AND s.previous_webhook_secret_expires_at > statement_timestamp() THEN s.previous_webhook_secret END, 'base64'), 'next', encode(CASE WHEN s.webhook_secret_active_from > statement_timestamp() THEN s.webhook_secret END, 'base64'),
      'signing_keys', CASE WHEN s.webhook_signing_key IS NOT NULL THEN
        json_build_array(encode(s.webhook_signing_key, 'base64'), encode(CASE WHEN s.previous_webhook_signing_key_expires_at > clock_timestamp() THEN s.previous_webhook_signing_key END, 'base64')) END))
    FROM shops s WHERE s.id = ANY (ARRAY(SELECT shop_id FROM claimed WHERE endpoint_id = 0))) END AS secrets, CASE WHEN row_number() OVER () = 1 THEN (SELECT json_agg(json_build_object('endpoint_id', e.id, 'merchant_id', e.merchant_id, 'url', e.url, 'format', e.format,
      'max_per_second', e.max_per_second,
      'current', encode(CASE WHEN e.secret_active_from > statement_timestamp() THEN e.sealed_previous_secret ELSE e.sealed_secret END, 'base64'), 'previous', encode(CASE WHEN NOT coalesce(e.secret_active_from > statement_timestamp(), false)
      AND e.previous_secret_expires_at > statement_timestamp() THEN e.sealed_previous_secret END, 'base64'),
      'next', encode(CASE WHEN e.secret_active_from > statement_timestamp() THEN e.sealed_secret END, 'base64'), 'headers', encode(e.sealed_headers, 'base64'),
      'auth', encode(e.sealed_auth, 'base64')))
    FROM webhook_endpoints e WHERE e.id = ANY (ARRAY(SELECT endpoint_id FROM claimed WHERE endpoint_id <> 0))) END AS endpoints, d.id, webhook_id(d.id, d.created_at) AS webhook_id, d.shop_id, d.lane_id, d.payment_id, d.webhook_endpoint,
        d.endpoint_id, coalesce(d.body_id, d.id) AS body_id,
        CASE WHEN d.body_day <> DATE '2000-01-01' THEN d.body_day::text END AS body_day, (SELECT b.body FROM webhook_bodies b
          WHERE b.day = DATE '2000-01-01' AND d.body_day = DATE '2000-01-01' AND b.delivery_id = coalesce(d.body_id, d.id)) AS request_body,
        date_part('epoch', d.due_at) AS due_at, d.attempts, d.attempts_in_run
    FROM (SELECT) always LEFT JOIN claimed d ON true`;

/**
 * $1 ids, $2 attempts, $3 start in s, $4 duration in ms, $5 status codes, $6 answers, $7 leases, $8 statuses, $9 wait in
 * ms, $10 errors.
 */
export const OLD_RECORD = `WITH r AS MATERIALIZED (
      SELECT * FROM unnest($1::bigint[], $2::int[], $3::float8[], $4::int[], $5::smallint[], $6::text[],
          $7::timestamptz[], $8::text[], $9::bigint[], $10::text[])
        AS r (id, attempts, started_s, duration_ms, status_code, response_body, lease, outcome, wait_ms, error)
    ), locked AS MATERIALIZED (
      SELECT d.id FROM pending_deliveries d WHERE d.id = ANY ($1) ORDER BY d.id FOR UPDATE
    ), gone AS (
      DELETE FROM pending_deliveries d USING r
      WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = r.id AND d.attempts = r.attempts AND d.claimed_until = r.lease AND r.outcome <> 'pending'
      RETURNING d.*, r.outcome, r.attempts + 1 AS number, r.status_code, r.error, to_timestamp(r.started_s) AS started_at, r.duration_ms, r.response_body
    ), again AS (
      UPDATE pending_deliveries d SET attempts = d.attempts + 1, attempts_in_run = d.attempts_in_run + 1,
        claimed_until = '-infinity', last_status_code = r.status_code, last_error = r.error,
        last_attempt_at = to_timestamp(r.started_s), due_at = statement_timestamp() + r.wait_ms * interval '1 millisecond'
      FROM r
      WHERE d.id = ANY (ARRAY(SELECT id FROM locked)) AND d.id = r.id AND d.attempts = r.attempts AND d.claimed_until = r.lease AND r.outcome = 'pending'
      RETURNING d.id, d.lane_id, d.payment_id, d.merchant_id, d.shop_id, d.endpoint_id, d.event, d.webhook_endpoint, r.outcome,
        d.attempts AS number, r.status_code, r.error, to_timestamp(r.started_s) AS started_at, r.duration_ms, r.response_body
    ), recorded AS (
      SELECT id, lane_id, payment_id, merchant_id, shop_id, endpoint_id, event, webhook_endpoint, outcome, number, started_at,
        duration_ms, status_code, error, response_body FROM gone UNION ALL SELECT id, lane_id, payment_id, merchant_id, shop_id, endpoint_id, event, webhook_endpoint, outcome, number, started_at,
        duration_ms, status_code, error, response_body FROM again
    ), ended AS (
      INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
        body_day, body_bytes, endpoint_id, body_id, status, attempts, attempts_in_run, next_attempt_at, claimed_until, last_status_code,
        last_error, created_at, last_attempt_at, delivered_at)
      SELECT id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint, body_day, body_bytes,
        endpoint_id, body_id, outcome, number, attempts_in_run + 1, NULL, NULL, status_code, error, created_at, started_at,
        CASE WHEN outcome = 'delivered' THEN started_at + duration_ms * interval '1 millisecond' END
      FROM gone
    ), attempts AS (
      INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
      SELECT id, number, started_at, duration_ms, status_code, error, response_body FROM recorded
    ), touched AS MATERIALIZED (
      SELECT f.lane_id FROM failing_endpoints f
      WHERE f.lane_id = ANY (ARRAY(SELECT lane_id FROM gone))
        AND (NOT f.has_failed OR f.lane_id = ANY (ARRAY(SELECT lane_id FROM gone WHERE outcome = 'delivered')))
      ORDER BY f.lane_id FOR UPDATE
    ), recovered AS (
      DELETE FROM failing_endpoints f WHERE f.lane_id = ANY (ARRAY(SELECT lane_id FROM touched))
        AND f.lane_id = ANY (ARRAY(SELECT lane_id FROM gone WHERE outcome = 'delivered')) RETURNING f.*
    ), failed_for_good AS (
      UPDATE failing_endpoints SET has_failed = true WHERE lane_id = ANY (ARRAY(SELECT lane_id FROM touched))
        AND lane_id <> ALL (ARRAY(SELECT lane_id FROM gone WHERE outcome = 'delivered'))
    ), marked AS (
      INSERT INTO failing_endpoints (lane_id, merchant_id, shop_id, endpoint_id, origin, failing_since, last_status_code,
        last_error, has_failed)
      SELECT DISTINCT ON (r.lane_id) r.lane_id, r.merchant_id, CASE r.endpoint_id WHEN 0 THEN r.shop_id END,
        nullif(r.endpoint_id, 0), coalesce(substring(webhook_endpoint FROM '^[A-Za-z]+://[^/?#]+'), ''), r.started_at, r.status_code, r.error,
        bool_or(r.outcome = 'failed') OVER (PARTITION BY r.lane_id)
      FROM recorded r
      WHERE r.outcome <> 'delivered' AND (r.number > 1 OR r.outcome = 'failed')
        AND NOT EXISTS (SELECT FROM failing_endpoints f WHERE f.lane_id = r.lane_id)
        AND r.lane_id <> ALL (ARRAY(SELECT lane_id FROM gone WHERE outcome = 'delivered'))
        AND (SELECT count(*) FROM recovered) >= 0
      ORDER BY r.lane_id, r.started_at
      ON CONFLICT DO NOTHING RETURNING lane_id, shop_id, origin, last_status_code, last_error
    ), gone_endpoints AS MATERIALIZED (
      SELECT r.endpoint_id, 'gone' AS reason, min(coalesce(
          (SELECT f.failing_since FROM failing_endpoints f WHERE f.lane_id = r.lane_id), r.started_at)) AS failing_since
      FROM gone r
      WHERE r.endpoint_id <> 0 AND r.status_code = 410 GROUP BY r.endpoint_id
    ), disabled AS (
      UPDATE webhook_endpoints e
      SET status = 'disabled', status_reason = x.reason, status_changed_at = date_trunc('milliseconds', statement_timestamp()), updated_at = date_trunc('milliseconds', statement_timestamp())
      FROM gone_endpoints x WHERE e.id = ANY (ARRAY(SELECT endpoint_id FROM gone_endpoints)) AND e.id = x.endpoint_id AND e.status = 'active'
      RETURNING e.id, e.merchant_id, e.url, x.reason, x.failing_since
    ), disabling_audited AS (
      INSERT INTO audit_entries (merchant_id, actor, action, object_type, object_id, fields, details)
      SELECT merchant_id, 'system', 'endpoint.disabled', 'endpoint', id::text, '{}', json_build_object('reason', reason)
      FROM disabled
    ), redelivery_requested AS (
      INSERT INTO webhook_redeliveries AS job (merchant_id, lane_id, filter_hash, status, created_from, created_to, first_id,
        after_id, last_id, failed_from, max_runs)
      SELECT DISTINCT ON (coalesce(r.endpoint_id, r.lane_id)) r.merchant_id, coalesce(r.endpoint_id, r.lane_id),
        'recovery', 'failed', '-infinity'::timestamptz, 'infinity'::timestamptz, 0, 0,
        pg_sequence_last_value('webhook_deliveries_id_seq'), r.failing_since,
        CASE WHEN r.announced_at IS NULL THEN 2 ELSE 10 END
      FROM recovered r
      WHERE (r.has_failed OR r.lane_id = ANY (ARRAY(SELECT lane_id FROM gone WHERE outcome = 'failed')))
        AND CASE WHEN r.endpoint_id IS NULL THEN (EXISTS (SELECT FROM webhook_lanes l WHERE l.id = r.lane_id AND l.answered_at < r.failing_since)
          OR EXISTS (SELECT FROM (
            SELECT d.lane_id, d.delivered_at FROM webhook_deliveries d
            WHERE (d.shop_id, d.status, d.id) >= (r.shop_id, 'delivered', 0)
              AND (d.shop_id, d.status, d.id) <= (r.shop_id, 'delivered', 9007199254740991)
            ORDER BY d.shop_id DESC, d.status DESC, d.id DESC LIMIT 200) d
          WHERE d.lane_id = r.lane_id AND d.delivered_at < r.failing_since)) ELSE
          (SELECT e.redeliver_on_recovery FROM webhook_endpoints e WHERE e.id = r.endpoint_id) END
      ORDER BY coalesce(r.endpoint_id, r.lane_id), r.failing_since
      ON CONFLICT (lane_id, filter_hash) WHERE lane_id IS NOT NULL DO UPDATE SET requested_at = excluded.requested_at,
        failed_from = least(job.failed_from, excluded.failed_from), after_id = 0,
        last_id = greatest(job.last_id, excluded.last_id), max_runs = greatest(job.max_runs, excluded.max_runs)
    ), reported AS (
      INSERT INTO webhook_events (event_position, merchant_id, shop_id, payment_id, type, data)
      SELECT (SELECT coalesce((SELECT epoch << 44 FROM event_epochs
          WHERE postmaster_started_at = pg_postmaster_start_time()) + pg_current_xact_id()::text::bigint,
        current_event_position())), merchant_id, shop_id, payment_id, 'delivery.failed', json_build_object(
          'delivery_id', id, 'event', event, 'payment_status', payment_status, 'endpoint_id', nullif(endpoint_id, 0),
          'webhook_endpoint', coalesce(substring(webhook_endpoint FROM '^[A-Za-z]+://[^/?#]+'), ''),
          'attempts', number, 'last_status_code', status_code, 'last_error', error)
      FROM gone WHERE outcome = 'failed'
      UNION ALL
      SELECT greatest((SELECT coalesce((SELECT epoch << 44 FROM event_epochs
          WHERE postmaster_started_at = pg_postmaster_start_time()) + pg_current_xact_id()::text::bigint,
        current_event_position())), event_position), merchant_id, shop_id, NULL, 'endpoint.recovered',
        json_build_object('endpoint_id', endpoint_id, 'webhook_endpoint', origin, 'failing_since', to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'recovered_at', to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM recovered WHERE announced_at IS NOT NULL
      UNION ALL SELECT (SELECT coalesce((SELECT epoch << 44 FROM event_epochs
          WHERE postmaster_started_at = pg_postmaster_start_time()) + pg_current_xact_id()::text::bigint,
        current_event_position())), merchant_id, NULL::bigint, NULL::bigint, 'endpoint.disabled',
        json_build_object('endpoint_id', id, 'webhook_endpoint', coalesce(substring(url FROM '^[A-Za-z]+://[^/?#]+'), ''),
          'reason', reason, 'disabled_at', to_char(statement_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'failing_since', to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM disabled
    )
    SELECT (SELECT json_agg(m) FROM marked m) AS failing,
      (SELECT json_agg(json_build_object('lane_id', lane_id, 'shop_id', shop_id, 'origin', origin, 'failing_since', failing_since))
        FROM recovered) AS recovered,
      coalesce(json_agg(id), '[]') AS ids, coalesce(json_agg(d) FILTER (WHERE due_at IS NOT NULL), '[]') AS successors
    FROM (SELECT d.id, d.lane_id, CASE WHEN d.number = 1 THEN (
        SELECT date_part('epoch', e.due_at) FROM pending_deliveries e WHERE e.payment_id = d.payment_id AND e.endpoint_id + 0 = d.endpoint_id AND e.id + 0 > d.id ORDER BY e.payment_id, e.id LIMIT 1) END AS due_at FROM recorded d) d`;
