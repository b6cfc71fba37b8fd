import type { Statement } from '../../platform/database/database.js';
import { CUSTOMER_FIELDS } from '../../webhooks/outbox/webhook-body.js';
import { CUSTOMER_COLUMNS } from '../ledger/customer.js';

const COLUMNS = CUSTOMER_COLUMNS.join(', ');

/** Of a customer that comes as JSON: its columns, and the same of `c` in `customerIn`. */
export const FIELDS = CUSTOMER_FIELDS.join(', ');
export const FIELDS_OF_C = CUSTOMER_FIELDS.map((field) => `c.${field}`).join(', ');
export const customerIn = (json: string): string =>
  `json_to_record(${json}) AS c (${CUSTOMER_FIELDS.map((field) => `${field} text`).join(', ')})`;

/** $1 merchant, $2 reference. An erased customer has none. */
export const FIND_BY_REFERENCE: Statement = {
  name: 'customers.find_by_reference',
  text: `SELECT id, erased_at, ${COLUMNS} FROM customers WHERE merchant_id = $1 AND reference = $2`,
};

/**
 * $1 merchant, $2 reference, $3 JSON of the fields that are given → the customer, made or found. Of two that come at once
 * one makes it, and the other waits for that and finds it. One that is erased at this moment has no reference any more
 * when it is looked at again, so that another one is made.
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

/** The id of a customer that is yet to be stored. */
export const TAKE_CUSTOMER_ID: Statement = {
  name: 'customers.take_id',
  text: `SELECT nextval('customers_id_seq') AS id`,
};
