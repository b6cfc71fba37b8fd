/** The fields that divide payments, with the names of `GET /insights/approvals`. */
export const FIELDS = [
  'currency',
  'country',
  'card.scheme',
  'card.funding',
  'card.issuer_country',
  'card.bin',
] as const;

export type Field = (typeof FIELDS)[number];

export const FIELD_LABELS: Record<Field, string> = {
  currency: 'Currency',
  country: 'Country',
  'card.scheme': 'Card scheme',
  'card.funding': 'Card funding',
  'card.issuer_country': 'Issuer country',
  'card.bin': 'BIN',
};

/** The period that the page shows, unless the URL names another. */
export const PERIODS = [
  { value: '', label: 'Last 24 hours', hours: 24 },
  { value: '3d', label: 'Last 3 days', hours: 72 },
  { value: '7d', label: 'Last 7 days', hours: 168 },
  { value: '30d', label: 'Last 30 days', hours: 720 },
] as const;

type Period = Exclude<(typeof PERIODS)[number]['value'], ''>;

/** The parameters of the page's URL. A chosen cell has a shop and one value per field. */
export interface ApprovalsSearch {
  by?: Field;
  and?: Field;
  period?: Period;
  from?: string;
  order?: 'change';
  shop_id?: number;
  /** The chosen cell: its shop, and the values of `by` and `and`; an empty text is unknown. */
  cell?: number;
  value?: string;
  and_value?: string;
}

export const DEFAULT_FIELD: Field = 'card.scheme';

/** Removes unknown and invalid parameters. */
export function validApprovalsSearch(search: Record<string, unknown>): ApprovalsSearch {
  const by = FIELDS.find((field) => field === search['by']);
  const and = FIELDS.find((field) => field === search['and'] && field !== (by ?? DEFAULT_FIELD));
  const from = typeof search['from'] === 'string' ? Date.parse(search['from']) : NaN;
  const period = PERIODS.find(({ value }) => value !== '' && value === search['period'])?.value;
  const cell = idOf(search['cell']);
  return {
    ...(by && { by }),
    ...(and && { and }),
    ...(Number.isNaN(from) ? period && { period } : { from: new Date(from).toISOString() }),
    ...(search['order'] === 'change' && { order: 'change' as const }),
    ...(idOf(search['shop_id']) !== undefined && { shop_id: idOf(search['shop_id'])! }),
    ...(cell !== undefined && {
      cell,
      value: textOf(search['value']),
      ...(and && { and_value: textOf(search['and_value']) }),
    }),
  };
}

function idOf(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const HOUR_MS = 3_600_000;

/** The beginning of the period, a whole hour, so that the answer can be reused. `undefined`: the API's own default. */
export function startOf({ from, period }: ApprovalsSearch, now: number): string | undefined {
  const hours = PERIODS.find(({ value }) => value === period)?.hours;
  if (from !== undefined || hours === undefined) return from;
  return new Date((Math.floor(now / HOUR_MS) - hours + 1) * HOUR_MS).toISOString();
}

export const fieldsOf = ({ by = DEFAULT_FIELD, and }: ApprovalsSearch): Field[] => [by, ...(and ? [and] : [])];
