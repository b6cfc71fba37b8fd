import { Module } from '@nestjs/common';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { ShopWebhooksController } from './shop-webhooks.controller.js';
import { WebhookReplayService } from './webhook-replay.service.js';
import { WebhookStatsService } from './webhook-stats.service.js';
import { WebhookTestService } from './webhook-test.service.js';
import { WebhooksModule } from './webhooks.module.js';

@Module({
  imports: [WebhooksModule],
  controllers: [ShopWebhooksController, DeliveriesController],
  providers: [DeliveriesService, WebhookReplayService, WebhookStatsService, WebhookTestService],
})
export class WebhooksApiModule {}
