import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit-log.service.js';
import { NotificationReader } from '../providers/notifications/notification-reader.service.js';
import { NotificationThrottle, ReturnThrottle } from '../providers/notifications/notification-throttle.service.js';
import { FlowsModule } from '../flows/flows.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AuthorizationService } from './authorization/authorization.service.js';
import { CreatePaymentService } from './creation/create-payment.service.js';
import { DeclinedPayments } from './creation/declined-payments.service.js';
import { PaymentCustomers } from './creation/payment-customers.service.js';
import { DisputesController } from './disputes/disputes.controller.js';
import { DisputesService } from './disputes/disputes.service.js';
import { CustomersController } from './customers/customers.controller.js';
import { FailoverService } from './authorization/failover.service.js';
import { CustomerLists } from './customers/customer-lists.service.js';
import { PaymentActionsController } from './payment-actions.controller.js';
import { PaymentMetadata } from './payment-metadata.service.js';
import { PaymentLists } from './listing/payment-lists.service.js';
import { SearchController } from './listing/search.controller.js';
import { Search } from './listing/search.service.js';
import { AskedAttempts } from './notifications/asked-attempts.service.js';
import { SavedMethodsController } from './payment-methods/saved-methods.controller.js';
import { NextActions } from './returns/next-actions.service.js';
import { NextActionsController } from './returns/next-actions.controller.js';
import { PayerReturns } from './returns/payer-returns.service.js';
import { ReturnsController } from './returns/returns.controller.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { NotificationsService } from './notifications/notifications.service.js';
import { ReportedMethods } from './notifications/reported-methods.service.js';
import { PaymentActionsService } from './operations/payment-actions.service.js';
import { ReportedOutcomes } from './operations/reported-outcomes.service.js';
import { SettlementsController } from './operations/settlements.controller.js';
import { Settlements } from './operations/settlements.service.js';
import { PaymentSync } from './operations/payment-sync.service.js';
import { PaymentRecorder } from './creation/payment-recorder.service.js';
import { RefundRecords } from './refunds/refund-records.service.js';
import { RefundsController } from './refunds/refunds.controller.js';
import { RefundsService } from './refunds/refunds.service.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsModule } from './payments.module.js';

@Module({
  imports: [AuditModule, FlowsModule, PaymentsModule, ProvidersModule, ShopsModule, WebhooksModule],
  controllers: [
    PaymentsController,
    PaymentActionsController,
    NextActionsController,
    SettlementsController,
    RefundsController,
    CustomersController,
    SavedMethodsController,
    DisputesController,
    NotificationsController,
    ReturnsController,
    SearchController,
  ],
  providers: [
    AskedAttempts,
    AuthorizationService,
    CreatePaymentService,
    CustomerLists,
    DeclinedPayments,
    DisputesService,
    PaymentCustomers,
    FailoverService,
    NotificationReader,
    NotificationThrottle,
    NotificationsService,
    NextActions,
    PayerReturns,
    PaymentActionsService,
    PaymentLists,
    PaymentMetadata,
    PaymentRecorder,
    PaymentSync,
    ReportedMethods,
    ReportedOutcomes,
    RefundRecords,
    RefundsService,
    ReturnThrottle,
    Search,
    Settlements,
  ],
})
export class PaymentsApiModule {}
