import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit-log.service.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { DisputeBacklog } from './disputes/dispute-backlog.js';
import { CustomerErasureService } from './erasure/customer-erasure.service.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { LateCharges } from './ledger/late-charges.service.js';
import { LockedChanges } from './ledger/locked-changes.service.js';
import { OperationClaims } from './operations/operation-claims.service.js';
import { OperationRecords } from './ledger/operation-records.service.js';
import { PaymentAttemptsService } from './ledger/payment-attempts.service.js';
import { PaymentMetrics } from './ledger/payment-metrics.js';
import { PaymentsService } from './ledger/payments.service.js';
import { ProviderEvents } from './ledger/provider-events.service.js';
import { RefundEvents } from './ledger/refunds/refund-events.service.js';
import { RefundOutcomes } from './ledger/refunds/refund-outcomes.service.js';
import { ReversalEvents } from './ledger/refunds/reversal-events.service.js';
import { RefundRecords } from './ledger/refunds/refund-records.service.js';
import { IgnoredNotifications } from './notifications/ignored-notifications.service.js';
import { NotificationInbox } from './notifications/notification-inbox.service.js';
import { ProviderBacklog } from './provider-backlog.js';
import { StatusBodies } from './status-bodies.service.js';
import { StatusWriter } from './ledger/status-writer.service.js';
import { WaitingNotifications } from './ledger/waiting-notifications.service.js';
import { SavedMethods } from './payment-methods/saved-methods.service.js';
import { ChargeRecovery } from './operations/charge-recovery.service.js';
import { ChargeStates } from './operations/charge-states.service.js';
import { NewCharges } from './operations/new-charges.service.js';
import { OperationRunner } from './operations/operation-runner.service.js';
import { ProviderCallRunner } from './operations/provider-call-runner.service.js';
import { ProviderCallsService } from './operations/provider-calls.service.js';
import { ProviderMetrics } from './operations/provider-metrics.js';
import { SettledOutcomes } from './operations/settled-outcomes.service.js';
import { RefundRunner } from './operations/refund-runner.service.js';

const SHARED = [
  ChargeRecovery,
  ChargeStates,
  CustomerErasureService,
  IdempotencyService,
  LateCharges,
  NewCharges,
  NotificationInbox,
  OperationClaims,
  OperationRecords,
  OperationRunner,
  PaymentAttemptsService,
  PaymentMetrics,
  PaymentsService,
  ProviderCallRunner,
  ProviderCallsService,
  ProviderEvents,
  RefundRecords,
  RefundRunner,
  SavedMethods,
  SettledOutcomes,
  StatusBodies,
  StatusWriter,
  WaitingNotifications,
];

/** The parts of payments that the API and the worker share. */
@Module({
  imports: [AuditModule, ProvidersModule, ShopsModule, WebhooksModule],
  providers: [
    ...SHARED,
    DisputeBacklog,
    IgnoredNotifications,
    LockedChanges,
    ProviderBacklog,
    ProviderMetrics,
    RefundEvents,
    RefundOutcomes,
    ReversalEvents,
  ],
  exports: SHARED,
})
export class PaymentsModule {}
