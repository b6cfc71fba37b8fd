import { Module } from '@nestjs/common';
import { MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { AttemptRecorder } from './delivery/attempt-recorder.js';
import { DeliveryStore } from './delivery/delivery-store.js';
import { EndpointEvents } from './endpoints/endpoint-events.js';
import { DeliveryClaims } from './delivery/delivery-claims.js';
import { DeliveryDispatcher } from './delivery/delivery-dispatcher.js';
import { BodyPartitions } from './deliveries/body-partitions.js';
import { DeliveryRetention } from './deliveries/retention.js';
import { RedeliveryRunner } from './deliveries/redelivery-runner.js';
import { EndpointOutcomes } from './endpoints/endpoint-outcomes.js';
import { DeliveryWorker } from './delivery/delivery-worker.js';
import { PostgresDeliveryStore } from './delivery/postgres-delivery-store.js';
import { Reconciler } from './delivery/reconciler.js';
import { ParkedDeliveries } from './standing-endpoints/parked-deliveries.js';
import { WebhooksModule } from './webhooks.module.js';
import { SharedSchedule, WorkersModule } from '../platform/workers/shared-schedule.js';

/** The delivery worker: the consumer of the queue, the reconciler and maintenance jobs of webhooks. */
@Module({
  imports: [MaintenanceModule, WebhooksModule, WorkersModule],
  providers: [
    AttemptRecorder,
    BodyPartitions,
    DeliveryClaims,
    DeliveryDispatcher,
    DeliveryRetention,
    DeliveryWorker,
    EndpointEvents,
    EndpointOutcomes,
    ParkedDeliveries,
    Reconciler,
    RedeliveryRunner,
    { provide: DeliveryStore, useClass: PostgresDeliveryStore },
  ],
})
export class WebhooksWorkerModule {
  constructor(schedule: SharedSchedule, reconciler: Reconciler, dispatcher: DeliveryDispatcher) {
    schedule.add(reconciler.job);
    schedule.onChange((workers) => dispatcher.shareAmong(workers));
  }
}
