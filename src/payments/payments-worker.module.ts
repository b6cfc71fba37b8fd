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
import { SharedSchedule, WorkersModule } from '../platform/workers/shared-schedule.js';

@Module({
  imports: [HousekeepingModule, PaymentsModule, ShopsModule, WebhooksModule, WorkersModule],
  providers: [CustomerErasureChore, ExpiryService, OperationRecovery, PaymentPruning, WaitingNotificationsChore],
})
export class PaymentsWorkerModule {
  constructor(
    schedule: SharedSchedule,
    expiry: ExpiryService,
    recovery: OperationRecovery,
    waiting: WaitingNotificationsChore,
  ) {
    for (const { job } of [expiry, recovery, waiting]) schedule.add(job);
    schedule.onChange((workers) => recovery.sharedBy(workers));
  }
}
