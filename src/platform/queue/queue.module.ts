import { type DynamicModule, Global, Module } from '@nestjs/common';
import { BullModule } from '@nestjs/bullmq';
import { setDefaultBackendFactory } from 'bullmq';
import { QUEUE_BACKEND, queueBackend, type QueueLocation } from './queue-backend.js';
import { QueueHealth } from './queue-health.service.js';

/**
 * Sets where BullMQ stores its jobs: in Redis, or without Redis in PostgreSQL. Features register their queues with
 * `BullModule.registerQueue` and report them to `QueueHealth`.
 */
@Global()
@Module({})
export class QueueModule {
  static forRoot(location: QueueLocation): DynamicModule {
    const backend = queueBackend(location);
    return {
      module: QueueModule,
      imports: [
        BullModule.forRootAsync({
          useFactory: () => {
            // @nestjs/bullmq has no factory per queue; this runs before any queue is created
            setDefaultBackendFactory(backend.factory);
            return { connection: backend.producer };
          },
        }),
      ],
      providers: [{ provide: QUEUE_BACKEND, useValue: backend }, QueueHealth],
      exports: [QUEUE_BACKEND, QueueHealth],
    };
  }
}
