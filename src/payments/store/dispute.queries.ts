import type { Statement } from '../../platform/database/database.js';
import { newestByStatus } from '../../platform/database/newest-by-status.js';
import { deadlineSql } from '../../platform/http/deadline-page.js';
import { lookSql } from '../../platform/http/walked-page.js';
import { SHOPS } from '../../shared/relations.js';

const COLUMN_NAMES = [
  ...['id', 'shop_id', 'payment_id', 'attempt', 'provider', 'provider_dispute_id', 'kind', 'status', 'amount'],
  ...['currency', 'reason_code', 'network_reason_code', 'evidence_due_by', 'opened_at', 'reported_at', 'updated_at'],
];
const COLUMNS = COLUMN_NAMES.map((name) => `d.${name}`).join(', ');

/**
 * Stores a dispute's state: $1 payment, locked in the transaction, $2 attempt, $3 provider, $4 the provider's id, $5
 * kind, $6 status, $7 amount, $8 currency, $9 reason code, $10 the network's reason code, $11 evidence due by, $12 opened
 * at, $13 reported at, $14 updated at. Its shop is the attempt's: the payment may have moved to another one.
 */
export const STORE_DISPUTE: Statement = {
  name: 'disputes.store',
  text: `INSERT INTO disputes AS d (merchant_id, shop_id, payment_id, attempt, provider, provider_dispute_id, kind, status,
      amount, currency, reason_code, network_reason_code, evidence_due_by, opened_at, reported_at, updated_at)
    SELECT p.merchant_id,
      coalesce((SELECT a.shop_id FROM payment_attempts a WHERE a.payment_id = p.id AND a.number = $2), p.shop_id),
      p.id, $2::smallint, $3, $4, $5, $6, $7::numeric, $8, $9, $10, $11::timestamptz, $12::timestamptz, $13::timestamptz,
      $14::timestamptz
    FROM payments p WHERE p.id = $1
    ON CONFLICT ON CONSTRAINT disputes_provider_dispute_id_key DO UPDATE SET kind = excluded.kind,
      status = excluded.status, amount = excluded.amount, currency = excluded.currency,
      reason_code = excluded.reason_code, network_reason_code = excluded.network_reason_code,
      evidence_due_by = excluded.evidence_due_by, opened_at = excluded.opened_at, reported_at = excluded.reported_at,
      updated_at = excluded.updated_at
    RETURNING ${COLUMNS}`,
};

/** Stores times of a report that changes nothing else: $1 dispute, $2 reported at, $3 opened at. */
export const CONFIRM_DISPUTE: Statement = {
  name: 'disputes.confirm',
  text: 'UPDATE disputes SET reported_at = $2, opened_at = $3 WHERE id = $1',
};

/** The dispute $1, of any merchant. */
export const FIND_ANY_DISPUTE: Statement = {
  name: 'disputes.find_any',
  text: `SELECT ${COLUMNS} FROM disputes d WHERE d.id = $1`,
};

/** $1 dispute, $2 merchant. */
export const FIND_DISPUTE: Statement = {
  name: 'disputes.find',
  text: `SELECT ${COLUMNS} FROM disputes d WHERE d.id = $1 AND d.merchant_id = $2`,
};

/** The disputes of the payment $1, oldest first. */
export const LIST_DISPUTES_OF_PAYMENT: Statement = {
  name: 'disputes.list_of_payment',
  text: `SELECT ${COLUMNS} FROM disputes d WHERE d.payment_id = $1 ORDER BY d.id`,
};

/** The row is in the index of due times. */
const hasDeadline = (row: string): string => `${row}.status = 'open' AND ${row}.evidence_due_by IS NOT NULL`;

/**
 * A look at disputes, newest first: $1 merchant, $2 statuses, $3 id to stay below, $4 limit, $5 shop or null, $6 evidence due since
 * and $7 before, $8 opened since and $9 before, null: at any time, $10 whether those of `LIST_DUE_DISPUTES` are left out, $11 the
 * number of disputes to look at. No index has the times. See `walkedPage`.
 */
const list = (name: string, owner: string, value: string, ...conditions: string[]): Statement => ({
  name,
  text: lookSql({
    candidates: newestByStatus({ table: 'disputes', columns: 'r.id', owner, value, conditions, limit: '$11' }),
    match: `SELECT ${COLUMNS} FROM disputes d WHERE d.id = w.id
        AND ($6::timestamptz IS NULL OR d.evidence_due_by >= $6) AND ($7::timestamptz IS NULL OR d.evidence_due_by < $7)
        AND ($8::timestamptz IS NULL OR d.opened_at >= $8) AND ($9::timestamptz IS NULL OR d.opened_at < $9)
        AND NOT ($10::boolean AND ${hasDeadline('d')})`,
    limit: '$4',
  }),
});

export const LIST_DISPUTES = list('disputes.list', 'merchant_id', '$1', '$5::bigint IS NULL');
const IS_OWN = `EXISTS (SELECT FROM ${SHOPS} shop WHERE id = $5 AND merchant_id = $1)`;
export const LIST_DISPUTES_OF_SHOP = list('disputes.list_of_shop', 'shop_id', '$5', IS_OWN);

/**
 * Open disputes of the merchant $1 whose evidence is due, the earliest first: $2 limit, $3 time and $4 id to come after, $5 due
 * before, $6 shop, $7 opened since, $8 opened before; null: any. See `deadlinePage`.
 */
export const LIST_DUE_DISPUTES: Statement = {
  name: 'disputes.list_due',
  text: deadlineSql({
    ...{ table: 'disputes', column: 'evidence_due_by', indexed: hasDeadline('q') },
    match: `SELECT ${COLUMNS} FROM disputes d WHERE d.id = w.id AND ($6::bigint IS NULL OR d.shop_id = $6)
        AND ($7::timestamptz IS NULL OR d.opened_at >= $7) AND ($8::timestamptz IS NULL OR d.opened_at < $8)`,
    ...{ limit: '$2', at: '$3', id: '$4', before: '$5' },
  }),
};

/** Unfinished disputes, from their index: $1 hours until evidence is due soon. */
export const COUNT_DISPUTES: Statement = {
  name: 'disputes.count',
  text: `SELECT count(*) FILTER (WHERE status = 'open')::integer AS open,
      count(*) FILTER (WHERE status = 'under_review')::integer AS under_review,
      count(*) FILTER (WHERE status = 'open' AND evidence_due_by > clock_timestamp()
        AND evidence_due_by <= clock_timestamp() + $1 * interval '1 hour')::integer AS due
    FROM disputes WHERE status IN ('open', 'under_review')`,
};
