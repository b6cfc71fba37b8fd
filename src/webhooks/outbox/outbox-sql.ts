import { addTo, type Counter } from '../../platform/counters/counter.js';
import { eventIdOf } from '../fan-out/fan-out-sql.js';
import { BODY_START } from './webhook-body.js';

// SQL that other features include in their statements, so that writes that must commit together are one statement.

/**
 * SQL: the body of a change of status with the public id of its event. `rest`: what follows `BODY_START`. PostgreSQL would
 * count the characters of the whole body to cut its start off.
 */
export const withEventIdOf = (id: string, rest: string): string =>
  `'${BODY_START}"id":"' || ${eventIdOf(id)} || '",' || ${rest}`;

/** Exact, because it commits with the payment. Rows may be negative: a payment can move to another shop. */
export const SHOP_PAYMENTS: Counter = {
  counts: 'payments of a shop',
  table: 'webhook_shop_counters',
  by: ['shop_id'],
  measures: ['payments', 'payments_with_webhooks'],
  isSharded: true,
};

/** Returns a statement that counts new payments for their shops, from a relation with `shop_id, webhook_endpoint`; `isOne`: of one row. */
export const countPaymentsFrom = (relation: string, isOne = false): string =>
  addTo(SHOP_PAYMENTS, {
    columns: isOne
      ? { payments: '1', payments_with_webhooks: 'num_nonnulls(webhook_endpoint)' }
      : { payments: 'count(*)', payments_with_webhooks: 'count(webhook_endpoint)' },
    from: `FROM ${relation}`,
    isGrouped: !isOne,
  });
