// Columns of tables that other features may read, by owner, which promises them. Only the owner names its
// tables in SQL; others use these (`npm run check:structure`, owners: docs/internals/architecture.md). The planner merges such a
// subquery into its statement, so it costs nothing. Each needs an alias.

// shops
export const SHOPS = '(SELECT id, merchant_id, name, provider, provider_account, enabled FROM shops)';
export const SHOP_FEES = '(SELECT id, merchant_id, name, fees FROM shops)';
export const OUTAGES = '(SELECT shop_id, began_at, ended_at FROM shop_outages)';
/** The secrets of default endpoints, encrypted. A lock of the subquery locks the shop. */
export const SHOP_SECRETS = `(SELECT id, merchant_id, webhook_secret, webhook_secret_active_from, previous_webhook_secret,
        previous_webhook_secret_expires_at, webhook_signing_key, previous_webhook_signing_key,
        previous_webhook_signing_key_expires_at FROM shops)`;
/** The beginning of a statement that replaces secrets or keys of shops `r`. */
export const REPLACE_SHOP_SECRETS = 'UPDATE shops r SET updated_at = clock_timestamp()';

// payments
export const PAYMENTS = `(SELECT id, merchant_id, shop_id, flow_id, flow_version, customer_id, status, attempt, amount, currency, country, capture,
        payment_method, metadata, decision, webhook_endpoint, created_at, payment_provider, provider_transaction_id,
        amount_captured, amount_authorized, capture_before, rollout_id FROM payments)`;
export const ATTEMPTS = `(SELECT payment_id, number, shop_id, outcome, decline_code, card, started_at, ended_at, reference
        FROM payment_attempts)`;
export const REFUNDS = `(SELECT id, merchant_id, shop_id, payment_id, amount, currency, status, provider_refund_id, created_at,
        updated_at FROM refunds)`;
export const DISPUTES = `(SELECT id, merchant_id, shop_id, payment_id, amount, currency, kind, status, provider_dispute_id, reason_code,
        evidence_due_by, opened_at FROM disputes)`;
export const STATUS_CHANGES = `(SELECT id, merchant_id, shop_id, payment_id, from_status, to_status, at, event_position
        FROM payment_status_changes)`;
export const OPERATIONS = `(SELECT id, payment_id, shop_id, kind, state, tries, reason, amount, currency, created_at FROM provider_operations)`;
export const NOTIFICATIONS = `(SELECT id, shop_id, provider, notification_id, provider_transaction_id, payment_id, outcome, reason, amount,
        currency, received_at, acknowledged_at FROM provider_notifications)`;
/** The beginning of a statement that renames an account in the options of saved payment methods `m`. */
export const UPDATE_SAVED_OPTIONS = 'UPDATE saved_payment_methods m SET options';

// webhooks
export const LANES = '(SELECT id, shop_id FROM webhook_lanes)';
export const PENDING_DELIVERIES =
  '(SELECT id, lane_id, endpoint_id, payment_id, shop_id, due_at FROM pending_deliveries)';
export const ENDED_DELIVERIES = '(SELECT id, payment_id, shop_id, status, created_at FROM webhook_deliveries)';
export const FAILING_ENDPOINTS = '(SELECT merchant_id, failing_since, announced_at FROM failing_endpoints)';
export const DELIVERY_MINUTES = '(SELECT merchant_id, minute, delivered, retried, failed FROM delivery_minutes)';
export const WEBHOOK_EVENTS = `(SELECT id, merchant_id, shop_id, payment_id, type, data, created_at, event_position FROM webhook_events)`;

// flows
/** Versions of flows that wait for an approval: each has one such request at most, its last. */
export const WAITING_APPROVALS = `(SELECT q.merchant_id, q.flow_id, f.name AS flow_name, q.version, q.requested_at, q.colleagues, v.created_by
        FROM flow_approval_requests q JOIN flows f ON f.id = q.flow_id AND f.deleted_at IS NULL
        JOIN flow_versions v ON v.flow_id = q.flow_id AND v.version = q.version
        WHERE q.status = 'waiting' AND v.activated_at IS NULL)`;

// audit
/** The beginning of a statement that inserts entries of changes which the service makes by itself. */
export const INSERT_AUDIT_ENTRIES = `INSERT INTO audit_entries (merchant_id, actor, action, object_type, object_id, fields, details)`;
/** The beginning of a statement that erases personal data from entries `a`. Their trigger permits no other change. */
export const ERASE_AUDITED_DETAILS = 'UPDATE audit_entries a SET details';

// insights
export const APPROVAL_CELLS = `(SELECT merchant_id, by_bin, shop_id, hour, currency, country, scheme, funding, issuer_country, bin, outcome,
        decline_code, attempts FROM approval_cells)`;

// auth
/** Names of clients, and of people who signed in with the identity provider. */
export const CLIENT_NAMES = `(SELECT merchant_id, client_id, name FROM api_clients
        UNION ALL SELECT merchant_id, client_id, name FROM external_people)`;
/** $1 merchant. `NO KEY`: does not block inserts of rows that refer to it, whose foreign keys need only a share of the lock. */
export const LOCKED_MERCHANT = 'SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE';
