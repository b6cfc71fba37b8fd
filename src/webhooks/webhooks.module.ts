import { Module } from '@nestjs/common';
import { BullModule } from '@nestjs/bullmq';
import { OutboundModule } from '../platform/outbound/outbound.module.js';
import { ReceiversModule } from './endpoint/secrets/receivers.module.js';
import { DeliveryErasureService } from './history/delivery-erasure.service.js';
import { LaneNotifier, LANE_QUEUE } from './outbox/lane-notifier.js';
import { EndpointStates } from './endpoint/health/endpoint-states.service.js';
import { ReceiverAuth } from './endpoint/auth/receiver-auth.service.js';
import { EndpointPolicy } from './outbox/endpoint-policy.service.js';
import { LanesService } from './outbox/lanes.service.js';
import { WebhookBacklog } from './outbox/webhook-backlog.js';
import { WebhookMetrics } from './outbox/webhook-metrics.js';
import { WebhookSender } from './endpoint/webhook-sender.js';
import { StoredBodies } from './outbox/stored-bodies.service.js';
import { ShopCountersService } from './outbox/shop-counters.service.js';

/** Services that the API and the worker share. Needs `QueueModule` in the application. */
@Module({
  imports: [OutboundModule, ReceiversModule, BullModule.registerQueue({ name: LANE_QUEUE })],
  providers: [
    DeliveryErasureService,
    EndpointStates,
    LaneNotifier,
    EndpointPolicy,
    LanesService,
    ReceiverAuth,
    WebhookBacklog,
    WebhookMetrics,
    WebhookSender,
    ShopCountersService,
    StoredBodies,
  ],
  exports: [
    BullModule,
    DeliveryErasureService,
    EndpointStates,
    LaneNotifier,
    ReceiversModule,
    EndpointPolicy,
    LanesService,
    ReceiverAuth,
    WebhookMetrics,
    WebhookSender,
    ShopCountersService,
    StoredBodies,
  ],
})
export class WebhooksModule {}
