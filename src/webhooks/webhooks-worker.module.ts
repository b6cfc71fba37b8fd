import { Module } from '@nestjs/common';
import { MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { AttemptRecorder } from './engine/attempt-recorder.js';
import { DeliveryStore } from './engine/delivery-store.js';
import { EndpointEvents } from './endpoint/health/endpoint-events.js';
import { DeliveryClaims } from './engine/delivery-claims.js';
import { DeliveryDispatcher } from './engine/delivery-dispatcher.js';
import { BodyPartitions } from './history/body-partitions.js';
import { DeliveryRetention } from './history/retention.js';
import { RedeliveryRunner } from './history/redelivery-runner.js';
import { EndpointOutcomes } from './endpoint/health/endpoint-outcomes.js';
import { DeliveryWorker } from './engine/delivery-worker.js';
import { PostgresDeliveryStore } from './engine/postgres-delivery-store.js';
import { Reconciler } from './engine/reconciler.js';
import { ParkedDeliveries } from './endpoint/parked-deliveries.js';
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
