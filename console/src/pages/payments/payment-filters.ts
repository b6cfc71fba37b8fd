import type { Query } from '../../api/use-list';

/** The filters, with their names in the API. In the address all are text. */
export const FILTERS = [
  'search',
  'status',
  'flow_id',
  'shop_id',
  'payment_session_id',
  'provider_transaction_id',
  'customer_id',
  'customer_reference',
  'customer_email',
  'metadata',
  'from',
  'to',
  'lapses_from',
  'lapses_before',
] as const;

/** The filters that are times. */
export const TIMES: readonly string[] = ['from', 'to', 'lapses_from', 'lapses_before'];

export type PaymentFilters = Partial<Record<(typeof FILTERS)[number], string>>;

export const STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'refunded'] as const;

/** Reads the filters of an address, without unknown and empty ones. The router passes ids as numbers. */
export function filtersOf(search: Record<string, unknown>): PaymentFilters {
  const given = FILTERS.map((name) => [name, textOf(search[name])] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** The filters as parameters of the API. `metadata` is `key=value` in the address. */
export function parametersOf({ metadata, ...filters }: PaymentFilters): Query {
  if (metadata === undefined) return filters;
  const [key = '', ...value] = metadata.split('=');
  return { ...filters, metadata: { [key.trim()]: value.join('=').trim() } };
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
