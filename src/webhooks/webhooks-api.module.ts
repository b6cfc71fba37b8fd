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
import { WebhookTestService } from './deliveries/test.service.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { EventTypesController } from './event-types/event-types.controller.js';
import { EndpointReceivers } from './endpoints/endpoint-receivers.service.js';
import { EndpointTests } from './management/endpoint-test.service.js';
import { EndpointRotations } from './management/endpoint-rotation.service.js';
import { EndpointSettingsService } from './management/endpoint-settings.service.js';
import { ManagementController } from './management/management.controller.js';
import { WebhooksModule } from './webhooks.module.js';

@Module({
  imports: [WebhooksModule, CpuSchedulerModule],
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
    EndpointReceivers,
    EndpointRotations,
    EndpointTests,
    EndpointSettingsService,
    EndpointsService,
    DeliveryListService,
    DeliveryIds,
    RedeliveryJobsService,
    WebhookStatsService,
    TestRate,
    WebhookTestService,
    ConformanceService,
    WebhookVerificationService,
  ],
})
export class WebhooksApiModule {}
