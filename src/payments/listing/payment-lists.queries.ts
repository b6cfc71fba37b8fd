import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import { WALK_STEPS } from '../../platform/http/walked-page.js';
import { selectPayments } from '../ledger/payment.queries.js';
import { LIST_FILTERS, type ListFilter } from './list-filters.js';
import { hasEmail, selectCustomersByEmail } from '../customers/email-sql.js';
import { hasTerm, hasValue, type MetadataValue } from './search.queries.js';
import { SHOPS } from '../../shared/relations.js';

/** Payments by the time of their creation: see `firstIdSince`. */
export const PAYMENTS_IN_TIME = searchByTime('payments.in_time', 'payments');

/**
 * A page of a merchant's payments, newest first: $1 merchant, $2 statuses, $3 id to stay below, $4 limit, $5 lowest id,
 * then the values of the `given` filters, in the order of `LIST_FILTERS`. For filters of which `isIndexed`: the cost does
 * not depend on the number of payments. Matches are read newest first from one index until the page is full; for several
 * statuses, at most `limit` rows of each.
 */
export function listPayments(given: readonly ListFilter[]): Statement {
  const parameters = parametersOf(given);
  const selective = selectiveOf(parameters);
  const conditions = conditionsOf(parameters);
  return {
    // numbers of the filters: PostgreSQL cuts names after 63 characters, and then many filters would share one
    name: nameOf('payments.list', given),
    text: selective
      ? selectSelective(selective.order, conditions)
      : parameters.has('metadataKey')
        ? selectByTerm(valueIn(parameters), conditions)
        : parameters.has('customerEmail')
          ? selectByEmail(parameters.get('customerEmail')!, conditions)
          : selectByStatus(leadingColumn(parameters), conditions),
  };
}

/** Whether one index has all of the filters, so that every payment that is read matches. */
export function isIndexed(given: readonly ListFilter[], hasStatus: boolean): boolean {
  const fields = given.filter((filter) => filter !== 'metadataValue');
  if (fields.length === 0) return true;
  return fields.length === 1 && (fields[0] === 'shopId' || (!hasStatus && !UNINDEXED.includes(fields[0]!)));
}

/** Filters that no index begins with. */
const UNINDEXED: readonly ListFilter[] = ['from', 'to', 'updatedFrom', 'moreMetadata'];

/**
 * The same list, with any filters: a walk over payments that one index finds, of which only the other filters read
 * themselves. The last parameter is the number of payments to look at. See `walkedPage`.
 */
export function walkPayments(given: readonly ListFilter[]): Statement {
  const parameters = parametersOf(given);
  const count = `$${given.length + 6}`;
  return {
    name: nameOf('payments.walk', given),
    text: `WITH walked AS MATERIALIZED (${candidatesOf(parameters, count)}
    ), page AS MATERIALIZED (
      SELECT q.* FROM (SELECT id FROM walked ORDER BY id DESC) w CROSS JOIN LATERAL (
        SELECT q.* FROM payments q WHERE q.id = w.id AND ${[IN_STATUS, ...conditionsOf(parameters)].join(' AND ')} OFFSET 0
      ) q ORDER BY w.id DESC LIMIT $4
    )
    SELECT w.walked_to, w.walked, m.* FROM (SELECT min(id) AS walked_to, count(*)::integer AS walked FROM walked) w
    LEFT JOIN (${selectPayments('page')}) m ON true ORDER BY m.id DESC`,
  };
}

/** A step of a walk reads so many payments of each customer with the address. */
const EMAIL_STEPS = [200] as const;

export const walkSteps = (given: readonly ListFilter[]): readonly number[] =>
  driverOf(parametersOf(given)) === 'customerEmail' ? EMAIL_STEPS : WALK_STEPS;

const parametersOf = (given: readonly ListFilter[]): Map<ListFilter, string> =>
  new Map(given.map((filter, index) => [filter, `$${index + 6}`]));

const nameOf = (name: string, given: readonly ListFilter[]): string =>
  [name, ...given.map((filter) => LIST_FILTERS.indexOf(filter))].join('.');

const selectiveOf = (parameters: Map<ListFilter, string>): (typeof SELECTIVE)[number] | undefined =>
  SELECTIVE.find(({ filter }) => parameters.has(filter));

const conditionsOf = (parameters: Map<ListFilter, string>): string[] => [
  equation(MERCHANT),
  ...columnsOf(parameters).map(equation),
  ...[...parameters].flatMap(([filter, parameter]) => CONDITIONS[filter]?.(parameter) ?? []),
  ...(parameters.has('metadataKey') ? [hasValue(valueIn(parameters))] : []),
];

/** The filter whose index a walk follows; `undefined`: that of the merchant, shop or flow. */
const driverOf = (parameters: Map<ListFilter, string>): ListFilter | undefined =>
  [...SELECTIVE.map(({ filter }) => filter), 'metadataKey' as const, 'customerEmail' as const].find((filter) =>
    parameters.has(filter),
  );

/** Ids of payments in the order of one index, which has the merchant in its condition: the newest `count`. */
function candidatesOf(parameters: Map<ListFilter, string>, count: string): string {
  const driver = driverOf(parameters);
  const parameter = parameters.get(driver!)!;
  switch (driver) {
    case 'transactionId':
      return `
      SELECT q.id FROM payments q WHERE q.id < $3 AND q.id + 0 >= $5 AND ${hasTransaction(parameter)}
      ORDER BY q.id DESC LIMIT ${count}`;
    case 'sessionId':
      return `
      SELECT q.id FROM payments q WHERE ${[equation(MERCHANT), ...withinIds('payment_session_id', `${parameter}::text`)].join(' AND ')}
      ORDER BY q.merchant_id DESC, q.payment_session_id DESC, q.id DESC LIMIT ${count}`;
    case 'customerId':
    case 'customerReference': {
      const column = driver === 'customerId' ? 'id' : 'reference';
      return paymentsOfCustomers(`SELECT id FROM customers WHERE merchant_id = $1 AND ${column} = ${parameter}`, count);
    }
    case 'customerEmail':
      return paymentsOfCustomers(selectCustomersByEmail('$1', parameter, MAX_EMAIL_CUSTOMERS), count);
    case 'metadataKey':
      return `
      SELECT t.payment_id AS id FROM payment_terms t
      WHERE ${hasTerm(valueIn(parameters))} AND t.payment_id < $3 AND t.payment_id >= $5
      ORDER BY t.payment_id DESC LIMIT ${count}`;
    default: {
      const leading = leadingColumn(parameters);
      const own = columnsOf(parameters).map(({ column, value }) => owned(TABLE_OF[column], value));
      if (leading.column === 'flow_id')
        return `
      SELECT q.id FROM payments q WHERE ${[...withinIds('flow_id', leading.value), ...own].join(' AND ')}
      ORDER BY q.flow_id DESC, q.id DESC LIMIT ${count}`;
      return `
      SELECT page.id FROM unnest($2::text[]) AS st CROSS JOIN LATERAL (
        SELECT q.id FROM payments q WHERE ${[equation(leading), WITHIN, ...own].join(' AND ')}
        ORDER BY q.${leading.column} DESC, q.status DESC, q.id DESC LIMIT ${count}
      ) page
      ORDER BY page.id DESC LIMIT ${count}`;
    }
  }
}

const paymentsOfCustomers = (customers: string, count: string): string => `
      SELECT page.id FROM (${customers}) c CROSS JOIN LATERAL (
        SELECT q.id FROM payments q WHERE ${['q.customer_id IS NOT NULL', ...withinIds('customer_id', 'c.id')].join(' AND ')}
        ORDER BY q.customer_id DESC, q.id DESC LIMIT ${count}
      ) page
      ORDER BY page.id DESC LIMIT ${count}`;

/** Bounds of ids after a column of an index, as comparisons of rows: see `WITHIN`. */
const withinIds = (column: string, value: string): string[] => [
  `(q.${column}, q.id) >= (${value}, $5::bigint)`,
  `(q.${column}, q.id) < (${value}, $3::bigint)`,
];

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

const selectByStatus = ({ column, value }: LeadingColumn, conditions: string[]): string => {
  if (column === 'flow_id') return selectOfFlow(value, conditions);
  return `${selectPayments(`(
    SELECT page.* FROM unnest($2::text[]) AS st
    CROSS JOIN LATERAL (
      SELECT q.* FROM payments q WHERE ${[WITHIN, ...conditions].join(' AND ')}
      ORDER BY q.${column} DESC, q.status DESC, q.id DESC LIMIT $4
    ) page
    ORDER BY page.id DESC LIMIT $4
  )`)} ORDER BY p.id DESC`;
};

/** The index of a flow's payments has no status: a list of some statuses is a walk. */
const selectOfFlow = (flow: string, conditions: string[]): string =>
  `${selectPayments(`(
    SELECT q.* FROM payments q WHERE ${[IN_STATUS, ...withinIds('flow_id', flow), ...conditions].join(' AND ')}
    ORDER BY q.flow_id DESC, q.id DESC LIMIT $4
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
  column: keyof typeof TABLE_OF;
  value: string;
}

/** Tables of the columns that lead an index of payments. */
const TABLE_OF = { merchant_id: 'merchants', shop_id: 'shops', flow_id: 'flows' } as const;

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
  const inOwnShops = `shop_id = ANY (ARRAY(SELECT id FROM ${SHOPS} shop WHERE merchant_id = $1))`;
  return `q.id = ANY (ARRAY(
      SELECT id FROM payments WHERE ${inOwnShops} AND provider_transaction_id = ${parameter}
      UNION ALL
      SELECT payment_id FROM payment_attempts WHERE ${inOwnShops} AND left_transaction_id = ${parameter}))`;
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
  updatedFrom: (parameter) => `q.updated_at >= ${parameter}`,
  moreMetadata: (parameter) => `NOT EXISTS (SELECT FROM json_each_text(${parameter}::json) more
      WHERE q.metadata ->> more.key IS DISTINCT FROM more.value)`,
};

/** Filters that match few payments, the most selective first, and the order of their index. */
const SELECTIVE = [
  { filter: 'transactionId', order: 'q.id DESC' },
  { filter: 'sessionId', order: 'q.merchant_id DESC, q.payment_session_id DESC, q.id DESC' },
  { filter: 'customerId', order: 'q.customer_id DESC, q.id DESC' },
  { filter: 'customerReference', order: 'q.customer_id DESC, q.id DESC' },
] as const satisfies { filter: ListFilter; order: string }[];
