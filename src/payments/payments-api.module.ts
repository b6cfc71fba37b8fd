import { Module } from '@nestjs/common';
import { NotificationsController } from './notifications.controller.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsModule } from './payments.module.js';

@Module({ imports: [PaymentsModule], controllers: [PaymentsController, NotificationsController] })
export class PaymentsApiModule {}
