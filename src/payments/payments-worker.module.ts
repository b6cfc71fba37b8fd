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
import { WorkerTurns } from '../platform/workers/worker-turns.js';
import { WorkersModule } from '../platform/workers/worker-turns.js';

@Module({
  imports: [HousekeepingModule, PaymentsModule, ShopsModule, WebhooksModule, WorkersModule],
  providers: [CustomerErasureChore, ExpiryService, OperationRecovery, PaymentPruning, WaitingNotificationsChore],
})
export class PaymentsWorkerModule {
  constructor(
    turns: WorkerTurns,
    expiry: ExpiryService,
    recovery: OperationRecovery,
    waiting: WaitingNotificationsChore,
  ) {
    for (const { task } of [expiry, recovery, waiting]) turns.add(task);
    turns.onChange((workers) => recovery.sharedBy(workers));
  }
}
