import type { MigrationInterface } from 'typeorm';

export type MigrationClass = new () => MigrationInterface;

/** Loaded on demand: a serving process needs only the names. */
type Load = () => Promise<Record<string, MigrationClass>>;

/** In the order in which they run; append-only once released. */
const MIGRATIONS: Record<string, Load> = {
  InitialSchema1764000500000: () => import('./1764000500000-initial-schema.js'),
  OpenAlarms1764010020000: () => import('./1764010020000-open-alarms.js'),
  FilteredEvents1764010040000: () => import('./1764010040000-filtered-events.js'),
  WebhookSecretsScope1764010050000: () => import('./1764010050000-webhook-secrets-scope.js'),
  ScheduledTasks1764010060000: () => import('./1764010060000-scheduled-tasks.js'),
  PaymentAmounts1764010070000: () => import('./1764010070000-payment-amounts.js'),
  Refunds1764010080000: () => import('./1764010080000-refunds.js'),
  Disputes1764010090000: () => import('./1764010090000-disputes.js'),
  SandboxCaptures1764010100000: () => import('./1764010100000-sandbox-captures.js'),
  SettleScope1764010110000: () => import('./1764010110000-settle-scope.js'),
  SandboxDashboard1764010120000: () => import('./1764010120000-sandbox-dashboard.js'),
  AskedAttempts1764010150000: () => import('./1764010150000-asked-attempts.js'),
  PaymentMethods1764010200000: () => import('./1764010200000-payment-methods.js'),
  SavedPaymentMethods1764010210000: () => import('./1764010210000-saved-payment-methods.js'),
  UnusableMethods1764010220000: () => import('./1764010220000-unusable-methods.js'),
  StandingEndpoints1764010300000: () => import('./1764010300000-standing-endpoints.js'),
  DeliveriesOfNoShop1764010310000: () => import('./1764010310000-deliveries-of-no-shop.js'),
  EndpointStates1764010320000: () => import('./1764010320000-endpoint-states.js'),
  OperationalEvents1764010330000: () => import('./1764010330000-operational-events.js'),
  PaymentTerms1764010340000: () => import('./1764010340000-payment-terms.js'),
  FlowRollouts1764010400000: () => import('./1764010400000-flow-rollouts.js'),
  RolloutConditions1764010401000: () => import('./1764010401000-rollout-conditions.js'),
  ApprovalCells1764010410000: () => import('./1764010410000-approval-cells.js'),
  ShopFees1764010420000: () => import('./1764010420000-shop-fees.js'),
  FlowRuleHits1764010430000: () => import('./1764010430000-flow-rule-hits.js'),
  FlowReasons1764010440000: () => import('./1764010440000-flow-reasons.js'),
  FlowApprovals1764010441000: () => import('./1764010441000-flow-approvals.js'),
  RefusedRolloutPayments1764010450000: () => import('./1764010450000-refused-rollout-payments.js'),
  LaterAttempts1764010455000: () => import('./1764010455000-later-attempts.js'),
  IdempotencyKeysOfMerchants1764010460000: () => import('./1764010460000-idempotency-keys-of-merchants.js'),
  ClientSecretOverlap1764010461000: () => import('./1764010461000-client-secret-overlap.js'),
  SettlementRequests1764010480000: () => import('./1764010480000-settlement-requests.js'),
  AttemptMessages1764010520000: () => import('./1764010520000-attempt-messages.js'),
  ChangedMetadata1764010540000: () => import('./1764010540000-changed-metadata.js'),
  EventIds1764010541000: () => import('./1764010541000-event-ids.js'),
  SandboxRolloutCounts1764010550000: () => import('./1764010550000-sandbox-rollout-counts.js'),
  RedactedSettlements1764010551000: () => import('./1764010551000-redacted-settlements.js'),
  LeanAttempts1764010700000: () => import('./1764010700000-lean-attempts.js'),
  LeanIndexes1764010701000: () => import('./1764010701000-lean-indexes.js'),
  VacuumedPayments1764010702000: () => import('./1764010702000-vacuumed-payments.js'),
  DueWork1764010710000: () => import('./1764010710000-due-work.js'),
  DueDetachments1764010711000: () => import('./1764010711000-due-detachments.js'),
  FailingStandingEndpoints1764010730000: () => import('./1764010730000-failing-standing-endpoints.js'),
  MoreDueWork1764010755000: () => import('./1764010755000-more-due-work.js'),
  UnusedIndexes1764010756000: () => import('./1764010756000-unused-indexes.js'),
  RoomForAnswers1764010757000: () => import('./1764010757000-room-for-answers.js'),
  ArchivedCharges1764010760000: () => import('./1764010760000-archived-charges.js'),
  KeysWithMerchants1764010765000: () => import('./1764010765000-keys-with-merchants.js'),
  LanesOfShops1764010765100: () => import('./1764010765100-lanes-of-shops.js'),
  IndexOfDueTimes1764010770000: () => import('./1764010770000-index-of-due-times.js'),
  LastDueTimes1764010780000: () => import('./1764010780000-last-due-times.js'),
  NoOutcomeHours1764010810000: () => import('./1764010810000-no-outcome-hours.js'),
  NoRuleHits1764010810100: () => import('./1764010810100-no-rule-hits.js'),
  FannedOutEvents1764010830000: () => import('./1764010830000-fanned-out-events.js'),
};

export const MIGRATION_NAMES: readonly string[] = Object.keys(MIGRATIONS);

export async function loadMigrations(): Promise<MigrationClass[]> {
  const classes: MigrationClass[] = [];
  for (const [name, load] of Object.entries(MIGRATIONS)) classes.push((await load())[name]!);
  return classes;
}
