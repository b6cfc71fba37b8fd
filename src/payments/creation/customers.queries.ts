import type { Statement } from '../../platform/database/database.js';
import { CUSTOMER_FIELDS } from '../../webhooks/outbox/webhook-body.js';
import { CUSTOMER_COLUMNS } from '../store/customer.js';

const COLUMNS = CUSTOMER_COLUMNS.join(', ');

/** Fields of a customer in JSON: as columns, and as columns of `c` in `customerIn`. */
export const FIELDS = CUSTOMER_FIELDS.join(', ');
export const FIELDS_OF_C = CUSTOMER_FIELDS.map((field) => `c.${field}`).join(', ');
export const customerIn = (json: string): string =>
  `json_to_record(${json}) AS c (${CUSTOMER_FIELDS.map((field) => `${field} text`).join(', ')})`;

const find = (name: string, column: 'id' | 'reference'): Statement => ({
  name,
  text: `SELECT id, erased_at, ${COLUMNS} FROM customers WHERE merchant_id = $1 AND ${column} = $2`,
});

/** $1 merchant, $2 customer. */
export const FIND_BY_ID = find('customers.find_by_id', 'id');
/** $1 merchant, $2 reference. An erased customer has no reference. */
export const FIND_BY_REFERENCE = find('customers.find_by_reference', 'reference');

/**
 * Finds or creates the customer with a reference: $1 merchant, $2 reference, $3 JSON of the given fields. Of two
 * concurrent requests one creates it, and the other waits and finds it. A customer that is erased concurrently has no
 * reference when its row is read again, so that a new one is created.
 */
export const SAVE_BY_REFERENCE: Statement = {
  name: 'customers.save_by_reference',
  text: `INSERT INTO customers (merchant_id, reference, ${FIELDS})
    SELECT $1::bigint, $2::text, ${FIELDS_OF_C}
    FROM ${customerIn('$3')}
    ON CONFLICT (merchant_id, reference) WHERE reference IS NOT NULL
    DO UPDATE SET ${CUSTOMER_FIELDS.map((field) => `${field} = COALESCE(EXCLUDED.${field}, customers.${field})`).join(', ')}
    RETURNING id, erased_at, ${COLUMNS}`,
};

/** Reserves the id of a customer that is stored later. */
export const TAKE_CUSTOMER_ID: Statement = {
  name: 'customers.take_id',
  text: `SELECT nextval('customers_id_seq') AS id`,
};
