import type { ClientBase } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { InitialSchema1763700000000 } from './migrations/1763700000000-initial-schema.js';
import { FlowVersions1763710000000 } from './migrations/1763710000000-flow-versions.js';
import { PaymentAttempts1763720000000 } from './migrations/1763720000000-payment-attempts.js';
import { RateLimits1763740000000 } from './migrations/1763740000000-rate-limits.js';
import { NotificationViews1763760000000 } from './migrations/1763760000000-notification-views.js';
import { AuditLog1763770000000 } from './migrations/1763770000000-audit-log.js';
import { CustomerErasure1763780000000 } from './migrations/1763780000000-customer-erasure.js';
import { DeliveryQueue1763790000000 } from './migrations/1763790000000-delivery-queue.js';
import { MovePendingDeliveries1763790001000 } from './migrations/1763790001000-move-pending-deliveries.js';
import { connectionTo, withOptions } from './connection.js';
import { pinPlans } from './guarded-pool.js';
import { adaptToPooler } from './pooled-client.js';
import { BOUNDS, UNBOUNDED_OPTIONS } from './session-settings.js';
import { PeriodicTasks1763800000000 } from './migrations/1763800000000-periodic-tasks.js';
import { RowsPerConnection1763810000000 } from './migrations/1763810000000-rows-per-connection.js';
import { IgnoredNotifications1763820000000 } from './migrations/1763820000000-ignored-notifications.js';
import { ProviderOperations1763830000000 } from './migrations/1763830000000-provider-operations.js';
import { OpenOperations1763830001000 } from './migrations/1763830001000-open-operations.js';
import { CallsUnderAKey1763870000000 } from './migrations/1763870000000-calls-under-a-key.js';
import { WebhookIds1763910000000 } from './migrations/1763910000000-webhook-ids.js';
import {
  HourlyOutcomes1763950000000,
  OpenOfAMerchant1763950001000,
} from './migrations/1763950000000-hourly-outcomes.js';
import { EndedSessions1763990000000 } from './migrations/1763990000000-ended-sessions.js';
import { WebhookSigningKeys1763920000000 } from './migrations/1763920000000-webhook-signing-keys.js';
import { TraceContexts1763930000000 } from './migrations/1763930000000-trace-contexts.js';
import { LooksThatEnded1763940000000 } from './migrations/1763940000000-looks-that-ended.js';
import { SandboxLedger1763840000000 } from './migrations/1763840000000-sandbox-ledger.js';
import { WaitingNotifications1763850000000 } from './migrations/1763850000000-waiting-notifications.js';
import { AttemptsOfOlderProcesses1763880000000 } from './migrations/1763880000000-attempts-of-older-processes.js';
import { CustomerReferences1763860000000 } from './migrations/1763860000000-customer-references.js';
import { Events1763900000000 } from './migrations/1763900000000-events.js';
import { ShopReports1763934000000 } from './migrations/1763934000000-shop-reports.js';
import { EventOrder1763900001000 } from './migrations/1763900001000-event-order.js';
import { SpentPermits1764000400000 } from './migrations/1764000400000-spent-permits.js';
import { WorkerBeats1763970000000 } from './migrations/1763970000000-worker-beats.js';

/** In the order they run; append-only once landed. */
const MIGRATIONS = [
  InitialSchema1763700000000,
  FlowVersions1763710000000,
  PaymentAttempts1763720000000,
  RateLimits1763740000000,
  NotificationViews1763760000000,
  AuditLog1763770000000,
  CustomerErasure1763780000000,
  DeliveryQueue1763790000000,
  MovePendingDeliveries1763790001000,
  PeriodicTasks1763800000000,
  RowsPerConnection1763810000000,
  IgnoredNotifications1763820000000,
  ProviderOperations1763830000000,
  OpenOperations1763830001000,
  SandboxLedger1763840000000,
  WaitingNotifications1763850000000,
  CustomerReferences1763860000000,
  CallsUnderAKey1763870000000,
  AttemptsOfOlderProcesses1763880000000,
  Events1763900000000,
  EventOrder1763900001000,
  WebhookIds1763910000000,
  WebhookSigningKeys1763920000000,
  TraceContexts1763930000000,
  ShopReports1763934000000,
  LooksThatEnded1763940000000,
  HourlyOutcomes1763950000000,
  OpenOfAMerchant1763950001000,
  WorkerBeats1763970000000,
  EndedSessions1763990000000,
  SpentPermits1764000400000,
];

/** How the processes that serve use their connections. */
export interface ServingOptions {
  /** The URL is that of a pooler in transaction mode. */
  isPooled: boolean;
  /** 0: for ever. */
  maxLifetimeSeconds: number;
}

interface ServingConnection extends Partial<typeof BOUNDS> {
  maxLifetimeSeconds: number;
  /** The pool waits for it. */
  onConnect: (client: ClientBase) => Promise<void>;
}

/** Connections that stay within the bounds, to the server or to a pooler in front of it. */
export const servingConnection = ({ isPooled, maxLifetimeSeconds }: ServingOptions): ServingConnection => ({
  maxLifetimeSeconds,
  ...(isPooled ? { onConnect: adaptToPooler } : { ...BOUNDS, onConnect: pinPlans }),
});

/** TypeORM's settings for the processes that serve. */
export function boundedDataSourceOptions(
  databaseUrl: string,
  poolSize: number,
  serving: ServingOptions = { isPooled: false, maxLifetimeSeconds: 0 },
): DataSourceOptions {
  return optionsOf(poolSize, { ...connectionTo(databaseUrl), ...servingConnection(serving) });
}

/**
 * TypeORM's settings for `databaseUrl`, without bounds: migrations take the time they need. Never `synchronize`: the schema
 * comes from migrations alone.
 */
export const dataSourceOptions = (databaseUrl: string, poolSize: number): DataSourceOptions =>
  optionsOf(poolSize, withOptions(connectionTo(databaseUrl), UNBOUNDED_OPTIONS));

function optionsOf(poolSize: number, connection: object): DataSourceOptions {
  return {
    type: 'postgres',
    poolSize,
    parseInt8: true,
    synchronize: false,
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    applicationName: 'payment-orchestrator',
    connectTimeoutMS: 5_000,
    extra: { idleTimeoutMillis: 30_000, keepAlive: true, ...connection },
  };
}
