import { DECLINE_CODES, declineParty } from '@payment-orchestrator/provider-kit';
import type { Statement } from '../../platform/database/database.js';
import type { SegmentField } from '@payment-orchestrator/routing/facts/segment';
import { APPROVAL_CELLS } from '../../shared/relations.js';

/** The hours that are read, including the current one. */
const CELL_HOURS = 36;

/** After this many hours an outcome counts for half as much. */
export const HALF_LIFE_HOURS = 12;

/** The maximum number of cells that are used. Finer ones that are left out back off to the coarser rate. */
const MAX_CELLS = 5_000;

/** The maximum number of rows that are read, shared equally by the shops. */
export const MAX_ROWS = 200_000;

/** The codes that say nothing about the shop, as for `shop_outcomes`: the payer's own, and missing payment methods. */
export const CODES_LEFT_OUT: readonly string[] = DECLINE_CODES.filter((code) =>
  ['payer', 'configuration'].includes(declineParty(code)),
);

export interface SegmentCellRow {
  shop_id: number;
  /** `null`: of all values. */
  first: string | null;
  second: string | null;
  approved: number;
  others: number;
}

const COLUMNS: Record<SegmentField, string> = {
  currency: 'currency',
  country: 'country',
  'card.scheme': 'scheme',
  'card.funding': 'funding',
  'card.issuer_country': 'issuer_country',
  'card.bin': 'bin',
};

const IS_APPROVED = `outcome = 'approved'`;
const IS_COUNTED = `(outcome IN ('approved', 'unavailable', 'unknown')
      OR (outcome IN ('declined', 'soft_declined') AND decline_code <> ALL ($5)))`;

/**
 * The outcomes of shops by one or two fields, each of them also in total, the largest cells first. $1 merchant, $2 whether
 * `card.bin` is one of the fields, $3 shops, $4 the current hour, $5 decline codes that do not count, $6 the maximum
 * number of rows of a shop, which are read by primary key, newest hour first.
 */
export const segmentCells = (fields: readonly SegmentField[]): Statement => {
  const [first, second] = fields.map((field) => COLUMNS[field]);
  return {
    name: `flows.segment_cells_by_${fields.map((field) => COLUMNS[field]).join('_and_')}`,
    text: `
      SELECT shop_id, first, ${second === undefined ? 'NULL AS second' : 'second'},
        coalesce(sum(counted) FILTER (WHERE ${IS_APPROVED}), 0)::float8 AS approved,
        coalesce(sum(counted) FILTER (WHERE NOT ${IS_APPROVED}), 0)::float8 AS others
      FROM unnest($3::bigint[]) AS s (shop_id)
      CROSS JOIN LATERAL (
        SELECT ${first} AS first, ${second ?? 'NULL'} AS second, outcome, decline_code,
          attempts * power(0.5::float8, extract(epoch FROM $4::timestamptz - hour)::float8 / ${3_600 * HALF_LIFE_HOURS}) AS counted
        FROM ${APPROVAL_CELLS} c
        WHERE c.merchant_id = $1 AND c.by_bin = $2 AND c.shop_id = s.shop_id
          AND c.hour > $4::timestamptz - interval '${CELL_HOURS} hours'
        ORDER BY c.hour DESC LIMIT $6
      ) cell
      WHERE ${IS_COUNTED}
      GROUP BY shop_id, ROLLUP (first${second === undefined ? '' : ', second'})
      ORDER BY sum(counted) DESC LIMIT ${MAX_CELLS}`,
  };
};
