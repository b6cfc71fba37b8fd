import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit-log.service.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CustomerErasureService } from './erasure/customer-erasure.service.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { PaymentAttemptsService } from './ledger/payment-attempts.service.js';
import { PaymentsService } from './ledger/payments.service.js';
import { StatusWriter } from './ledger/status-writer.service.js';

/** What the API and the worker share. */
@Module({
  imports: [AuditModule, ShopsModule, WebhooksModule],
  providers: [CustomerErasureService, IdempotencyService, PaymentAttemptsService, PaymentsService, StatusWriter],
  exports: [CustomerErasureService, IdempotencyService, PaymentAttemptsService, PaymentsService, StatusWriter],
})
export class PaymentsModule {}
