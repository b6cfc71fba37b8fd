import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit-log.service.js';
import { NotificationReader } from '../providers/notifications/notification-reader.service.js';
import { NotificationThrottle, ReturnThrottle } from '../providers/notifications/notification-throttle.service.js';
import { FlowsModule } from '../flows/flows.module.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AuthorizationService } from './creation/authorization.service.js';
import { CreatePaymentService } from './creation/create-payment.service.js';
import { PaymentCustomers } from './creation/payment-customers.service.js';
import { DisputesController } from './api/disputes.controller.js';
import { DisputesService } from './api/disputes.service.js';
import { CustomersController } from './customers/customers.controller.js';
import { FailoverService } from './creation/failover.service.js';
import { CustomerLists } from './customers/customer-lists.service.js';
import { PaymentActionsController } from './api/payment-actions.controller.js';
import { PaymentLists } from './listing/payment-lists.service.js';
import { SearchController } from './listing/search.controller.js';
import { Search } from './listing/search.service.js';
import { AskedAttempts } from './notifications/asked-attempts.service.js';
import { SavedMethodsController } from './methods/saved-methods.controller.js';
import { MoneyRequests } from './api/money-requests.service.js';
import { NextActions } from './api/next-actions.service.js';
import { ReturnsController } from './api/returns.controller.js';
import { NotificationsController } from './notifications/notifications.controller.js';
import { NotificationsService } from './notifications/notifications.service.js';
import { PaymentActionsService } from './api/payment-actions.service.js';
import { Settlements } from './api/settlements.service.js';
import { PaymentRecorder } from './creation/payment-recorder.service.js';
import { RefundsController } from './api/refunds.controller.js';
import { RefundsService } from './api/refunds.service.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsModule } from './payments.module.js';

@Module({
  imports: [AuditModule, FlowsModule, PaymentsModule, ProvidersModule, ShopsModule, WebhooksModule],
  controllers: [
    PaymentsController,
    PaymentActionsController,
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
    DisputesService,
    PaymentCustomers,
    FailoverService,
    NotificationReader,
    NotificationThrottle,
    NotificationsService,
    MoneyRequests,
    NextActions,
    PaymentActionsService,
    PaymentLists,
    PaymentRecorder,
    RefundsService,
    ReturnThrottle,
    Search,
    Settlements,
  ],
})
export class PaymentsApiModule {}
