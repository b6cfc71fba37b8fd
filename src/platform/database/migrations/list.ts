import type { MigrationInterface } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

/** Each is loaded when it is asked for: a process that serves needs their names alone. */
type Load = () => Promise<Record<string, MigrationClass>>;

/** In the order they run; append-only once landed. */
const MIGRATIONS: Record<string, Load> = {
  InitialSchema1763700000000: () => import('./1763700000000-initial-schema.js'),
  FlowVersions1763710000000: () => import('./1763710000000-flow-versions.js'),
  PaymentAttempts1763720000000: () => import('./1763720000000-payment-attempts.js'),
  RateLimits1763740000000: () => import('./1763740000000-rate-limits.js'),
  NotificationViews1763760000000: () => import('./1763760000000-notification-views.js'),
  AuditLog1763770000000: () => import('./1763770000000-audit-log.js'),
  CustomerErasure1763780000000: () => import('./1763780000000-customer-erasure.js'),
  DeliveryQueue1763790000000: () => import('./1763790000000-delivery-queue.js'),
  MovePendingDeliveries1763790001000: () => import('./1763790001000-move-pending-deliveries.js'),
  PeriodicTasks1763800000000: () => import('./1763800000000-periodic-tasks.js'),
  RowsPerConnection1763810000000: () => import('./1763810000000-rows-per-connection.js'),
  IgnoredNotifications1763820000000: () => import('./1763820000000-ignored-notifications.js'),
  ProviderOperations1763830000000: () => import('./1763830000000-provider-operations.js'),
  OpenOperations1763830001000: () => import('./1763830001000-open-operations.js'),
  SandboxLedger1763840000000: () => import('./1763840000000-sandbox-ledger.js'),
  WaitingNotifications1763850000000: () => import('./1763850000000-waiting-notifications.js'),
  CustomerReferences1763860000000: () => import('./1763860000000-customer-references.js'),
  CallsUnderAKey1763870000000: () => import('./1763870000000-calls-under-a-key.js'),
  AttemptsOfOlderProcesses1763880000000: () => import('./1763880000000-attempts-of-older-processes.js'),
  Events1763900000000: () => import('./1763900000000-events.js'),
  EventOrder1763900001000: () => import('./1763900001000-event-order.js'),
  WebhookIds1763910000000: () => import('./1763910000000-webhook-ids.js'),
  WebhookSigningKeys1763920000000: () => import('./1763920000000-webhook-signing-keys.js'),
  TraceContexts1763930000000: () => import('./1763930000000-trace-contexts.js'),
  ShopReports1763934000000: () => import('./1763934000000-shop-reports.js'),
  LooksThatEnded1763940000000: () => import('./1763940000000-looks-that-ended.js'),
  HourlyOutcomes1763950000000: () => import('./1763950000000-hourly-outcomes.js'),
  OpenOfAMerchant1763950001000: () => import('./1763950000000-hourly-outcomes.js'),
  WorkerBeats1763970000000: () => import('./1763970000000-worker-beats.js'),
  EndedSessions1763990000000: () => import('./1763990000000-ended-sessions.js'),
  SpentPermits1764000400000: () => import('./1764000400000-spent-permits.js'),
  OpenAlarms1764010020000: () => import('./1764010020000-open-alarms.js'),
  FilteredEvents1764010040000: () => import('./1764010040000-filtered-events.js'),
  WebhookSecretsScope1764010050000: () => import('./1764010050000-webhook-secrets-scope.js'),
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

export async function loadMigrations(): Promise<MigrationClass[]> {
  const classes: MigrationClass[] = [];
  for (const [name, load] of Object.entries(MIGRATIONS)) classes.push((await load())[name]!);
  return classes;
}
