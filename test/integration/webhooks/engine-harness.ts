import type { Type } from '@nestjs/common';
import { Database } from '../../../src/platform/database/database.js';
import { QueueModule } from '../../../src/platform/queue/queue.module.js';
import { ShopsService } from '../../../src/shops/shops.service.js';
import { LanesService } from '../../../src/webhooks/outbox/lanes.service.js';
import { LaneNotifier } from '../../../src/webhooks/outbox/lane-notifier.js';
import { WebhooksModule } from '../../../src/webhooks/webhooks.module.js';
import { WebhooksWorkerModule } from '../../../src/webhooks/webhooks-worker.module.js';
import {
  type ApplicationOptions,
  featuresModule,
  type LogLine,
  startApplication,
  type TestApplication,
  testConfig,
} from '../../support/app/application.js';
import { APPEND_DELIVERIES, appendValues, type NewDelivery } from '../../support/app/append-deliveries.js';
import { aDelivery, aMerchant } from '../../support/app/builders.js';
import { forgetWorkers } from '../../support/app/scheduled-tasks.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startRedis, type TestRedis } from '../../support/servers/redis.js';

export const BACKENDS = ['postgres', 'redis'] as const;
export type Backend = (typeof BACKENDS)[number];

/** Time-out of attempts in tests, long enough for slow machines. */
const ATTEMPT_TIMEOUT_MS = '60000';
/** Retry schedule in tests: four attempts as by default, with growing delays. */
const FAST_RETRIES = '10,40,160';

export interface DeliveryRow {
  id: number;
  shop_id: number;
  payment_id: number;
  status: string;
  attempts: number;
  attempts_in_run: number;
  next_attempt_at: Date | null;
  last_status_code: number | null;
  last_error: string | null;
  delivered_at: Date | null;
}

export interface AttemptRow {
  number: number;
  started_at: Date;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  response_body: string | null;
}

export interface TestShop {
  merchantId: number;
  shopId: number;
  secret: string;
}

/** One application with webhook delivery: a producer, or a worker (which is a producer too). */
export interface Engine extends Omit<TestApplication, 'close'> {
  /** Commits the deliveries and wakes their lanes, like a change of status. */
  deliver(...deliveries: NewDelivery[]): Promise<void>;
  /** Commits the deliveries without a wake-up. */
  append(...deliveries: NewDelivery[]): Promise<void>;
  stop(): Promise<void>;
}

/** A database, a Redis if the backend needs one, and the applications that a test starts on them. */
export class EngineHarness {
  private readonly engines: Engine[] = [];
  private lastCleared = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly redis: TestRedis | undefined,
  ) {}

  static async create(backend: Backend): Promise<EngineHarness> {
    return new EngineHarness(await createTestDatabase(), backend === 'redis' ? await startRedis() : undefined);
  }

  /** Log lines of all applications. */
  get logs(): LogLine[] {
    return this.engines[0]?.lines() ?? [];
  }

  startProducer(env: Record<string, string> = {}): Promise<Engine> {
    return this.start(WebhooksModule, env);
  }

  startWorker(env: Record<string, string> = {}): Promise<Engine> {
    return this.start(WebhooksWorkerModule, env);
  }

  private async start(feature: Type, env: Record<string, string>): Promise<Engine> {
    const engine = await startEngine(feature, this.database.url, { REDIS_URL: this.redis?.url, ...env });
    this.engines.push(engine);
    return engine;
  }

  /** Creates a shop of a new merchant. */
  async aShop(engine: Engine): Promise<TestShop> {
    const merchantId = await aMerchant(this.database.pool);
    const { shop, webhookSecret } = await engine.get(ShopsService).create(merchantId, {
      name: 'shop',
      provider: 'sandbox',
      credentials: { notification_secret: 'notification-secret-of-the-tests' },
      webhookSecret: undefined,
    });
    return { merchantId, shopId: shop.id, secret: webhookSecret };
  }

  /** Returns a builder of deliveries of `shop` to `endpoint`. */
  async deliveriesTo(engine: Engine, shop: TestShop, endpoint: string) {
    const laneId = await engine.get(LanesService).laneFor(shop.shopId, endpoint);
    const common = { merchantId: shop.merchantId, shopId: shop.shopId, laneId, webhookEndpoint: endpoint };
    return (fields: Partial<NewDelivery> = {}): NewDelivery => aDelivery({ ...common, ...fields });
  }

  async deliveries(): Promise<DeliveryRow[]> {
    const { rows } = await this.database.pool.query<DeliveryRow>(
      'SELECT * FROM all_deliveries WHERE id > $1 ORDER BY id',
      [this.lastCleared],
    );
    return rows;
  }

  async attempts(deliveryId: number): Promise<AttemptRow[]> {
    const { rows } = await this.database.pool.query<AttemptRow>(
      'SELECT * FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number',
      [deliveryId],
    );
    return rows;
  }

  /** Prepares the next test: stops all applications except these, and deletes all deliveries and jobs. Shops and lanes stay. */
  async clear(...kept: Engine[]): Promise<void> {
    const stopping = this.engines.filter((engine) => !kept.includes(engine));
    await Promise.all(stopping.map((engine) => engine.stop()));
    this.engines.splice(0, Infinity, ...kept);
    this.logs.length = 0;
    // a kept worker may be about to record one of these, which inserts it again
    const { rows } = await this.database.pool.query<{ id: number }>(
      'SELECT coalesce(max(id), 0)::int AS id FROM all_deliveries',
    );
    this.lastCleared = Math.max(this.lastCleared, rows[0]!.id);
    await this.database.pool.query(
      `WITH pending AS (DELETE FROM pending_deliveries), ended AS (DELETE FROM webhook_deliveries),
        attempts AS (DELETE FROM webhook_attempts) DELETE FROM webhook_bodies`,
    );
    await this.emptyQueue();
    await forgetWorkers(this.database.pool);
  }

  async emptyQueue(): Promise<void> {
    if (this.redis) return this.redis.flush();
    // may deadlock with a worker, and PostgreSQL may abort this statement
    await eventually(() => this.database.pool.query('TRUNCATE bullmq.job, bullmq.dedup CASCADE'));
  }

  async stop(): Promise<void> {
    await Promise.all(this.engines.map((engine) => engine.stop()));
    await this.database.drop();
    await this.redis?.stop();
  }
}

export async function startEngine(
  feature: Type,
  databaseUrl: string,
  env: Record<string, string | undefined> = {},
  options: Pick<ApplicationOptions, 'lockTimeoutMs'> = {},
): Promise<Engine> {
  const defaults = { WEBHOOK_RETRY_DELAYS_MS: FAST_RETRIES, WEBHOOK_TIMEOUT_MS: ATTEMPT_TIMEOUT_MS };
  const config = testConfig({ DATABASE_URL: databaseUrl, ...defaults, ...env });
  const queue = QueueModule.forRoot({ redis: config.redis, databaseUrl });
  const application = await startApplication(featuresModule(config, databaseUrl, [queue, feature]), options);
  const { get } = application;
  let stopped: Promise<void> | undefined;
  const append = async (...deliveries: NewDelivery[]): Promise<void> => {
    await get(Database).query(APPEND_DELIVERIES, appendValues(deliveries));
  };
  return {
    ...application,
    append,
    deliver: async (...deliveries) => {
      await append(...deliveries);
      get(LaneNotifier).notify(deliveries.map((delivery) => delivery.laneId));
    },
    stop: () => (stopped ??= application.close()),
  };
}
