import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import { selectPayments } from '../ledger/payment.queries.js';
import { hasEmail, hasTerm, hasValue, type MetadataValue, selectCustomersByEmail } from './search-sql.js';

/** Payments by the time of their creation: see `firstIdSince`. */
export const PAYMENTS_IN_TIME = searchByTime('payments.in_time', 'payments');

/** The filters of a list apart from the status, in the order of their parameters. */
export const LIST_FILTERS = [
  'transactionId',
  'sessionId',
  'customerId',
  'customerReference',
  'customerEmail',
  'metadataKey',
  'metadataValue',
  'shopId',
  'flowId',
  'from',
  'to',
] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];

/**
 * A page of a merchant's payments, newest first: $1 merchant, $2 statuses, $3 id to stay below, $4 limit, $5 lowest id,
 * then the values of the `given` filters, in the order of `LIST_FILTERS`. The cost does not depend on the number of
 * payments. With a transaction, a session or a customer, only its few payments are read. With metadata or an e-mail
 * address, matches are read newest first until the page is full. Otherwise it is one index scan of at most `limit` rows
 * per status, and with times of the payments created within `DISORDER_MS` of them.
 */
export function listPayments(given: readonly ListFilter[]): Statement {
  const parameters = new Map(given.map((filter, index) => [filter, `$${index + 6}`]));
  const selective = SELECTIVE.find(({ filter }) => parameters.has(filter));
  const conditions = [
    equation(MERCHANT),
    ...columnsOf(parameters).map(equation),
    ...[...parameters].flatMap(([filter, parameter]) => CONDITIONS[filter]?.(parameter) ?? []),
    ...(parameters.has('metadataKey') ? [hasValue(valueIn(parameters))] : []),
  ];
  return {
    // numbers of the filters: PostgreSQL cuts names after 63 characters, and then many filters would share one
    name: ['payments.list', ...given.map((filter) => LIST_FILTERS.indexOf(filter))].join('.'),
    text: selective
      ? selectSelective(selective.order, conditions)
      : parameters.has('metadataKey')
        ? selectByTerm(valueIn(parameters), conditions)
        : parameters.has('customerEmail')
          ? selectByEmail(parameters.get('customerEmail')!, conditions)
          : selectByStatus(leadingColumn(parameters), conditions),
  };
}

const valueIn = (parameters: Map<ListFilter, string>): MetadataValue => ({
  merchant: '$1',
  key: `${parameters.get('metadataKey')!}::text`,
  value: `${parameters.get('metadataValue')!}::text`,
});

/** `OFFSET 0`: each payment is looked up by its id, in the order of the terms, and the look-ups end with the page. */
const selectByTerm = (value: MetadataValue, conditions: string[]): string =>
  `${selectPayments(`(
    SELECT q.* FROM payment_terms t CROSS JOIN LATERAL (
      SELECT q.* FROM payments q WHERE q.id = t.payment_id AND ${[IN_STATUS, ...conditions].join(' AND ')} OFFSET 0
    ) q
    WHERE ${hasTerm(value)} AND t.payment_id < $3 AND t.payment_id >= $5
    ORDER BY t.payment_id DESC LIMIT $4
  )`)} ORDER BY p.id DESC`;

/** Without a reference, every payment has a customer of its own. */
const MAX_EMAIL_CUSTOMERS = 500;

/** Payments of the newest `MAX_EMAIL_CUSTOMERS` with the address, at most a page of each. */
const selectByEmail = (email: string, conditions: string[]): string =>
  `${selectPayments(`(
    SELECT page.* FROM (${selectCustomersByEmail('$1', email, MAX_EMAIL_CUSTOMERS)}) c
    CROSS JOIN LATERAL (
      SELECT q.* FROM payments q WHERE q.customer_id = c.id AND q.id < $3 AND q.id >= $5 AND
        ${[IN_STATUS, ...conditions].join(' AND ')}
      ORDER BY q.customer_id DESC, q.id DESC LIMIT $4
    ) page
    ORDER BY page.id DESC LIMIT $4
  )`)} ORDER BY p.id DESC`;

const IN_STATUS = 'q.status = ANY ($2::text[])';

const selectByStatus = ({ column }: LeadingColumn, conditions: string[]): string =>
  `${selectPayments(`(
    SELECT page.* FROM unnest($2::text[]) AS st
    CROSS JOIN LATERAL (
      SELECT q.* FROM payments q WHERE ${[WITHIN, ...conditions].join(' AND ')}
      ORDER BY q.${column} DESC, q.status DESC, q.id DESC LIMIT $4
    ) page
    ORDER BY page.id DESC LIMIT $4
  )`)} ORDER BY p.id DESC`;

/**
 * Bounds of status and id as comparisons of rows, which the planner uses only after the leading column. It would take
 * plain bounds of ids for a narrow range, and walk the primary key between them.
 */
const WITHIN = `(q.status, q.id) >= (st, $5::bigint) AND (q.status, q.id) < (st, $3::bigint)`;

/** `id + 0`: prevents a second bound of ids here as well, and needs no index. */
const selectSelective = (order: string, conditions: string[]): string =>
  `${selectPayments(`(
    SELECT q.* FROM payments q WHERE ${IN_STATUS} AND q.id < $3 AND q.id + 0 >= $5 AND
      ${conditions.join(' AND ')}
    ORDER BY ${order} LIMIT $4
  )`)} ORDER BY p.id DESC`;

interface LeadingColumn {
  column: string;
  value: string;
}

const MERCHANT: LeadingColumn = { column: 'merchant_id', value: '$1' };
const COLUMN_OF = { shopId: 'shop_id', flowId: 'flow_id' } as const;

const columnsOf = (parameters: Map<ListFilter, string>): LeadingColumn[] =>
  (['shopId', 'flowId'] as const).flatMap((filter) => {
    const value = parameters.get(filter);
    return value === undefined ? [] : [{ column: COLUMN_OF[filter], value }];
  });

/** The leading column of the index to use. */
const leadingColumn = (parameters: Map<ListFilter, string>): LeadingColumn => columnsOf(parameters)[0] ?? MERCHANT;

/**
 * `= ANY (ARRAY[…])` with one value, here and above. With a plain `=` the planner knows that the leading columns are
 * constant, takes the primary key for the order, and walks it past all other payments, which never ends for a rare
 * status.
 */
const equation = ({ column, value }: LeadingColumn): string => `q.${column} = ANY (ARRAY[${value}::bigint])`;

/** A shop's or flow's index is used only if the shop or flow is the merchant's own. */
const owned = (table: string, parameter: string): string =>
  `EXISTS (SELECT 1 FROM ${table} WHERE id = ${parameter} AND merchant_id = $1)`;

/**
 * A transaction id is indexed with its shop: one look-up for each shop of the merchant, of which there are at most a
 * thousand.
 */
const hasTransaction = (parameter: string): string => {
  const inOwnShops = `shop_id = ANY (ARRAY(SELECT id FROM shops WHERE merchant_id = $1)) AND provider_transaction_id = ${parameter}`;
  return `q.id = ANY (ARRAY(
      SELECT id FROM payments WHERE ${inOwnShops}
      UNION ALL
      SELECT payment_id FROM payment_attempts WHERE ${inOwnShops} AND outcome IN ('soft_declined', 'unavailable')))`;
};

const hasCustomer = (column: string, parameter: string): string =>
  `q.customer_id IS NOT NULL AND q.customer_id = ANY (ARRAY(
      SELECT id FROM customers WHERE merchant_id = $1 AND ${column} = ${parameter}))`;

/**
 * Prevents the use of an index: the planner takes a span of time for narrow, and would skip through all flows of all
 * merchants.
 */
const CREATED_AT = `q.created_at + interval '0'`;

const CONDITIONS: Readonly<Partial<Record<ListFilter, (parameter: string) => string>>> = {
  transactionId: hasTransaction,
  sessionId: (parameter) => `q.payment_session_id = ANY (ARRAY[${parameter}::text])`,
  customerId: (parameter) => hasCustomer('id', parameter),
  customerReference: (parameter) => hasCustomer('reference', parameter),
  customerEmail: (parameter) =>
    `EXISTS (SELECT FROM customers o WHERE o.id = q.customer_id AND ${hasEmail('o', '$1', parameter)})`,
  shopId: (parameter) => owned('shops', parameter),
  flowId: (parameter) => owned('flows', parameter),
  from: (parameter) => `${CREATED_AT} >= ${parameter}`,
  to: (parameter) => `${CREATED_AT} < ${parameter}`,
};

/** Filters that match few payments, the most selective first, and the order of their index. */
const SELECTIVE = [
  { filter: 'transactionId', order: 'q.id DESC' },
  { filter: 'sessionId', order: 'q.merchant_id DESC, q.payment_session_id DESC, q.id DESC' },
  { filter: 'customerId', order: 'q.customer_id DESC, q.id DESC' },
  { filter: 'customerReference', order: 'q.customer_id DESC, q.id DESC' },
] as const satisfies { filter: ListFilter; order: string }[];
