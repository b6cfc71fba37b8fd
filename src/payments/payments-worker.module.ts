import { Module } from '@nestjs/common';
import { MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { ShopAccountsJob } from '../shops/shop-accounts.job.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CustomerErasureJob } from './customers/customer-erasure.job.js';
import { AuthorizationExpiry } from './expiry/authorization-expiry.service.js';
import { ExpiryService } from './expiry/expiry.service.js';
import { AskedLookUps } from './notifications/asked-look-ups.job.js';
import { AskedStates } from './notifications/asked-states.service.js';
import { WaitingNotificationsJob } from './notifications/waiting-notifications.job.js';
import { OperationRecovery } from './operations/recovery.service.js';
import { PaymentPruning } from './payment-pruning.service.js';
import { Detachments } from './operations/detachments.job.js';
import { StuckOperations } from './operations/stuck-operations.job.js';
import { PaymentRetention } from './retention/payment-retention.job.js';
import { PaymentsModule } from './payments.module.js';
import { DueWork, DueWorkModule } from '../platform/due-work/due-work.js';
import { SharedSchedule, WorkersModule } from '../platform/workers/shared-schedule.js';

@Module({
  imports: [DueWorkModule, MaintenanceModule, PaymentsModule, ShopsModule, WebhooksModule, WorkersModule],
  providers: [
    AskedLookUps,
    AskedStates,
    AuthorizationExpiry,
    CustomerErasureJob,
    Detachments,
    ExpiryService,
    OperationRecovery,
    PaymentPruning,
    PaymentRetention,
    StuckOperations,
    WaitingNotificationsJob,
  ],
})
export class PaymentsWorkerModule {
  constructor(
    schedule: SharedSchedule,
    dueWork: DueWork,
    expiry: ExpiryService,
    authorizations: AuthorizationExpiry,
    recovery: OperationRecovery,
    waiting: WaitingNotificationsJob,
    asked: AskedLookUps,
    accounts: ShopAccountsJob,
    detachments: Detachments,
  ) {
    const scheduled = [expiry, recovery, asked];
    for (const { job } of scheduled) schedule.add(job);
    for (const { work } of [authorizations, detachments, waiting, accounts]) dueWork.register(work);
    schedule.onChange((workers) => recovery.sharedBy(workers));
  }
}
