import type { Statement } from '../../platform/database/database.js';
import { addTo, type Counter, summed } from '../../platform/counters/counter.js';
import { everyRow } from '../../platform/database/session-settings.js';
import { SEGMENT_BIN_DIGITS } from '@payment-orchestrator/routing/facts/segment';
import { PAYMENTS } from '../../shared/relations.js';

/** How long cells are kept. */
export const KEPT_DAYS = 35;

/** A column of `approval_cells` for each fact, from a payment `p` and a change `c`: '' is unknown. */
const cardFact = (name: string): string =>
  `coalesce(c.card ->> '${name}', p.payment_method -> 'card' ->> '${name}', '')`;

/**
 * The facts of changes `c` of attempts, as columns of `approval_cells`. The provider's facts about the card come before the
 * merchant's. The payment's own facts never change. `OFFSET 0`: each payment is looked up by its id.
 */
export const factsOfChanges = (changes: string): string => `SELECT p.merchant_id, c.shop_id,
      date_trunc('hour', c.started_at, 'UTC') AS hour, p.currency, coalesce(p.country, '') AS country,
      ${cardFact('scheme')} AS scheme, ${cardFact('funding')} AS funding, ${cardFact('issuer_country')} AS issuer_country,
      left(${cardFact('bin')}, ${SEGMENT_BIN_DIGITS}) AS bin, c.outcome, coalesce(c.decline_code, '') AS decline_code,
      c.sign, c.answered_ms
    FROM ${changes} c CROSS JOIN LATERAL (
      SELECT merchant_id, currency, country, payment_method FROM ${PAYMENTS} payment WHERE id = c.payment_id OFFSET 0
    ) p`;

/** Hours, which become days later (`ROLL_UP_CELLS`). A day is kept as long as its first hour. */
export const APPROVAL_CELL_COUNTS: Counter = {
  counts: 'payment attempts of a shop and a segment, by their outcome',
  table: 'approval_cells',
  by: [
    ...[
      'merchant_id',
      'by_bin',
      'shop_id',
      'hour',
      'currency',
      'country',
      'scheme',
      'funding',
      'issuer_country',
      'bin',
    ],
    ...['outcome', 'decline_code'],
  ],
  measures: ['attempts', 'answers', 'answered_ms'],
  // one more hour, because `firstKeptHour` is a whole one
  period: { column: 'hour', keptMs: (KEPT_DAYS * 24 + 1) * 3_600_000 },
};

/** The oldest hour with counts; 'epoch': of all attempts. */
export const COUNTED_SINCE: Statement = {
  name: 'approvals.counted_since',
  text: `SELECT since FROM approval_counting c WHERE ${everyRow('c')}`,
};

/** The maximum number of changes that a read adds to the cells, which takes some 50 ms. The job leaves fewer. */
const MAX_CHANGES = 10_000;

/** The changes of attempts of the shops in `own` that no cell counts yet, and that meet the condition. */
export const changesNotCounted = (condition: string): string => `SELECT * FROM attempt_changes a
      WHERE ${everyRow('a')} AND shop_id = ANY (ARRAY(SELECT id FROM own)) AND ${condition}
        AND started_at >= (${COUNTED_SINCE.text}) LIMIT ${MAX_CHANGES}`;

/**
 * Moves changes from the log into cells: $1 the first hour to keep, $2 the maximum number of changes. Both in one
 * statement, so each counts exactly once. Answers stay in the cell of the first outcome.
 */
export const COUNT_CHANGES: Statement = {
  name: 'approvals.count_changes',
  text: `WITH taken AS MATERIALIZED (
      DELETE FROM attempt_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM attempt_changes a WHERE ${everyRow('a')} LIMIT $2)) RETURNING *
    ), counting AS MATERIALIZED (
      SELECT * FROM taken WHERE started_at >= $1 AND started_at >= (${COUNTED_SINCE.text})
    ), facts AS MATERIALIZED (
      ${factsOfChanges('counting')}
    ), counted AS (
      ${addTo(APPROVAL_CELL_COUNTS, {
        columns: {
          bin: 'grain.bin',
          ...{ attempts: 'sum(sign)', answers: 'count(answered_ms)', answered_ms: 'coalesce(sum(answered_ms), 0)' },
        },
        from: `FROM facts f CROSS JOIN LATERAL (VALUES (false, ''), (true, f.bin)) AS grain (by_bin, bin)`,
        isGrouped: true,
      })}
    )
    SELECT count(*)::integer AS rows FROM taken`,
};

/**
 * Rolls hours before $1 into their days, in UTC: at most $2 cells. The cell of a day has the day's first hour. A late
 * change makes a cell of its hour, which is rolled later. The hours that exist are found one by one, so that days cost a
 * look at the index each.
 */
export const ROLL_UP_CELLS: Statement = {
  name: 'approvals.roll_up_cells',
  text: `WITH RECURSIVE hours (hour) AS (
      (SELECT c.hour FROM approval_cells c WHERE c.hour < $1 ORDER BY c.hour LIMIT 1)
      UNION ALL
      SELECT (SELECT c.hour FROM approval_cells c WHERE c.hour > h.hour AND c.hour < $1 ORDER BY c.hour LIMIT 1)
      FROM hours h WHERE h.hour IS NOT NULL
    ), old AS MATERIALIZED (
      SELECT cell.row FROM hours h CROSS JOIN LATERAL (
        SELECT c.ctid AS row FROM approval_cells c WHERE c.hour = h.hour LIMIT $2
      ) cell
      WHERE h.hour <> date_trunc('day', h.hour, 'UTC') LIMIT $2
    ), rolled AS MATERIALIZED (
      DELETE FROM approval_cells WHERE ctid = ANY (ARRAY(SELECT row FROM old)) RETURNING *
    ), days AS (
      ${addTo(APPROVAL_CELL_COUNTS, {
        columns: { hour: `date_trunc('day', hour, 'UTC')`, ...summed(APPROVAL_CELL_COUNTS) },
        from: 'FROM rolled',
        isGrouped: true,
      })}
    )
    SELECT count(*)::integer AS rows FROM rolled`,
};
