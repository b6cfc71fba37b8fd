import { Module } from '@nestjs/common';
import { CpuSchedulerModule } from '../platform/cpu-scheduler/cpu-scheduler.service.js';
import { ConformanceController } from './conformance/conformance.controller.js';
import { ConformanceService } from './conformance/conformance.service.js';
import { WebhookVerificationService } from './conformance/verification.service.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { DeliveryListService } from './deliveries/delivery-list.service.js';
import { ShopWebhooksController } from './deliveries/shop-webhooks.controller.js';
import { DeliveryIds } from './lookup/delivery-ids.service.js';
import { RedeliveryJobsService } from './deliveries/redelivery-jobs.service.js';
import { WebhookStatsService } from './deliveries/stats.service.js';
import { TestRate } from './outbox/test-rate.service.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { EventTypesController } from './event-types/event-types.controller.js';
import { EndpointTests } from './management/endpoint-test.service.js';
import { EndpointSettingsService } from './management/endpoint-settings.service.js';
import { ManagementController } from './management/management.controller.js';
import { ReceiversApiModule } from './receivers-api.module.js';
import { WebhooksModule } from './webhooks.module.js';

@Module({
  imports: [WebhooksModule, ReceiversApiModule, CpuSchedulerModule],
  controllers: [
    ShopWebhooksController,
    DeliveriesController,
    ConformanceController,
    EndpointsController,
    EventTypesController,
    ManagementController,
  ],
  providers: [
    DeliveriesService,
    EndpointTests,
    EndpointSettingsService,
    EndpointsService,
    DeliveryListService,
    DeliveryIds,
    RedeliveryJobsService,
    WebhookStatsService,
    TestRate,
    ConformanceService,
    WebhookVerificationService,
  ],
})
export class WebhooksApiModule {}
