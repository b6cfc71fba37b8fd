// What API processes of commit 12e2b7b run for each payment, word for word: they are there while the migrations run.

/** $1 clients, $2 keys, $3 hashes, $4 lock in ms, $5 kept for ms. */
export const OLD_CLAIM_KEYS = `WITH lazy AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO idempotency_keys AS k (client_id, key, request_hash, locked_until)
    SELECT n.client_id, n.key, n.request_hash, now() + $4 * interval '1 ms'
    FROM unnest($1::text[], $2::text[], $3::bytea[]) AS n (client_id, key, request_hash), lazy ORDER BY n.client_id, n.key
    ON CONFLICT (client_id, key) DO UPDATE SET
      request_hash = excluded.request_hash,
      payment_id = CASE WHEN k.created_at < now() - $5 * interval '1 ms' THEN NULL ELSE k.payment_id END,
      response_body = NULL,
      lock_version = k.lock_version + 1,
      locked_until = excluded.locked_until,
      created_at = CASE WHEN k.created_at < now() - $5 * interval '1 ms' THEN now() ELSE k.created_at END
    WHERE k.created_at < now() - $5 * interval '1 ms'
      OR (k.response_body IS NULL AND k.locked_until < now() AND k.request_hash = excluded.request_hash)
    RETURNING client_id, key, payment_id, lock_version`;

/** $1 JSON array of payments, $2 slot. */
export const OLD_INSERT_PAYMENTS = `WITH input AS MATERIALIZED (
      SELECT i.*, nextval('payments_id_seq') AS id,
        CASE WHEN i.customer IS NULL THEN i.known_customer_id ELSE nextval('customers_id_seq') END AS customer_id
      FROM json_to_recordset($1) AS i (position integer, merchant_id bigint, shop_id bigint, flow_id bigint,
        flow_version integer, known_customer_id bigint, customer json, payment_session_id text, provider_transaction_id text,
        payment_provider text, amount numeric, currency text, country text, webhook_endpoint text, webhook_lane_id bigint,
        metadata json, created_at timestamptz, expires_at timestamptz, max_attempts smallint, fallback_shop_ids bigint[],
        decision json, key_client_id text, key text, key_lock_version integer)
    ), attached AS (
      UPDATE idempotency_keys k SET payment_id = i.id FROM input i
      WHERE k.client_id = ANY (ARRAY(SELECT key_client_id FROM input)) AND k.key = ANY (ARRAY(SELECT key FROM input))
        AND k.client_id = i.key_client_id AND k.key = i.key AND k.lock_version = i.key_lock_version
      RETURNING i.id
    ), accepted AS MATERIALIZED (
      SELECT * FROM input WHERE key IS NULL OR id IN (SELECT id FROM attached)
    ), customers_inserted AS (
      INSERT INTO customers (id, merchant_id, email, phone, first_name, last_name, full_name, address, city, region, postal_code, country_code, date_of_birth, gender, company, vat_number)
      SELECT a.customer_id, a.merchant_id, c.email, c.phone, c.first_name, c.last_name, c.full_name, c.address, c.city, c.region, c.postal_code, c.country_code, c.date_of_birth, c.gender, c.company, c.vat_number
      FROM accepted a CROSS JOIN LATERAL json_to_record(a.customer) AS c (email text, phone text, first_name text, last_name text, full_name text, address text, city text, region text, postal_code text, country_code text, date_of_birth text, gender text, company text, vat_number text)
      WHERE a.customer IS NOT NULL
    ), payments_inserted AS (
      INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id,
        provider_transaction_id, payment_provider, amount, currency, country, webhook_endpoint, webhook_lane_id, metadata,
        created_at, updated_at, expires_at, max_attempts, fallback_shop_ids, decision)
      SELECT id, merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id,
        provider_transaction_id, payment_provider, amount, currency, country, webhook_endpoint, webhook_lane_id, metadata,
        created_at, created_at, expires_at, max_attempts, fallback_shop_ids, decision
      FROM accepted
      RETURNING id, amount
    ), attempts_begun AS (
      INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, started_at)
      SELECT id, 1, shop_id, payment_provider, provider_transaction_id, created_at FROM accepted
    ), counted AS (
      INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT shop_id, $2::smallint, count(*), count(webhook_endpoint) FROM accepted GROUP BY shop_id ORDER BY shop_id
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks
    )
    SELECT a.position, a.id, a.customer_id, p.amount FROM accepted a JOIN payments_inserted p USING (id)`;

/** $1 JSON array of changes, $2 of their steps, $3 to $6 minute, slot, now, cool-down before. */
export const OLD_WRITE_STATUSES = `WITH input AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1) AS i (id bigint, known_status text, known_attempt smallint,
        known_updated_at timestamptz, status text, updated_at timestamptz, provider_metadata text,
        provider_transaction_id text, attempt smallint, attempt_outcome text, decline_code text, shop_outcome text)
    ), changed AS (
      UPDATE payments p SET status = i.status, updated_at = i.updated_at, provider_metadata = i.provider_metadata::json,
        provider_transaction_id = i.provider_transaction_id
      FROM input i
      WHERE p.id = ANY (ARRAY(SELECT id FROM input)) AND p.id = i.id AND p.status = i.known_status
        AND p.attempt = i.known_attempt AND p.updated_at = i.known_updated_at
        AND (SELECT c.erased_at FROM customers c WHERE c.id = p.customer_id) IS NULL
      RETURNING p.id, p.merchant_id, p.shop_id, p.webhook_lane_id, p.webhook_endpoint, p.updated_at,
        p.provider_transaction_id, i.attempt, i.attempt_outcome, i.decline_code, i.shop_outcome
    ), ended AS (
      UPDATE payment_attempts a SET outcome = c.attempt_outcome, decline_code = c.decline_code, ended_at = c.updated_at,
        provider_transaction_id = c.provider_transaction_id
      FROM changed c
      WHERE a.payment_id = ANY (ARRAY(SELECT id FROM changed)) AND a.payment_id = c.id AND a.number = c.attempt
    ), steps AS MATERIALIZED (
      SELECT s.*, c.merchant_id, c.shop_id, c.webhook_lane_id AS lane_id, c.webhook_endpoint, s.to_status AS payment_status,
        'payment.status_changed' AS event
      FROM json_to_recordset($2) AS s (payment_id bigint, position integer, from_status text, to_status text, cause text,
        at timestamptz, request_body text)
      JOIN changed c ON c.id = s.payment_id
    ), history AS (
      INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at)
      SELECT payment_id, from_status, to_status, cause, at FROM steps ORDER BY position
    ), deliveries AS (
      INSERT INTO webhook_deliveries (merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
      request_body, created_at, next_attempt_at)
    SELECT n.merchant_id, n.shop_id, n.lane_id, n.payment_id, n.event, n.payment_status, n.webhook_endpoint, n.request_body,
      date_trunc('milliseconds', statement_timestamp()), date_trunc('milliseconds', statement_timestamp())
    FROM (SELECT * FROM steps WHERE request_body IS NOT NULL) n ORDER BY n.position
    ), outages_ended AS (
      UPDATE shop_outages SET ended_at = $5
      WHERE shop_id = ANY (ARRAY(SELECT shop_id FROM changed WHERE shop_outcome IS NOT NULL)) AND ended_at IS NULL
        AND last_fault_at <= $6
    ), outcomes_counted AS (
      INSERT INTO shop_outcomes AS o (shop_id, minute, slot, approved, declined)
      SELECT shop_id, $3::timestamptz, $4::smallint, count(*) FILTER (WHERE shop_outcome = 'approved'),
        count(*) FILTER (WHERE shop_outcome = 'declined')
      FROM changed WHERE shop_outcome IS NOT NULL GROUP BY shop_id ORDER BY shop_id
      ON CONFLICT (shop_id, minute, slot) DO UPDATE SET approved = o.approved + excluded.approved,
        declined = o.declined + excluded.declined
    )
    SELECT id FROM changed`;

/** $1 clients, $2 keys, $3 lock versions, $4 answers. */
export const OLD_COMPLETE_KEYS = `UPDATE idempotency_keys k SET response_body = n.response_body
    FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[]) AS n (client_id, key, lock_version, response_body)
    WHERE k.client_id = ANY ($1) AND k.key = ANY ($2)
      AND k.client_id = n.client_id AND k.key = n.key AND k.lock_version = n.lock_version
      AND (SELECT c.erased_at FROM payments p JOIN customers c ON c.id = p.customer_id WHERE p.id = k.payment_id) IS NULL
    RETURNING k.client_id, k.key`;
