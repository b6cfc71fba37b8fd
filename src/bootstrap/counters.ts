import { ROLLOUT_PAYMENTS } from '../flows/routing/rollout-counter.js';
import { APPROVAL_CELL_COUNTS } from '../insights/approvals/approval-cells.queries.js';
import type { Counter } from '../platform/counters/counter.js';
import { SHOP_OUTCOMES } from '../shops/shop-outcomes-sql.js';
import {
  DELIVERIES_BY_MINUTE,
  ENDPOINT_ANSWERS,
  ENDPOINT_ERRORS,
} from '../webhooks/endpoint/health/endpoint-counters.js';
import { SHOP_PAYMENTS } from '../webhooks/outbox/outbox-sql.js';

/** Every counter: what it counts, by what, and for how long (docs/decisions/106-counters.md). */
export const COUNTERS: readonly Counter[] = [
  SHOP_PAYMENTS,
  ROLLOUT_PAYMENTS,
  SHOP_OUTCOMES,
  ENDPOINT_ANSWERS,
  ENDPOINT_ERRORS,
  DELIVERIES_BY_MINUTE,
  APPROVAL_CELL_COUNTS,
];
