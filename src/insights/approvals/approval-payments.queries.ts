import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import { isoTime } from '../../platform/database/iso-time.js';
import type { WalkedRow } from '../../platform/http/walked-page.js';
import { SEGMENT_BIN_DIGITS } from '@payment-orchestrator/routing/facts/segment';
import { FIELD_COLUMNS } from './approvals.queries.js';
import { ATTEMPTS, PAYMENTS, SHOPS } from '../../shared/relations.js';

/** The time-out of a statement, in ms: a person waits for the page. */
const TIMEOUT_MS = 3_000;

export const BOUND_TIME: Statement = {
  name: 'insights.bound_time',
  text: `SELECT set_config('statement_timeout', '${TIMEOUT_MS}', true)`,
};

/** Payments by the time of their creation: see `firstIdSince`. */
export const PAYMENTS_IN_TIME = searchByTime('approvals.payments_in_time', `${PAYMENTS} payment`);

/** An attempt that matches, as the answer shows it. */
export interface MatchingAttempt {
  number: number;
  shop_id: number;
  shop_name: string;
  outcome: string;
  decline_code: string | null;
  card: { scheme: string | null; funding: string | null; issuer_country: string | null; bin: string | null };
  started_at: string;
  ended_at: string;
}

export interface MatchingPaymentRow extends WalkedRow {
  status: string;
  amount: string;
  currency: string;
  country: string | null;
  created_at: Date;
  attempts: MatchingAttempt[];
}

const cardFact = (name: string): string => `coalesce(a.card ->> '${name}', p.payment_method -> 'card' ->> '${name}')`;

const FACTS: Record<(typeof FIELD_COLUMNS)[number], string> = {
  currency: 'p.currency',
  country: 'p.country',
  scheme: cardFact('scheme'),
  funding: cardFact('funding'),
  issuer_country: cardFact('issuer_country'),
  bin: `left(${cardFact('bin')}, ${SEGMENT_BIN_DIGITS})`,
};

const MATCHES = FIELD_COLUMNS.map((column, index) => {
  const parameter = `$${index + 9}::text`;
  return `(${parameter} IS NULL OR coalesce(${FACTS[column]}, '') = ${parameter})`;
}).join('\n          AND ');

const CARD = (['scheme', 'funding', 'issuer_country', 'bin'] as const).map((name) => `'${name}', ${FACTS[name]}`);

const STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled', 'refunded'];

/**
 * A walk over a merchant's payments, newest first, to those with a matching attempt. $1 merchant, $2 id to
 * stay below, $3 the first id of the period, $4 the number of payments to look at, $5 limit of payments, $6 from and $7 to,
 * in which the attempt began, $8 shop, null: any, $9 to $14 values of the fields, null: any, '': unknown, $15 outcomes, $16
 * decline code, null: any. An index in the order of the merchant's payments; attempts are looked up by their payment. As in
 * the list of payments, comparisons of rows and `= ANY` keep the planner from other indexes. A first attempt begins with its
 * payment. Later attempts of payments from before the period have an index of their own, which only the last step reads.
 */
export const WALK_PAYMENTS: Statement = {
  name: 'approvals.walk_payments',
  text: `WITH created AS MATERIALIZED (
      SELECT page.id FROM unnest('{${STATUSES.join(', ')}}'::text[]) AS st CROSS JOIN LATERAL (
        SELECT q.id FROM ${PAYMENTS} q WHERE q.merchant_id = ANY (ARRAY[$1::bigint])
          AND (q.status, q.id) >= (st, $3::bigint) AND (q.status, q.id) < (st, $2::bigint)
        ORDER BY q.merchant_id DESC, q.status DESC, q.id DESC LIMIT $4
      ) page
      ORDER BY page.id DESC LIMIT $4
    ), walked AS MATERIALIZED (
      SELECT id FROM created
      UNION ALL
      (SELECT DISTINCT late.payment_id FROM (
        SELECT id FROM ${SHOPS} shop WHERE merchant_id = $1 AND ($8::bigint IS NULL OR id = $8)
      ) own CROSS JOIN LATERAL (
        SELECT a.payment_id FROM ${ATTEMPTS} a
        WHERE a.shop_id = own.id AND a.number > 1 AND a.started_at >= $6 AND a.started_at < $7
          AND a.payment_id < least($2::bigint, $3::bigint)
        OFFSET 0
      ) late
      ORDER BY late.payment_id DESC LIMIT $4 - (SELECT count(*) FROM created))
    ), matching AS (
      SELECT p.id, p.status, p.amount, p.currency, p.country, p.created_at, m.attempts
      FROM (SELECT id FROM walked ORDER BY id DESC) w CROSS JOIN LATERAL (
        SELECT id, status, amount, currency, country, created_at, payment_method FROM ${PAYMENTS} payment WHERE id = w.id OFFSET 0
      ) p CROSS JOIN LATERAL (
        SELECT json_agg(json_build_object('number', a.number, 'shop_id', a.shop_id,
          'shop_name', (SELECT name FROM ${SHOPS} shop WHERE id = a.shop_id), 'outcome', a.outcome, 'decline_code', a.decline_code,
          'card', json_build_object(${CARD.join(', ')}),
          'started_at', ${isoTime('a.started_at')}, 'ended_at', ${isoTime('a.ended_at')}) ORDER BY a.number) AS attempts
        FROM ${ATTEMPTS} a
        WHERE a.payment_id = p.id AND a.outcome = ANY ($15::text[]) AND a.started_at >= $6 AND a.started_at < $7
          AND ($8::bigint IS NULL OR a.shop_id = $8) AND ($16::text IS NULL OR a.decline_code = $16)
          AND ${MATCHES}
      ) m
      WHERE m.attempts IS NOT NULL ORDER BY w.id DESC LIMIT $5
    )
    SELECT w.walked_to, w.walked, m.* FROM (SELECT min(id) AS walked_to, count(*)::integer AS walked FROM walked) w
    LEFT JOIN matching m ON true ORDER BY m.id DESC`,
};
