import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit-log.service.js';
import { ProviderCallsModule } from '../providers/calls/provider-call-runner.service.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AnswerRedaction, IdempotencyService } from '../platform/idempotency/idempotency.service.js';
import { ErasedAnswers } from './customers/erased-answers.js';
import { CustomerErasureService } from './customers/customer-erasure.service.js';
import { OperationRecords } from './store/operation-records.service.js';
import { PaymentMetrics } from './store/payment-metrics.js';
import { PaymentsService } from './store/payments.service.js';
import { IgnoredNotifications } from './notifications/ignored-notifications.service.js';
import { NotificationInbox } from './notifications/notification-inbox.service.js';
import { ProviderBacklog } from './work/provider-backlog.js';
import { StatusBodies } from './store/status-bodies.service.js';
import { StatusWriter } from './store/status-writer.service.js';
import { SavedMethods } from './methods/saved-methods.service.js';
import { MoneyService } from './store/money.service.js';
import { AlarmWrites } from './store/alarm-writes.service.js';
import { MoneyWriter } from './store/money-writer.service.js';
import { ActionCompletion } from './work/action-completion.service.js';
import { OperationOutcomes } from './work/operation-outcomes.service.js';
import { NewCharges } from './work/new-charges.service.js';
import { OperationRunner } from './work/operation-runner.service.js';
import { ProviderCallsService } from './work/provider-calls.service.js';

const SHARED = [
  ActionCompletion,
  OperationOutcomes,
  CustomerErasureService,
  IdempotencyService,
  MoneyService,
  NewCharges,
  NotificationInbox,
  OperationRecords,
  OperationRunner,
  PaymentMetrics,
  PaymentsService,
  ProviderCallsService,
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
    IgnoredNotifications,
    AlarmWrites,
    MoneyWriter,
    ProviderBacklog,
  ],
  exports: SHARED,
})
export class PaymentsModule {}
