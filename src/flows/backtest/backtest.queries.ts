import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import { PAYMENTS } from '../../shared/relations.js';

/** Payments by the time of their creation: see `firstIdSince`. */
export const PAYMENTS_SINCE = searchByTime('backtest.payments_since', `${PAYMENTS} payment`);

/**
 * Payments of flow $1 that were created from $2 on and before $3, with ids from $4 on and below $5. `ANY`: with a plain `=`
 * the planner may walk the primary key past all other flows.
 */
const OF_FLOW = `flow_id = ANY (ARRAY[$1::bigint]) AND id >= $4 AND id < $5 AND created_at >= $2 AND created_at < $3`;

/** The newest payment beyond the limit $6, if any. */
export const LAST_PAYMENT_LEFT_OUT: Statement = {
  name: 'backtests.last_payment_left_out',
  text: `SELECT id FROM ${PAYMENTS} payment WHERE ${OF_FLOW} ORDER BY flow_id DESC, id DESC OFFSET $6 LIMIT 1`,
};

/**
 * A batch of past payments in the order of their ids, $6 rows. Decisions are returned unparsed: parsing them in SQL takes as long as all other work of a backtest.
 */
export const pastPayments = ({ withMetadata }: { withMetadata: boolean }): Statement => ({
  name: `backtests.past_payments${withMetadata ? '_with_metadata' : ''}`,
  text: `
    SELECT id, created_at, amount::float8 AS amount, currency, country, customer_id, capture,
      payment_method, ${withMetadata ? 'metadata' : 'NULL AS metadata'}, shop_id, status,
      attempt, decision
    FROM ${PAYMENTS} payment WHERE ${OF_FLOW} ORDER BY flow_id, id LIMIT $6`,
});
