// The queue of the textbook design: in Redis, or through BullMQ's PostgreSQL backend in the database.
import { type ConnectionOptions, createPostgresBackend, createRedisBackend, Queue } from 'bullmq';

export interface TextbookOptions {
  databaseUrl: string;
  /** Absent: the queue lives in PostgreSQL. */
  redisUrl?: string | undefined;
  secret: string;
}

export interface DeliveryJob {
  deliveryId: number;
}

export const QUEUE = 'webhook-deliveries';

/** How a queue or a worker reaches the backend. */
export function backendOf({ redisUrl, databaseUrl }: TextbookOptions): {
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

/** The queue that jobs are added to. */
export function openQueue(from: TextbookOptions): Queue<DeliveryJob> {
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
