import { ATTEMPTS } from './attempts.js';
import { AUDIT } from './audit.js';
import { CUSTOMERS } from './customers.js';
import { DELIVERIES, webhookId } from './deliveries.js';
import { DUE_WORK } from './due-work.js';
import { ENDPOINTS } from './endpoints.js';
import { EVENTS } from './events.js';
import { FLOWS } from './flows.js';
import { INSIGHTS } from './insights.js';
import { MERCHANTS, SHOPS } from './merchants.js';
import { NOTIFICATIONS } from './notifications.js';
import { PAYMENTS } from './payments.js';
import { PROCESSES } from './processes.js';
import { ROLLOUTS } from './rollouts.js';
import { SANDBOX } from './sandbox.js';

/**
 * The statements that create the schema in an empty database, in the order in which a reader needs it.
 *
 * Foreign keys guard the rarely written tables. The hot ones (payments and below) have plain ids: the rows they refer to are
 * never deleted, and a key check would lock the shop and the flow that all payments share
 * (docs/decisions/003-no-foreign-keys-on-hot-tables.md).
 */
export const schemaStatements = (): string[] => [
  ...MERCHANTS,
  ...SHOPS,
  ...AUDIT,
  ...FLOWS,
  ...CUSTOMERS,
  ...PAYMENTS,
  ...ROLLOUTS,
  ...ATTEMPTS,
  ...NOTIFICATIONS,
  ...DELIVERIES,
  webhookId(),
  ...ENDPOINTS,
  ...EVENTS,
  ...INSIGHTS,
  ...PROCESSES,
  ...DUE_WORK,
  ...SANDBOX,
];
