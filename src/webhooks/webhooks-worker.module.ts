import { Module } from '@nestjs/common';
import { AttemptRecorder } from './attempt-recorder.service.js';
import { DeliveryClaims } from './delivery-claims.service.js';
import { LaneReconciler } from './lane-reconciler.service.js';
import { LaneRunner } from './lane-runner.service.js';
import { LaneWorker } from './lane-worker.service.js';
import { WebhooksModule } from './webhooks.module.js';

/** The delivery worker: the queue's consumer and the reconciler. */
@Module({
  imports: [WebhooksModule],
  providers: [AttemptRecorder, DeliveryClaims, LaneReconciler, LaneRunner, LaneWorker],
})
export class WebhooksWorkerModule {}
