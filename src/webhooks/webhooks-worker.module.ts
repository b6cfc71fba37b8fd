import { Module } from '@nestjs/common';
import { HousekeepingModule } from '../platform/housekeeping/housekeeping.service.js';
import { AttemptRecorder } from './engine/attempt-recorder.js';
import { DeliveryStore } from './engine/delivery-store.js';
import { EndpointEvents } from './engine/endpoint-events.js';
import { DeliveryClaims } from './engine/delivery-claims.js';
import { BodyPartitions } from './deliveries/body-partitions.js';
import { DeliveryRetention } from './deliveries/retention.js';
import { RedeliveryChore } from './deliveries/redelivery-chore.js';
import { EndpointOutcomes } from './endpoints/endpoint-outcomes.js';
import { LaneReconciler } from './engine/lane-reconciler.js';
import { LaneRunner } from './engine/lane-runner.js';
import { SqlDeliveryStore } from './engine/sql-delivery-store.js';
import { LaneWorker } from './engine/lane-worker.js';
import { WebhooksModule } from './webhooks.module.js';
import { WorkerTurns } from '../platform/workers/worker-turns.js';
import { WorkersModule } from '../platform/workers/worker-turns.js';

/** The delivery worker: the queue's consumer and the reconciler. */
@Module({
  imports: [HousekeepingModule, WebhooksModule, WorkersModule],
  providers: [
    AttemptRecorder,
    BodyPartitions,
    DeliveryClaims,
    DeliveryRetention,
    EndpointEvents,
    EndpointOutcomes,
    LaneReconciler,
    LaneRunner,
    LaneWorker,
    RedeliveryChore,
    { provide: DeliveryStore, useClass: SqlDeliveryStore },
  ],
})
export class WebhooksWorkerModule {
  constructor(turns: WorkerTurns, reconciler: LaneReconciler, runner: LaneRunner) {
    turns.add(reconciler.task);
    turns.onChange((workers) => runner.sharedBy(workers));
  }
}
