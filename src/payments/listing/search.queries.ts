import type { Statement } from '../../platform/database/database.js';
import { selectPayments } from '../store/payment.queries.js';
import { CUSTOMER_LIST_COLUMNS, selectCustomersByEmail } from '../customers/customer-lists.queries.js';
import { SHOPS } from '../../shared/relations.js';

/** A value of one top-level key of a payment's metadata. */
export interface MetadataValue {
  merchant: string;
  key: string;
  value: string;
}

/** Terms `t` of the value, also those of other values with the same hashes; use `hasValue` as well. */
export const hasTerm = ({ merchant, key, value }: MetadataValue): string =>
  `t.value_hash = ${valueHash(merchant, value)} AND t.key_hash = hashtext(${key})`;

const valueHash = (merchant: string, value: string): string => `hashtextextended(${value}, ${merchant}::bigint)`;

/** Whether the metadata of the payment `q` has the value, compared as text. */
export const hasValue = ({ key, value }: MetadataValue): string => `q.metadata ->> ${key} = ${value}`;

/** Keys of metadata that a value without a key is looked up under. */
const MAX_KEYS = 20;

const OWN_SHOPS = `ARRAY(SELECT id FROM ${SHOPS} shop WHERE merchant_id = $1)`;

/**
 * Finds payments by any of their identifiers: $1 merchant, $2 text, $3 the text as an id or null, $4 limit. Matches of
 * our own id come first, then those of ids of payments, then those of metadata and customers; each newest first.
 * `keys` jumps from one key with the value to the next, so that a value of many payments costs no more.
 */
export const SEARCH_PAYMENTS: Statement = {
  name: 'search.payments',
  text: `WITH RECURSIVE keys AS (
      SELECT (SELECT min(key_hash) FROM payment_terms WHERE value_hash = ${valueHash('$1', '$2::text')}) AS key_hash
      UNION ALL
      SELECT (SELECT min(t.key_hash) FROM payment_terms t
        WHERE t.value_hash = ${valueHash('$1', '$2::text')} AND t.key_hash > k.key_hash)
      FROM keys k WHERE k.key_hash IS NOT NULL
    ), owners AS (
      SELECT id FROM customers WHERE merchant_id = $1 AND reference = $2
      UNION ALL (${selectCustomersByEmail('$1', '$2', '$4')})
    ), found (id, rank) AS (
      SELECT id, 1 FROM payments WHERE id = $3 AND merchant_id = $1
      UNION ALL (SELECT id, 2 FROM payments
        WHERE merchant_id = ANY (ARRAY[$1::bigint]) AND payment_session_id = ANY (ARRAY[$2::text])
        ORDER BY merchant_id DESC, payment_session_id DESC, id DESC LIMIT $4)
      UNION ALL SELECT id, 2 FROM payments WHERE shop_id = ANY (${OWN_SHOPS}) AND provider_transaction_id = $2
      UNION ALL SELECT payment_id, 2 FROM payment_attempts WHERE shop_id = ANY (${OWN_SHOPS}) AND left_transaction_id = $2
      UNION ALL SELECT m.id, 3 FROM (SELECT key_hash FROM keys WHERE key_hash IS NOT NULL LIMIT ${MAX_KEYS}) k
        CROSS JOIN LATERAL (
          SELECT q.id FROM payment_terms t CROSS JOIN LATERAL (
            SELECT q.id FROM payments q WHERE q.id = t.payment_id AND q.merchant_id = $1
              AND EXISTS (SELECT FROM json_each_text(q.metadata) e WHERE e.value = $2) OFFSET 0
          ) q
          WHERE t.value_hash = ${valueHash('$1', '$2::text')} AND t.key_hash = k.key_hash
          ORDER BY t.payment_id DESC LIMIT $4
        ) m
      UNION ALL SELECT m.id, 3 FROM owners o CROSS JOIN LATERAL (
        SELECT id FROM payments WHERE customer_id = o.id ORDER BY customer_id DESC, id DESC LIMIT $4
      ) m
    ), best AS MATERIALIZED (
      SELECT id, min(rank) AS rank FROM found GROUP BY id ORDER BY 2, 1 DESC LIMIT $4
    )
    ${selectPayments('(SELECT q.*, best.rank FROM best JOIN payments q USING (id))')} ORDER BY p.rank, p.id DESC`,
};

/** Finds customers by our id, the merchant's reference or the address; the parameters are those of `SEARCH_PAYMENTS`. */
export const SEARCH_CUSTOMERS: Statement = {
  name: 'search.customers',
  text: `SELECT ${CUSTOMER_LIST_COLUMNS} FROM customers c
    WHERE c.id = ANY (ARRAY(SELECT $3::bigint
        UNION ALL SELECT id FROM customers WHERE merchant_id = $1 AND reference = $2
        UNION ALL (${selectCustomersByEmail('$1', '$2', '$4')})))
      AND c.merchant_id = $1
    ORDER BY (c.id = $3) IS TRUE DESC, c.id DESC LIMIT $4`,
};

/** Finds refunds by our id or the provider's; the parameters are those of `SEARCH_PAYMENTS`. */
export const SEARCH_REFUNDS: Statement = {
  name: 'search.refunds',
  text: `SELECT r.* FROM refunds r
    WHERE r.id = ANY (ARRAY(SELECT $3::bigint UNION ALL (
        SELECT id FROM refunds WHERE merchant_id = ANY (ARRAY[$1::bigint]) AND provider_refund_id = ANY (ARRAY[$2::text])
        ORDER BY merchant_id DESC, provider_refund_id DESC, id DESC LIMIT $4)))
      AND r.merchant_id = $1
    ORDER BY (r.id = $3) IS TRUE DESC, r.id DESC LIMIT $4`,
};
