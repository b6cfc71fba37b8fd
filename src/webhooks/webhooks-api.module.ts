import { Module } from '@nestjs/common';
import { CpuSchedulerModule } from '../platform/cpu-scheduler/cpu-scheduler.service.js';
import { ConformanceController } from './tools/conformance.controller.js';
import { ConformanceService } from './tools/conformance.service.js';
import { WebhookVerificationService } from './tools/verification.service.js';
import { DeliveriesController } from './history/deliveries.controller.js';
import { DeliveriesService } from './history/deliveries.service.js';
import { DeliveryListService } from './history/delivery-list.service.js';
import { ShopWebhooksController } from './history/shop-webhooks.controller.js';
import { DeliveryIds } from './history/delivery-ids.service.js';
import { RedeliveryJobsService } from './history/redelivery-jobs.service.js';
import { WebhookStatsService } from './history/stats.service.js';
import { TestRate } from './endpoint/test-rate.service.js';
import { EndpointsController } from './endpoint/endpoints.controller.js';
import { EndpointsService } from './endpoint/endpoints.service.js';
import { EventTypesController } from './event-types/event-types.controller.js';
import { EndpointTests } from './endpoint/endpoint-test.service.js';
import { EndpointSettingsService } from './endpoint/endpoint-settings.service.js';
import { ManagementController } from './endpoint/endpoint-settings.controller.js';
import { ReceiversApiModule } from './endpoint/secrets/shop-secrets.controller.js';
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
