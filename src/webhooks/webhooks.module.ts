import { Module } from '@nestjs/common';
import { BullModule } from '@nestjs/bullmq';
import { AuditModule } from '../audit/audit.module.js';
import { OutboundModule } from '../platform/outbound/outbound.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { DeliveryErasureService } from './delivery-erasure.service.js';
import { LaneAlarm } from './lane-alarm.service.js';
import { LANE_QUEUE } from './lane-queue.js';
import { WebhookEndpointPolicy } from './webhook-endpoint-policy.service.js';
import { WebhookLanesService } from './webhook-lanes.service.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhookOutboxService } from './webhook-outbox.service.js';
import { WebhookSender } from './webhook-sender.service.js';
import { WebhookShopCountersService } from './webhook-shop-counters.service.js';

/** What the API and the worker share. Needs `QueueModule` in the application. */
@Module({
  imports: [AuditModule, OutboundModule, ShopsModule, BullModule.registerQueue({ name: LANE_QUEUE })],
  providers: [
    DeliveryErasureService,
    LaneAlarm,
    WebhookEndpointPolicy,
    WebhookLanesService,
    WebhookMetrics,
    WebhookOutboxService,
    WebhookSender,
    WebhookShopCountersService,
  ],
  exports: [
    AuditModule,
    BullModule,
    DeliveryErasureService,
    LaneAlarm,
    ShopsModule,
    WebhookEndpointPolicy,
    WebhookLanesService,
    WebhookMetrics,
    WebhookOutboxService,
    WebhookSender,
    WebhookShopCountersService,
  ],
})
export class WebhooksModule {}
