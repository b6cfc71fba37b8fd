import { ATTEMPTS, DISPUTES, PAYMENTS, REFUNDS, STATUS_CHANGES } from '../../shared/relations.js';

export const REPORTS = ['payments', 'captures', 'refunds', 'disputes', 'fees', 'approvals'] as const;
export type Report = (typeof REPORTS)[number];

/** A report's rows: how to find them, and by what they count. */
export interface Source {
  /** Selects `position` and `id` of rows in the order of an index: the next $4 after the last page's. */
  walk: string;
  /** `FROM …` of a row `w` of the walk. */
  from: string;
  /** SQL of the time, shop, currency and amount by which a row counts. */
  at: string;
  shop: string;
  currency: string;
  amount: string;
  /** SQL of the values by which rows are summed in addition to period, shop and currency. */
  groups: Record<string, string>;
  /** SQL of the columns that only rows have, in their order; `details` follow `before`. */
  details: Record<string, string>;
}

const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'refunded'];
const DISPUTE_STATUSES = ['open', 'under_review', 'won', 'lost', 'accepted'];

/**
 * Rows of merchant $1 in the order of their ids, above $2 and below $3. Each status is read by its index, as in the lists. A row
 * that changes its status during the walk still counts once, because pages have different ids.
 */
const byId = (relation: string, statuses: readonly string[]): string => `
      SELECT 0::bigint AS position, page.id FROM unnest('{${statuses.join(', ')}}'::text[]) AS st CROSS JOIN LATERAL (
        SELECT q.id FROM ${relation} q WHERE q.merchant_id = ANY (ARRAY[$1::bigint])
          AND (q.status, q.id) > (st, $2::bigint) AND (q.status, q.id) < (st, $3::bigint)
        ORDER BY q.merchant_id, q.status, q.id LIMIT $4
      ) page ORDER BY page.id LIMIT $4`;

/** Changes of status in the order of their events: after the position $8 and the id $2, below the position $3. */
const BY_POSITION = `
      SELECT c.event_position AS position, c.id, c.payment_id, c.from_status, c.to_status, c.at FROM ${STATUS_CHANGES} c
      WHERE c.merchant_id = $1 AND (c.event_position, c.id) > ($8::bigint, $2::bigint) AND c.event_position < $3
      ORDER BY c.merchant_id, c.event_position, c.id LIMIT $4`;

const ORDER = { payment_id: 'p.id', order_id: `p.metadata ->> 'order_id'` };
const TRANSACTION = { provider: 'p.payment_provider', transaction_id: 'p.provider_transaction_id' };
/** The provider's facts about the card come before the merchant's, as in approvals. */
const scheme = (attempt: string): string =>
  `coalesce(${attempt}.card ->> 'scheme', p.payment_method -> 'card' ->> 'scheme')`;
const paymentJoin = (relation: string, on: string): string =>
  `FROM ${relation} r JOIN ${PAYMENTS} p ON p.id = r.payment_id WHERE ${on}`;

/** A payment is captured when it becomes completed; a refund that fails later makes it completed again. */
const CAPTURED: Source = {
  walk: BY_POSITION,
  from: `FROM ${PAYMENTS} p LEFT JOIN ${ATTEMPTS} a ON a.payment_id = p.id AND a.number = p.attempt
        WHERE p.id = w.payment_id AND w.to_status = 'completed' AND w.from_status IN ('pending', 'processing')`,
  at: 'w.at',
  shop: 'p.shop_id',
  currency: 'p.currency',
  amount: 'p.amount_captured',
  groups: {},
  details: { ...ORDER, ...TRANSACTION, reference: 'a.reference' },
};

export const SOURCES: Record<Report, Source> = {
  payments: {
    walk: byId(PAYMENTS, PAYMENT_STATUSES),
    from: `FROM ${PAYMENTS} p WHERE p.id = w.id`,
    at: 'p.created_at',
    shop: 'p.shop_id',
    currency: 'p.currency',
    amount: 'p.amount',
    groups: {},
    details: { ...ORDER, ...TRANSACTION, status: 'p.status', country: 'p.country' },
  },
  captures: CAPTURED,
  refunds: {
    walk: byId(REFUNDS, ['succeeded']),
    from: paymentJoin(REFUNDS, 'r.id = w.id'),
    at: 'r.updated_at',
    shop: 'r.shop_id',
    currency: 'r.currency',
    amount: 'r.amount',
    groups: {},
    details: { refund_id: 'r.id', ...ORDER, ...TRANSACTION, provider_refund_id: 'r.provider_refund_id' },
  },
  disputes: {
    walk: byId(DISPUTES, DISPUTE_STATUSES),
    from: paymentJoin(DISPUTES, 'r.id = w.id'),
    at: 'r.opened_at',
    shop: 'r.shop_id',
    currency: 'r.currency',
    amount: 'r.amount',
    groups: {},
    details: {
      dispute_id: 'r.id',
      ...ORDER,
      ...TRANSACTION,
      provider_dispute_id: 'r.provider_dispute_id',
      kind: 'r.kind',
      status: 'r.status',
      reason_code: 'r.reason_code',
    },
  },
  fees: {
    ...CAPTURED,
    groups: { scheme: `p.payment_method -> 'card' ->> 'scheme'`, type: `p.payment_method ->> 'type'` },
  },
  approvals: {
    walk: byId(PAYMENTS, PAYMENT_STATUSES),
    from: `FROM ${PAYMENTS} p JOIN ${ATTEMPTS} a ON a.payment_id = p.id WHERE p.id = w.id AND a.outcome IS NOT NULL`,
    at: 'p.created_at',
    shop: 'a.shop_id',
    currency: 'p.currency',
    amount: 'p.amount',
    groups: { scheme: scheme('a'), country: 'p.country', outcome: 'a.outcome' },
    details: {
      ...ORDER,
      attempt: 'a.number',
      outcome: 'a.outcome',
      decline_code: 'a.decline_code',
      scheme: scheme('a'),
      country: 'p.country',
    },
  },
};
