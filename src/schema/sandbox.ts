/**
 * The books of the built-in provider, which plays another company: what it holds of each charge, the keys of its other
 * operations, and the notifications that it has to send. No table of ours refers to them, and no transaction of ours writes
 * them (docs/decisions/100-tables-of-the-sandbox.md).
 */
export const SANDBOX = [
  // From settles_at on the status is settles_as, whether or not a process has written it. An authorised transaction stays
  // open; authorized_at says since when
  `CREATE TABLE sandbox_transactions (
    reference text PRIMARY KEY,
    id bigint GENERATED ALWAYS AS IDENTITY,
    transaction_id text NOT NULL,
    merchant_id bigint,
    shop_id bigint NOT NULL,
    payment_id bigint NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'captured', 'voided', 'refunded', 'declined')),
    settles_as text CHECK (settles_as IN ('captured', 'refunded', 'declined')),
    settles_at timestamptz(3),
    amount numeric NOT NULL,
    currency text NOT NULL,
    idempotency_key text UNIQUE,
    fingerprint text,
    outcome text NOT NULL,
    decline_code text,
    refunds text NOT NULL CHECK (refunds IN ('confirmed', 'pending', 'refused')),
    page text,
    page_url text,
    return_url text,
    settled_by text,
    calls integer NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    authorized_at timestamptz(3),
    capture_before timestamptz(3),
    captures text,
    captured numeric,
    fails text,
    refuses_voids boolean NOT NULL DEFAULT false,
    CHECK ((settles_as IS NULL) = (settles_at IS NULL)),
    CHECK ((idempotency_key IS NULL) = (fingerprint IS NULL))
  ) WITH (fillfactor = 90)`,
  'CREATE INDEX sandbox_transactions_merchant_id_id ON sandbox_transactions (merchant_id, id)',
  'CREATE INDEX sandbox_transactions_payment_id_id ON sandbox_transactions (payment_id, id)',
  'CREATE INDEX sandbox_transactions_settled_by ON sandbox_transactions (transaction_id) WHERE settled_by IS NOT NULL',
  'CREATE UNIQUE INDEX sandbox_transactions_page ON sandbox_transactions (page) WHERE page IS NOT NULL',
  'CREATE INDEX sandbox_transactions_transaction_id ON sandbox_transactions (transaction_id)',
  `CREATE TABLE sandbox_operations (
    idempotency_key text PRIMARY KEY,
    reference text NOT NULL,
    fingerprint text NOT NULL,
    refusal jsonb,
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE TABLE sandbox_refunds (
    id text PRIMARY KEY,
    reference text NOT NULL,
    idempotency_key text UNIQUE,
    amount numeric NOT NULL CHECK (amount > 0),
    settles_at timestamptz(3),
    created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
    fails_at timestamptz(3)
  )`,
  'CREATE INDEX sandbox_refunds_reference ON sandbox_refunds (reference)',
  `CREATE TABLE sandbox_disputes (
    id text PRIMARY KEY,
    reference text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    amount numeric NOT NULL CHECK (amount > 0),
    reason_code text NOT NULL,
    network_reason_code text,
    evidence_due_by timestamptz(3) NOT NULL,
    opened_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL
  )`,
  'CREATE INDEX sandbox_disputes_reference ON sandbox_disputes (reference)',
  // due_at NULL: waits for what the payer chooses on the sandbox's page
  `CREATE TABLE sandbox_notifications (
    id text PRIMARY KEY,
    reference text NOT NULL,
    shop_id bigint NOT NULL,
    choice text CHECK (choice IN ('approve', 'decline')),
    body text NOT NULL,
    signature text NOT NULL,
    tries integer NOT NULL DEFAULT 0,
    due_at timestamptz(3)
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX sandbox_notifications_due_at ON sandbox_notifications (due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX sandbox_notifications_reference ON sandbox_notifications (reference)',
];
