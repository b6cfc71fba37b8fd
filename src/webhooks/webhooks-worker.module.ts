import { Module } from '@nestjs/common';
import { HousekeepingModule } from '../platform/housekeeping/housekeeping.module.js';
import { AttemptRecorder } from './attempt-recorder.service.js';
import { DeliveryClaims } from './delivery-claims.service.js';
import { DeliveryPruning } from './delivery-pruning.service.js';
import { LaneReconciler } from './lane-reconciler.service.js';
import { LaneRunner } from './lane-runner.service.js';
import { LaneWorker } from './lane-worker.service.js';
import { WebhooksModule } from './webhooks.module.js';

/** The delivery worker: the queue's consumer and the reconciler. */
@Module({
  imports: [HousekeepingModule, WebhooksModule],
  providers: [AttemptRecorder, DeliveryClaims, DeliveryPruning, LaneReconciler, LaneRunner, LaneWorker],
})
export class WebhooksWorkerModule {}
