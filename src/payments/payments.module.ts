import { Module } from '@nestjs/common';
import { FlowsModule } from '../flows/flows.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthorizationService } from './authorization.service.js';
import { CreatePaymentService } from './create-payment.service.js';
import { CustomerErasureService } from './customer-erasure.service.js';
import { FailoverService } from './failover.service.js';
import { IdempotencyService } from './idempotency.service.js';
import { IgnoredNotifications } from './ignored-notifications.service.js';
import { NotificationsService } from './notifications.service.js';
import { PaymentAttemptsService } from './payment-attempts.service.js';
import { PaymentActionsService } from './payment-actions.service.js';
import { PaymentRecorder } from './payment-recorder.service.js';
import { PaymentsService } from './payments.service.js';
import { ProviderCallsService } from './provider-calls.service.js';
import { StatusWriter } from './status-writer.service.js';

@Module({
  imports: [AuditModule, FlowsModule, ProvidersModule, ShopsModule, WebhooksModule],
  providers: [
    PaymentsService,
    StatusWriter,
    PaymentAttemptsService,
    CreatePaymentService,
    CustomerErasureService,
    AuthorizationService,
    FailoverService,
    PaymentRecorder,
    PaymentActionsService,
    ProviderCallsService,
    IdempotencyService,
    IgnoredNotifications,
    NotificationsService,
  ],
  exports: [
    CustomerErasureService,
    PaymentsService,
    CreatePaymentService,
    PaymentActionsService,
    IdempotencyService,
    NotificationsService,
  ],
})
export class PaymentsModule {}
