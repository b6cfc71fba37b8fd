import type { Statement } from '../../platform/database/database.js';
import { CUSTOMER_COLUMNS } from '../store/customer.js';
import type { CustomerRow } from '../money/state/payment.js';

export interface StoredCustomerRow extends CustomerRow {
  created_at: Date;
  erased_at: Date | null;
}

/** The filters of a list, in the order of their parameters. */
export const CUSTOMER_FILTERS = ['reference', 'email'] as const;
export type CustomerFilterName = (typeof CUSTOMER_FILTERS)[number];

export const CUSTOMER_LIST_COLUMNS = `c.id, c.created_at, c.erased_at, ${CUSTOMER_COLUMNS.map((column) => `c.${column}`).join(', ')}`;

const CONDITIONS: Readonly<Record<CustomerFilterName, (parameter: string) => string>> = {
  reference: (parameter) => `c.reference = ANY (ARRAY[${parameter}::text])`,
  email: (parameter) => hasEmail('c', '$1', parameter),
};

/**
 * A page of a merchant's customers, newest first: $1 merchant, $2 id to stay below, $3 limit, then the values of the
 * `given` filters. The order is that of an index; see `listPayments` for `= ANY (ARRAY[…])`.
 */
export function listCustomers(given: readonly CustomerFilterName[]): Statement {
  const conditions = given.map((filter, index) => CONDITIONS[filter](`$${index + 4}`));
  const hasReference = given.includes('reference');
  const isByEmail = given.includes('email') && !hasReference;
  // the hash of an address contains the merchant; a second condition would let the planner read all of its customers
  const owner = isByEmail ? [] : ['c.merchant_id = ANY (ARRAY[$1::bigint])'];
  const order = isByEmail
    ? byEmail('c')
    : hasReference
      ? 'c.merchant_id DESC, c.reference DESC, c.id DESC'
      : 'c.merchant_id DESC, c.id DESC';
  return {
    name: ['customers.list', ...given].join('.'),
    text: `SELECT ${CUSTOMER_LIST_COLUMNS} FROM customers c
      WHERE ${[...owner, 'c.id < $2', ...conditions].join(' AND ')}
      ORDER BY ${order} LIMIT $3`,
  };
}

/** $1 customer, $2 merchant. */
export const FIND_STORED_CUSTOMER: Statement = {
  name: 'customers.find',
  text: `SELECT ${CUSTOMER_LIST_COLUMNS} FROM customers c WHERE c.id = $1 AND c.merchant_id = $2`,
};

// SQL that finds customers by their address. Its parameters are SQL expressions.

/** Ignores the case of ASCII letters, regardless of the database's locale. */
const lowerCase = (email: string): string => `lower(${email} COLLATE "C")`;

const emailHash = (customer: string): string =>
  `hashtextextended(${lowerCase(`${customer}.email`)}, ${customer}.merchant_id)`;

/**
 * Whether the customer has the address. The first condition is that of the index, in the form that `listPayments`
 * explains; the last two exclude equal hashes.
 */
export const hasEmail = (customer: string, merchant: string, email: string): string =>
  `${emailHash(customer)} = ANY (ARRAY[hashtextextended(${lowerCase(`${email}::text`)}, ${merchant}::bigint)])
      AND ${customer}.email IS NOT NULL AND ${customer}.merchant_id + 0 = ${merchant}
      AND ${lowerCase(`${customer}.email`)} = ${lowerCase(`${email}::text`)}`;

/** Newest first, as the index has it. */
const byEmail = (customer: string): string => `${emailHash(customer)} DESC, ${customer}.id DESC`;

/** Ids of the merchant's customers with the address, the newest ones. */
export const selectCustomersByEmail = (merchant: string, email: string, limit: number | string): string =>
  `SELECT c.id FROM customers c WHERE ${hasEmail('c', merchant, email)} ORDER BY ${byEmail('c')} LIMIT ${limit}`;
