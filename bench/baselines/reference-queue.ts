// The queue of the reference design: in Redis, or in the database through BullMQ's PostgreSQL backend.
import { type ConnectionOptions, createPostgresBackend, createRedisBackend, Queue } from 'bullmq';

export interface ReferenceOptions {
  databaseUrl: string;
  /** Absent: the queue is in PostgreSQL. */
  redisUrl?: string | undefined;
  secret: string;
}

export interface DeliveryJob {
  deliveryId: number;
}

export const QUEUE = 'webhook-deliveries';

/** The backend's connection of a queue or a worker. */
export function backendOf({ redisUrl, databaseUrl }: ReferenceOptions): {
  connection: ConnectionOptions;
  factory: typeof createRedisBackend;
} {
  if (redisUrl !== undefined) {
    return { connection: { url: redisUrl, maxRetriesPerRequest: null }, factory: createRedisBackend };
  }
  const connection = { connectionString: databaseUrl, schema: 'bullmq', migrate: false, max: 8 };
  return {
    connection: connection,
    factory: createPostgresBackend as unknown as typeof createRedisBackend,
  };
}

/** The queue to which jobs are added. */
export function openQueue(from: ReferenceOptions): Queue<DeliveryJob> {
  const { connection, factory } = backendOf(from);
  const opened = new Queue<DeliveryJob>(QUEUE, { connection }, factory);
  opened.on('error', console.error);
  return opened;
}

export const jobOf = (deliveryId: number) => ({
  name: 'deliver',
  data: { deliveryId },
  opts: { attempts: 4, backoff: { type: 'custom' }, removeOnComplete: true, removeOnFail: true },
});
