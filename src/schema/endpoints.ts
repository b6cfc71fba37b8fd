/** Receivers of merchants, and how they answer; the counts are of the last hours (docs/decisions/041-recent-counts.md). */
export const ENDPOINTS = [
  // ids come from the lanes, so that an id means either a standing endpoint or the origin of payments' addresses
  `CREATE TABLE webhook_endpoints (
    id bigint PRIMARY KEY,
    merchant_id bigint NOT NULL,
    lane_id bigint NOT NULL,
    url text NOT NULL,
    description text,
    shop_ids bigint[],
    event_types text[] NOT NULL,
    format text NOT NULL DEFAULT 'json' CHECK (format IN ('json', 'slack')),
    max_per_second integer,
    redeliver_on_recovery boolean NOT NULL DEFAULT true,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'disabled', 'deleted')),
    status_reason text,
    status_changed_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    sealed_secret bytea NOT NULL,
    sealed_previous_secret bytea,
    previous_secret_expires_at timestamptz(3),
    secret_active_from timestamptz(3),
    sealed_headers bytea,
    sealed_auth bytea,
    created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    updated_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    is_ended boolean NOT NULL DEFAULT false
  )`,
  `CREATE INDEX webhook_endpoints_merchant_id_id ON webhook_endpoints (merchant_id, id) WHERE status <> 'deleted'`,
  // endpoints that may have deliveries to park or to end
  `CREATE INDEX webhook_endpoints_stopped_id ON webhook_endpoints (id) WHERE status <> 'active' AND NOT is_ended`,
  // lanes whose last answer other than 2xx has not been followed by a 2xx. has_failed: a delivery failed for good; true
  // also for processes that do not tell
  `CREATE TABLE failing_endpoints (
    lane_id bigint PRIMARY KEY,
    merchant_id bigint NOT NULL,
    shop_id bigint,
    origin text NOT NULL,
    failing_since timestamptz(3) NOT NULL,
    last_status_code smallint,
    last_error text,
    announced_at timestamptz(3),
    event_position bigint,
    endpoint_id bigint,
    has_failed boolean NOT NULL DEFAULT true
  )`,
  'CREATE INDEX failing_endpoints_failing_since ON failing_endpoints (failing_since) WHERE announced_at IS NULL',
  'CREATE INDEX failing_endpoints_merchant_id ON failing_endpoints (merchant_id)',
  // a job looks for those of standing endpoints each second
  'CREATE INDEX failing_endpoints_endpoint_id ON failing_endpoints (endpoint_id) WHERE endpoint_id IS NOT NULL',
  // answer_times: how many answers took how long, by the classes of answer-times.ts
  `CREATE TABLE endpoint_hours (
    lane_id bigint NOT NULL,
    hour timestamptz(0) NOT NULL,
    attempts integer NOT NULL,
    delivered integer NOT NULL,
    failed integer NOT NULL,
    answer_times integer[] NOT NULL,
    PRIMARY KEY (lane_id, hour)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX endpoint_hours_hour ON endpoint_hours (hour)',
  `CREATE TABLE endpoint_errors (
    lane_id bigint NOT NULL,
    hour timestamptz(0) NOT NULL,
    code text NOT NULL,
    attempts integer NOT NULL,
    last_at timestamptz(3) NOT NULL,
    last_delivery_id bigint NOT NULL,
    last_message text,
    PRIMARY KEY (lane_id, hour, code)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX endpoint_errors_hour ON endpoint_errors (hour)',
  `CREATE TABLE delivery_minutes (
    merchant_id bigint NOT NULL,
    minute timestamptz(0) NOT NULL,
    delivered integer NOT NULL,
    retried integer NOT NULL,
    failed integer NOT NULL,
    PRIMARY KEY (merchant_id, minute)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX delivery_minutes_minute ON delivery_minutes (minute)',
  `CREATE TABLE webhook_shop_counters (
    shop_id bigint NOT NULL,
    slot bigint NOT NULL,
    payments bigint NOT NULL DEFAULT 0,
    payments_with_webhooks bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (shop_id, slot)
  ) WITH (fillfactor = 50)`,
];
