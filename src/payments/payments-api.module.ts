import { Module } from '@nestjs/common';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { CustomersController } from './customers.controller.js';
import { NotificationThrottle } from './notification-throttle.service.js';
import { NotificationsController } from './notifications.controller.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsModule } from './payments.module.js';

@Module({
  imports: [PaymentsModule, WebhooksModule],
  controllers: [PaymentsController, CustomersController, NotificationsController],
  providers: [NotificationThrottle],
})
export class PaymentsApiModule {}
