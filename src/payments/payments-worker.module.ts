import { Module } from '@nestjs/common';
import { HousekeepingModule } from '../platform/housekeeping/housekeeping.service.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CustomerErasureChore } from './erasure/customer-erasure.chore.js';
import { ExpiryService } from './expiry/expiry.service.js';
import { WaitingNotificationsChore } from './notifications/waiting-notifications.chore.js';
import { OperationRecovery } from './operations/recovery.service.js';
import { PaymentPruning } from './payment-pruning.service.js';
import { PaymentsModule } from './payments.module.js';

@Module({
  imports: [HousekeepingModule, PaymentsModule, ShopsModule, WebhooksModule],
  providers: [CustomerErasureChore, ExpiryService, OperationRecovery, PaymentPruning, WaitingNotificationsChore],
})
export class PaymentsWorkerModule {}
