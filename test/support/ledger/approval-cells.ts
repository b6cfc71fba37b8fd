// Compares approval cells with the attempts that they count. Based on the documentation, not on the product's code.

import type { Query } from './ledger.js';

/** A card's fact: the provider's first, then the merchant's; '' is unknown. */
const card = (name: string): string => `coalesce(a.card ->> '${name}', p.payment_method -> 'card' ->> '${name}', '')`;

const KEY = `merchant_id, by_bin, shop_id, hour, currency, country, scheme, funding, issuer_country, bin, outcome, decline_code`;

const COUNTED = `SELECT p.merchant_id, g.by_bin, a.shop_id, date_trunc('hour', a.started_at, 'UTC') AS hour, p.currency,
    coalesce(p.country, '') AS country, ${card('scheme')} AS scheme, ${card('funding')} AS funding,
    ${card('issuer_country')} AS issuer_country, CASE WHEN g.by_bin THEN left(${card('bin')}, 6) ELSE '' END AS bin, a.outcome,
    coalesce(a.decline_code, '') AS decline_code, count(*) AS attempts
  FROM payment_attempts a JOIN payments p ON p.id = a.payment_id CROSS JOIN (VALUES (false), (true)) AS g (by_bin)
  WHERE a.outcome IS NOT NULL GROUP BY ${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].join(', ')}`;

/** The cells that differ from a count of all attempts, once the log is empty, with both numbers. */
export const wrongCells = (query: Query): Promise<object[]> =>
  query(
    `SELECT ${KEY}, c.attempts AS in_cells, e.attempts AS in_attempts
    FROM (SELECT * FROM approval_cells WHERE attempts <> 0) c FULL JOIN (${COUNTED}) e USING (${KEY})
    WHERE c.attempts IS DISTINCT FROM e.attempts`,
  );
