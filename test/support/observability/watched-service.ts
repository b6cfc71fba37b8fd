import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../app/api-client.js';
import { Merchant } from '../app/merchant.js';
import {
  BOOTSTRAP_CLIENT,
  builtFile,
  preloading,
  type RunningService,
  type ServiceOptions,
  startService,
} from '../app/service.js';
import { startSkewed } from '../app/skewed-services.js';
import { eventually } from '../eventually.js';
import { createTestDatabase, type TestDatabase } from '../servers/database.js';
import { type Receiver, startReceiver } from '../servers/receiver.js';
import { startRedis, type TestRedis } from '../servers/redis.js';
import { type Moment, nameOf, scrape, seen, type Target } from './scrapes.js';

const DECLINING = { provider_credentials: { simulate: 'tok_decline' } };

/** Number of shops, and so of lanes, of the flow `sandbox`. */
const SHOPS = 6;

/**
 * API and worker as separate processes, with a Redis that can be disturbed, scraped like by Prometheus.
 */
export class WatchedService {
  readonly targets: Target[] = [];
  private readonly workers: RunningService[] = [];
  merchant: Merchant;
  api: RunningService;

  private constructor(
    readonly database: TestDatabase,
    readonly redis: TestRedis,
    /** Receives the webhooks of `payWithWebhook`. */
    readonly receiver: Receiver,
  ) {}

  static async start(): Promise<WatchedService> {
    const service = new WatchedService(...(await Promise.all([createTestDatabase(), startRedis(), startReceiver()])));
    await Promise.all([service.startApi(), service.startWorker('worker-1')]);
    await Promise.all([service.aFlow('sandbox', SHOPS), service.aFlow('declining', 1, DECLINING)]);
    return service;
  }

  async stop(): Promise<void> {
    await Promise.all([this.api.kill(), ...this.workers.map((worker) => worker.kill())]);
    await Promise.all([this.receiver.stop(), this.redis.stop()]);
    await this.database.drop();
  }

  /** `skewMs`: how far the clock of its machine is ahead. */
  async startWorker(instance: string, skewMs = 0): Promise<RunningService> {
    const options: ServiceOptions = { entry: 'worker', ...this.settings() };
    const worker = await (skewMs === 0 ? startService(options) : startSkewed(options, skewMs));
    this.workers.push(worker);
    this.targets.push({ job: 'payment-worker', instance, url: worker.workerUrl });
    return worker;
  }

  /** The worker that was started last. */
  get worker(): RunningService {
    return this.workers.at(-1)!;
  }

  /** No longer scrapes it, as if service discovery had removed it. */
  forget(instance: string): void {
    this.targets.splice(
      this.targets.findIndex((target) => target.instance === instance),
      1,
    );
  }

  pay(times: number, flow = 'sandbox', fields: Record<string, unknown> = {}): Promise<unknown> {
    return Promise.all(Array.from({ length: times }, () => this.merchant.pay(flow, fields)));
  }

  payWithWebhook(times: number): Promise<unknown> {
    return this.pay(times, 'sandbox', { webhook_endpoint: `${this.receiver.url}/webhooks` });
  }

  async execute(statement: string): Promise<number> {
    return (await this.database.pool.query(statement)).rowCount ?? 0;
  }

  /** Runs `during` while `clients` concurrent clients read a payment repeatedly, ignoring the answers. Lists have slots. */
  async whileReading<T>(clients: number, during: () => Promise<T>): Promise<T> {
    let over = false;
    const reading = Array.from({ length: clients }, async () => {
      while (!over) await this.merchant.api.get('/payments/1');
    });
    try {
      return await during();
    } finally {
      over = true;
      // they end when the lock is released
      void Promise.allSettled(reading);
    }
  }

  /** Runs `during` while a transaction is open that has executed these statements. */
  async withinTransaction<T>(statements: string[], during: () => Promise<T>): Promise<T> {
    const client = await this.database.pool.connect();
    try {
      for (const statement of statements) await client.query(statement);
      return await during();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }

  /** Waits for the first scrape without any effect of earlier faults. */
  calm(): Promise<Moment> {
    return eventually(async () => {
      const moment = await scrape(this.targets);
      const problems = problemsIn(moment);
      if (problems.length > 0) throw new Error(`still not calm: ${problems.join(', ')}`);
      return moment;
    }, EVERY_QUARTER_SECOND);
  }

  /** Scrapes until `shows` has held for `forMs`; resolves to these scrapes. */
  async watch(shows: (moment: Moment) => boolean, forMs: number): Promise<Moment[]> {
    let moments: Moment[] = [];
    await eventually(async () => {
      const moment = await scrape(this.targets);
      moments = shows(moment) ? [...moments, moment] : [];
      return moments.length > 0 && moment.at - moments[0]!.at >= forMs;
    }, EVERY_QUARTER_SECOND);
    return moments;
  }

  private async startApi(): Promise<void> {
    this.api = await startService({ entry: 'api', ...this.settings() });
    this.targets.push({ job: 'payment-api', instance: 'api', url: this.api.url });
    this.merchant = new Merchant(await ApiClient.login(this.api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  }

  private async aFlow(name: string, shops: number, fields: Record<string, unknown> = {}): Promise<void> {
    const names = Array.from({ length: shops }, (_, index) => `${name} ${index}`);
    const made = await Promise.all(names.map((shop) => this.merchant.createShop(shop, fields)));
    await this.merchant.createFlow(
      name,
      made.map(({ id }) => id),
    );
  }

  private settings() {
    const env = {
      // shows a provoked fault, and its end, at once
      NODE_OPTIONS: preloading('frequent-gauges.mjs'),
      BUILD: builtFile(),
      WEBHOOK_TIMEOUT_MS: '3000',
      WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
    };
    return { databaseUrl: this.database.url, redisUrl: this.redis.url, env };
  }
}

const EVERY_QUARTER_SECOND = { intervalMs: 250 };

/** Higher or missing values are a problem. */
const CALM: [string, number][] = [
  ['webhook_oldest_due_seconds', 0.5],
  ['webhook_endpoints_failing', 0],
  ['provider_operations_oldest_seconds', 0.5],
  ['provider_notifications_waiting', 0],
  ['database_oldest_snapshot_seconds', 0.5],
  ['database_pool_waiting', 0],
];

const READ_BY_ALL = 'database_oldest_snapshot_seconds';

function problemsIn(moment: Moment): string[] {
  const tooHigh = CALM.filter(([metric, bound]) => !((seen(moment, metric) ?? Infinity) <= bound)).map(
    ([metric]) => metric,
  );
  const down = [...moment.values].filter(
    ([series, value]) => ['up', 'queue_up'].includes(nameOf(series)) && value !== 1,
  );
  return [...tooHigh, ...down.map(([series]) => series), ...unread(moment)];
}

/** Every running process has read from the database; a restarted one must read again. */
function unread({ values }: Moment): string[] {
  const of = (metric: string) => [...values.keys()].filter((series) => nameOf(series) === metric);
  const read = of(READ_BY_ALL).map((series) => series.slice(READ_BY_ALL.length));
  return of('up')
    .map((series) => series.slice('up'.length))
    .filter((target) => !read.includes(target))
    .map((target) => `${READ_BY_ALL}${target} is absent`);
}

/** Freezes the process for `ms`, as on a machine without free CPU time. */
export async function freezeFor(pid: number, ms: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await delay(ms);
  process.kill(pid, 'SIGCONT');
  await delay(20);
}
