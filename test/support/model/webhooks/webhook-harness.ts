import { Module } from '@nestjs/common';
import { Database } from '../../../../src/platform/database/database.js';
import { PaymentsWorkerModule } from '../../../../src/payments/payments-worker.module.js';
import { WebhooksWorkerModule } from '../../../../src/webhooks/webhooks-worker.module.js';
import { type Engine, startEngine } from '../../../integration/webhooks/engine-harness.js';
import { startApi, type TestApi } from '../../app/api-app.js';
import { ApiClient } from '../../app/api-client.js';
import { earlierTransactions } from '../../app/earlier-transactions.js';
import { insertClient } from '../../app/insert-client.js';
import { forgetWorkers, makeTasksDue } from '../../app/scheduled-tasks.js';
import { eventually } from '../../eventually.js';
import { type ReceivedRequest, type Receiver, type Reply, startReceiver } from '../../servers/receiver.js';

@Module({ imports: [PaymentsWorkerModule, WebhooksWorkerModule] })
class WorkerFeatures {}

export const TIMEOUT_MS = 1_000;
export const DELAYS_MS: readonly number[] = [10, 40, 160];
export const ORIGINS = 3;
const ENV = {
  WEBHOOK_RETRY_DELAYS_MS: DELAYS_MS.join(','),
  WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
  WEBHOOK_REDELIVERIES_PER_SECOND: '1000',
};
const MOST_WORKERS = 2;

/** A receiver's answers to a merchant's requests. */
export const BEHAVIOURS = {
  fine: { status: 200, body: 'thanks' },
  slow: { status: 204, delayMs: 60 },
  faulty: { status: 500, body: 'oh no' },
  busy: { status: 429, headers: { 'retry-after': '1' } },
  gone: { status: 410 },
  resetting: { misbehaviour: 'reset' },
  hanging: { misbehaviour: 'hang' },
} as const satisfies Record<string, Reply>;
export type Behaviour = keyof typeof BEHAVIOURS;

/** `null`: no answer. */
export const statusOf = (behaviour: Behaviour): number | null => (BEHAVIOURS[behaviour] as Reply).status ?? null;

/** A request that a receiver got, and its answer. */
export interface Receipt {
  origin: number;
  request: ReceivedRequest;
  behaviour: Behaviour;
}

/** The API, workers that start and stop, and receivers that record the requests of each merchant. */
export class WebhookHarness {
  private readonly workers: Engine[] = [];
  private readonly books = new Map<string, Receipt[]>();
  private readonly behaviours = new Map<string, Behaviour>();
  private merchants = 0;
  private change: Promise<void> = Promise.resolve();
  /** Whether a worker has lost its connections since the last drain, and perhaps some counts. */
  wasCut = false;

  private constructor(
    readonly api: TestApi,
    private readonly receivers: readonly Receiver[],
  ) {
    for (const [origin, receiver] of receivers.entries())
      receiver.respondWith((request) => this.receive(origin, request));
  }

  static async start(): Promise<WebhookHarness> {
    const receivers = await Promise.all(Array.from({ length: ORIGINS }, () => startReceiver()));
    const harness = new WebhookHarness(await startApi(ENV), receivers);
    await harness.startWorker();
    return harness;
  }

  async stop(): Promise<void> {
    await this.change;
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await this.api.stop();
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
  }

  /** `key` is part of its webhook addresses. */
  async aMerchant(): Promise<{ key: string; merchantId: number; client: ApiClient }> {
    const { id, secret, merchantId } = await insertClient(this.api.database);
    return { key: `m${++this.merchants}`, merchantId, client: await ApiClient.login(this.api.url, id, secret) };
  }

  address(key: string, origin: number, path: string): string {
    return `${this.receivers[origin]!.url}/${key}${path}`;
  }

  originOf(url: string): number {
    return this.receivers.findIndex((receiver) => url.startsWith(receiver.url));
  }

  book(key: string): readonly Receipt[] {
    return this.books.get(key) ?? [];
  }

  behave(key: string, origin: number, behaviour: Behaviour): void {
    this.behaviours.set(`${key} ${origin}`, behaviour);
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.api.database.pool.query<Row>(text, values)).rows;
  }

  /** Changes the workers, one change at a time. */
  disturb(how: 'start' | 'stop' | 'replace' | 'cut'): Promise<void> {
    const changes = { start: () => this.startWorker(), stop: () => this.stopWorker() };
    const replace = async (): Promise<void> => {
      await this.startWorker();
      await this.stopWorker();
    };
    return this.serially({ ...changes, replace, cut: () => this.cut() }[how]);
  }

  /** Waits until the merchants have no pending work. */
  async drain(merchantIds: readonly number[]): Promise<void> {
    await this.serially(async () => {
      if (this.workers.length === 0) await this.startWorker();
    });
    await eventually(
      async () => {
        await this.query(`UPDATE due_work SET due_at = now() WHERE kind = 'erasure' AND due_at > now()`);
        await makeTasksDue(this.api.database.pool);
        const [open] = await this.query<{ rows: number }>(
          `SELECT (SELECT count(*) FROM pending_deliveries WHERE merchant_id = ANY ($1))::int
            + (SELECT count(*) FROM webhook_redeliveries WHERE merchant_id = ANY ($1))::int
            + (SELECT count(*) FROM due_work d JOIN customers c ON c.id = d.subject_id
                WHERE d.kind = 'erasure' AND c.merchant_id = ANY ($1))::int AS rows`,
          [merchantIds],
        );
        return open!.rows === 0;
      },
      { timeoutMs: 120_000 },
    );
  }

  /** Waits until all current transactions have ended, including those of other databases of the server. */
  async earlierTransactions(): Promise<void> {
    await earlierTransactions(this.api.database);
  }

  private serially(work: () => Promise<void>): Promise<void> {
    const done = this.change.then(work);
    this.change = done.catch(() => undefined);
    return done;
  }

  private async startWorker(): Promise<void> {
    if (this.workers.length >= MOST_WORKERS) return;
    this.workers.push(await startEngine(WorkerFeatures, this.api.database.url, ENV));
  }

  private async stopWorker(): Promise<void> {
    const worker = this.workers.shift();
    await worker?.stop();
    if (this.workers.length === 0) await forgetWorkers(this.api.database.pool);
  }

  /** Breaks a worker's connections to the database, at any point of its work. */
  private async cut(): Promise<void> {
    const [worker] = this.workers;
    if (!worker) return;
    this.wasCut = true;
    const { _clients: clients } = worker.get(Database).pool as unknown as { _clients: { processID: number }[] };
    const pids = clients.map(({ processID }) => processID);
    await this.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS p (pid)', [pids]);
  }

  private receive(origin: number, request: ReceivedRequest): Reply {
    const key = /^\/([^/?]+)/.exec(request.url)?.[1] ?? '';
    const behaviour = this.behaviours.get(`${key} ${origin}`) ?? 'fine';
    const book = this.books.get(key) ?? [];
    this.books.set(key, book);
    book.push({ origin, request, behaviour });
    return BEHAVIOURS[behaviour];
  }
}
