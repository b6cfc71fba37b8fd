/** The facts of a card that segments use are equal for many payers; these are not. */
const facts = (card: string): string => `${card} - '{last4,expiry_month,expiry_year}'::text[]`;

const CHANGED = `NEW.outcome IS DISTINCT FROM OLD.outcome OR NEW.decline_code IS DISTINCT FROM OLD.decline_code
      OR ${facts('NEW.card')} IS DISTINCT FROM ${facts('OLD.card')}`;

/**
 * The time of the answer to an attempt that had no outcome yet; null: there was no answer in time, or the outcome was
 * found later, such as by recovery after a crash.
 */
const ANSWERED_MS = `CASE WHEN OLD.outcome IS NULL AND NEW.outcome <> 'unknown'
        AND NEW.ended_at < NEW.started_at + interval '2 minutes'
        THEN greatest(0, extract(epoch FROM NEW.ended_at - NEW.started_at) * 1000) END`;

/** Outcomes of attempts by hour and segment: a trigger logs changes, and a job of the worker adds them to the cells. */
export const INSIGHTS = [
  // '' is unknown, or no code. Rows with by_bin = false have bin '' and hold the sums over BINs
  `CREATE TABLE approval_cells (
    merchant_id bigint NOT NULL,
    by_bin boolean NOT NULL,
    shop_id bigint NOT NULL,
    hour timestamptz(0) NOT NULL,
    currency text NOT NULL,
    country text NOT NULL,
    scheme text NOT NULL,
    funding text NOT NULL,
    issuer_country text NOT NULL,
    bin text NOT NULL,
    outcome text NOT NULL,
    decline_code text NOT NULL,
    attempts bigint NOT NULL,
    answers bigint NOT NULL,
    answered_ms bigint NOT NULL,
    PRIMARY KEY (merchant_id, by_bin, shop_id, hour, currency, country, scheme, funding, issuer_country, bin, outcome,
      decline_code)
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX approval_cells_hour ON approval_cells (hour)',
  // No index: the job takes any rows. Vacuum follows it, so that it reads few dead ones
  `CREATE TABLE attempt_changes (
    payment_id bigint NOT NULL,
    shop_id bigint NOT NULL,
    started_at timestamptz(3) NOT NULL,
    sign smallint NOT NULL,
    answered_ms integer,
    outcome text NOT NULL,
    decline_code text,
    card jsonb
  ) WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_threshold = 2000000000)`,
  // attempts that began then or later count: all their changes are in the log
  'CREATE TABLE approval_counting (since timestamptz(0) NOT NULL)',
  `INSERT INTO approval_counting VALUES ('epoch')`,
  `CREATE FUNCTION log_attempt_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT (${CHANGED}) THEN RETURN NULL; END IF;
      IF OLD.outcome IS NOT NULL THEN
        INSERT INTO attempt_changes (payment_id, shop_id, started_at, sign, outcome, decline_code, card)
        VALUES (OLD.payment_id, OLD.shop_id, OLD.started_at, -1, OLD.outcome, OLD.decline_code, ${facts('OLD.card')});
      END IF;
      IF NEW.outcome IS NOT NULL THEN
        INSERT INTO attempt_changes (payment_id, shop_id, started_at, sign, answered_ms, outcome, decline_code, card)
        VALUES (NEW.payment_id, NEW.shop_id, NEW.started_at, 1, ${ANSWERED_MS}, NEW.outcome, NEW.decline_code,
          ${facts('NEW.card')});
      END IF;
      RETURN NULL;
    END $$`,
  // the statement that writes a payment's status logs first outcomes itself (attempt-changes-sql.ts). A short condition,
  // because PostgreSQL parses it in each statement
  `CREATE TRIGGER payment_attempts_log_change AFTER UPDATE OF outcome, decline_code, card ON payment_attempts
    FOR EACH ROW WHEN (OLD.outcome IS NOT NULL OR NEW.is_logged IS NOT TRUE) EXECUTE FUNCTION log_attempt_change()`,
  // approval rates that are low since fell_at; a row goes when the rate is back (falls.ts)
  `CREATE TABLE approval_falls (
    merchant_id bigint NOT NULL,
    shop_id bigint NOT NULL,
    scheme text NOT NULL,
    fell_at timestamptz(3) NOT NULL DEFAULT statement_timestamp(),
    rate double precision NOT NULL,
    rate_before double precision NOT NULL,
    attempts bigint NOT NULL,
    attempts_before bigint NOT NULL,
    PRIMARY KEY (merchant_id, shop_id, scheme)
  )`,
];
