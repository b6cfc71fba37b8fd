import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit-log.service.js';
import { ProviderCallsModule } from '../providers/calls/provider-call-runner.service.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { DisputeBacklog } from './disputes/dispute-backlog.js';
import { AnswerRedaction, IdempotencyService } from '../platform/idempotency/idempotency.service.js';
import { ErasedAnswers } from './customers/erased-answers.js';
import { CustomerErasureService } from './customers/customer-erasure.service.js';
import { OperationClaims } from './operations/operation-claims.service.js';
import { OperationRecords } from './ledger/operation-records.service.js';
import { PaymentAttemptsService } from './ledger/payment-attempts.service.js';
import { PaymentMetrics } from './ledger/payment-metrics.js';
import { PaymentsService } from './ledger/payments.service.js';
import { IgnoredNotifications } from './notifications/ignored-notifications.service.js';
import { NotificationInbox } from './notifications/notification-inbox.service.js';
import { ProviderBacklog } from './provider-backlog.js';
import { StatusBodies } from './status-bodies.service.js';
import { StatusWriter } from './ledger/status-writer.service.js';
import { SavedMethods } from './payment-methods/saved-methods.service.js';
import { MoneyService } from './store/money.service.js';
import { AlarmWrites } from './store/alarm-writes.service.js';
import { OperationWrites } from './store/operation-writes.service.js';
import { MoneyWriter } from './store/money-writer.service.js';
import { ChargeRecovery } from './operations/charge-recovery.service.js';
import { NewCharges } from './operations/new-charges.service.js';
import { OperationRunner } from './operations/operation-runner.service.js';
import { RepeatedCharges } from './operations/repeated-charges.service.js';
import { ProviderCallsService } from './operations/provider-calls.service.js';

const SHARED = [
  ChargeRecovery,
  CustomerErasureService,
  IdempotencyService,
  MoneyService,
  NewCharges,
  NotificationInbox,
  OperationClaims,
  OperationRecords,
  OperationRunner,
  PaymentAttemptsService,
  PaymentMetrics,
  PaymentsService,
  ProviderCallsService,
  RepeatedCharges,
  SavedMethods,
  StatusBodies,
  StatusWriter,
];

/** The parts of payments that the API and the worker share. */
@Module({
  imports: [AuditModule, ProviderCallsModule, ProvidersModule, ShopsModule, WebhooksModule],
  providers: [
    ...SHARED,
    { provide: AnswerRedaction, useClass: ErasedAnswers },
    DisputeBacklog,
    IgnoredNotifications,
    AlarmWrites,
    MoneyWriter,
    OperationWrites,
    ProviderBacklog,
  ],
  exports: SHARED,
})
export class PaymentsModule {}
