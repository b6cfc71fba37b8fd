import { Module } from '@nestjs/common';
import { MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { ShopAccountsJob } from '../shops/shop-accounts.job.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CustomerErasureService } from './customers/customer-erasure.service.js';
import { DeadlineNotices } from './work/deadline-notices.js';
import { AuthorizationExpiry, ExpiryService } from './work/expiry.service.js';
import { AskedLookUps } from './notifications/asked-look-ups.job.js';
import { WaitingNotificationsJob } from './notifications/waiting-notifications.job.js';
import { OperationRecovery } from './work/recovery.service.js';
import { PaymentPruning } from './work/payment-pruning.service.js';
import { Detachments } from './work/detachments.job.js';
import { StuckOperations } from './work/stuck-operations.job.js';
import { PaymentRetention } from './work/payment-retention.job.js';
import { PaymentsModule } from './payments.module.js';
import { DueWork, DueWorkModule } from '../platform/due-work/due-work.js';
import { SharedSchedule, WorkersModule } from '../platform/workers/shared-schedule.js';

@Module({
  imports: [DueWorkModule, MaintenanceModule, PaymentsModule, ShopsModule, WebhooksModule, WorkersModule],
  providers: [
    AskedLookUps,
    AuthorizationExpiry,
    DeadlineNotices,
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
    erasures: CustomerErasureService,
    notices: DeadlineNotices,
  ) {
    const scheduled = [expiry, recovery, asked];
    for (const { job } of scheduled) schedule.add(job);
    for (const { work } of [accounts, authorizations, detachments, erasures, waiting]) dueWork.register(work);
    for (const work of notices.works) dueWork.register(work);
    schedule.onChange((workers) => recovery.sharedBy(workers));
  }
}
