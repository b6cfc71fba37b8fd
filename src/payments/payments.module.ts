import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CustomerErasureService } from './customer-erasure.service.js';
import { IdempotencyService } from './idempotency.service.js';
import { PaymentAttemptsService } from './payment-attempts.service.js';
import { PaymentsService } from './payments.service.js';
import { StatusWriter } from './status-writer.service.js';

/** What the API and the worker share. */
@Module({
  imports: [AuditModule, ShopsModule, WebhooksModule],
  providers: [CustomerErasureService, IdempotencyService, PaymentAttemptsService, PaymentsService, StatusWriter],
  exports: [CustomerErasureService, IdempotencyService, PaymentAttemptsService, PaymentsService, StatusWriter],
})
export class PaymentsModule {}
