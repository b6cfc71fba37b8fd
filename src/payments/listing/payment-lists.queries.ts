import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import { deadlineSql } from '../../platform/http/deadline-page.js';
import { lookSql, WALK_STEPS } from '../../platform/http/walked-page.js';
import { selectPayments } from '../store/payment.queries.js';
import { hasEmail, selectCustomersByEmail } from '../customers/customer-lists.queries.js';
import { hasTerm, hasValue, type MetadataValue } from './search.queries.js';
import { SHOPS } from '../../shared/relations.js';

/** Payments by the time of their creation: see `firstIdSince`. */
export const PAYMENTS_IN_TIME = searchByTime('payments.in_time', 'payments');

/** Whether one index has all of the filters, so that every payment that is read matches. */
function isIndexed(given: readonly ListFilter[], hasStatus: boolean): boolean {
  const fields = given.filter((filter) => filter !== 'metadataValue');
  if (fields.length === 0) return true;
  return fields.length === 1 && (fields[0] === 'shopId' || (!hasStatus && !UNINDEXED.includes(fields[0]!)));
}

/** Filters that no index begins with. */
const UNINDEXED: readonly ListFilter[] = ['from', 'to', 'updatedFrom', 'moreMetadata', 'search'];

/**
 * A look at a merchant's payments, newest first: $1 merchant, $2 statuses, $3 id to stay below, $4 limit, $5 lowest id, then the
 * values of the `given` filters, in the order of `LIST_FILTERS`, and the number of payments to look at. One index finds
 * these; of them, only the other filters read themselves. See `walkedPage`.
 */
export function listPayments(given: readonly ListFilter[]): Statement {
  const parameters = parametersOf(given);
  return {
    // numbers of the filters: PostgreSQL cuts names after 63 characters, and then many filters would share one
    name: ['payments.list', ...given.map((filter) => LIST_FILTERS.indexOf(filter))].join('.'),
    text: lookSql({
      candidates: candidatesOf(parameters, `$${given.length + 6}`),
      match: `SELECT q.* FROM payments q WHERE ${['q.id = w.id', IN_STATUS, ...conditionsOf(parameters)].join(' AND ')}`,
      rows: `(${selectPayments('page')})`,
      limit: '$4',
    }),
  };
}

/**
 * Authorised payments of the merchant $1, those that lapse first come first: $2 statuses, $3 limit, $4 time and $5 id to come after,
 * then the values of the `given` filters, and the time before which they lapse. See `deadlinePage`.
 */
export function listLapsing(given: readonly ListFilter[]): Statement {
  const parameters = parametersOf(given);
  return {
    name: ['payments.lapsing', ...given.map((filter) => LIST_FILTERS.indexOf(filter))].join('.'),
    text: deadlineSql({
      ...{ table: 'payments', column: 'capture_before', indexed: 'q.capture_before IS NOT NULL' },
      match: `SELECT q.* FROM payments q WHERE ${['q.id = w.id', IN_STATUS, ...conditionsOf(parameters)].join(' AND ')}`,
      rows: `(${selectPayments('page')})`,
      ...{ limit: '$3', at: '$4', id: '$5', before: `$${given.length + 6}` },
    }),
  };
}

/** A step of a walk reads so many payments of each customer with the address. */
const EMAIL_STEPS = [200] as const;

/** How many payments a page looks at, step by step. */
export function stepsOf(given: readonly ListFilter[], hasStatus: boolean, limit: number): readonly number[] {
  if (isIndexed(given, hasStatus)) return [limit + 1];
  return driverOf(parametersOf(given)) === 'customerEmail' ? EMAIL_STEPS : WALK_STEPS;
}

const parametersOf = (given: readonly ListFilter[]): Map<ListFilter, string> =>
  new Map(given.map((filter, index) => [filter, `$${index + 6}`]));

const conditionsOf = (parameters: Map<ListFilter, string>): string[] => [
  equation(MERCHANT),
  ...columnsOf(parameters).map(equation),
  ...[...parameters].flatMap(([filter, parameter]) => CONDITIONS[filter]?.(parameter) ?? []),
  ...(parameters.has('metadataKey') ? [hasValue(valueIn(parameters))] : []),
];

/** The filter whose index a walk follows; `undefined`: that of the merchant, shop or flow. */
const driverOf = (parameters: Map<ListFilter, string>): ListFilter | undefined =>
  DRIVERS.find((filter) => parameters.has(filter));

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

/** Without a reference, every payment has a customer of its own. */
const MAX_EMAIL_CUSTOMERS = 500;

const IN_STATUS = 'q.status = ANY ($2::text[])';

/**
 * Bounds of status and id as comparisons of rows, which the planner uses only after the leading column. It would take
 * plain bounds of ids for a narrow range, and walk the primary key between them.
 */
const WITHIN = `(q.status, q.id) >= (st, $5::bigint) AND (q.status, q.id) < (st, $3::bigint)`;

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

/**
 * Whether a payment has a part of a text that a person knows, `SearchReadings` as JSON. The metadata is parsed only if the text
 * occurs in it.
 */
function hasReading(parameter: string): string {
  const text = `(${parameter}::json ->> 'text')`;
  return `(q.payment_method #>> '{card,last4}' = ${parameter}::json ->> 'last4'
      OR q.amount IN (SELECT a.value::numeric FROM json_array_elements_text(${parameter}::json -> 'amounts') a)
        AND q.currency = coalesce(${parameter}::json ->> 'currency', q.currency)
      OR CASE WHEN strpos(lower(q.metadata::text), ${text}) > 0
        THEN EXISTS (SELECT FROM json_each_text(q.metadata) e WHERE starts_with(lower(e.value), ${text})) ELSE false END
      OR EXISTS (SELECT FROM customers o WHERE o.id = q.customer_id AND o.merchant_id = q.merchant_id AND strpos(
        lower(concat_ws(' ', o.email, o.reference, o.full_name, o.first_name, o.last_name)), ${text}) > 0))`;
}

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
  search: hasReading,
};

/** Filters whose index a walk can follow, the most selective first. */
const DRIVERS = [
  'transactionId',
  'sessionId',
  'customerId',
  'customerReference',
  'metadataKey',
  'customerEmail',
] as const;

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
  'updatedFrom',
  'moreMetadata',
  'search',
] as const;
export type ListFilter = (typeof LIST_FILTERS)[number];
