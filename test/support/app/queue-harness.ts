import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { ApiClient } from './api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from './merchant.js';
import { type InProcessService, startServiceInProcess } from './in-process-service.js';
import { BOOTSTRAP_CLIENT } from './service.js';
import { eventually } from '../eventually.js';
import { createTestDatabase, type TestDatabase } from '../servers/database.js';
import { type Receiver, startReceiver } from '../servers/receiver.js';

interface StatusChange {
  payment: { id: number; status: string };
}

interface Readiness {
  status: string;
  checks: { database: string; queue: string };
}

export const READY = { status: 'ok', checks: { database: 'up', queue: 'up' } };
export const WITHOUT_QUEUE = { status: 'degraded', checks: { database: 'up', queue: 'down' } };

const FLOW = 'checkout';
const PAUSE_MS = 25;

/**
 * API and worker in this process, each with its own connections, and with a merchant and a receiver, to test faults of
 * their queue.
 */
export class QueueHarness {
  private readonly paid: number[] = [];
  private readonly seen = new Set<string>();
  private stopped: Promise<unknown> | undefined;

  private constructor(
    readonly api: InProcessService,
    readonly worker: InProcessService,
    private readonly database: TestDatabase,
    private readonly receiver: Receiver,
    private readonly merchant: Merchant,
  ) {}

  /** `env`: the settings of the queue. */
  static async start(env: Record<string, string>): Promise<QueueHarness> {
    const [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
    // each webhook must arrive once, also on a busy machine
    const settings = { WEBHOOK_TIMEOUT_MS: '60000', ...env };
    const start = (entry: 'api' | 'worker') =>
      startServiceInProcess({ entry, databaseUrl: database.url, env: settings });
    const [api, worker] = await Promise.all([start('api'), start('worker')]);
    const merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    await merchant.createFlow(FLOW, [(await merchant.createShop('shop')).id]);
    return new QueueHarness(api, worker, database, receiver, merchant);
  }

  async pay(count = 1): Promise<void> {
    for (let made = 0; made < count; made++) {
      // no payment may be refused, not even briefly
      const answer = await this.merchant.tryPay(FLOW, { webhook_endpoint: `${this.receiver.url}/hook` });
      this.paid.push(dataOf<PaymentAnswer>(answer).id);
    }
  }

  /** Pays and reads readiness alternately until `fault` is over. Every payment must succeed. */
  async payDuring<T>(fault: Promise<T>): Promise<T> {
    let isOver = false;
    const end = (): void => void (isOver = true);
    fault.then(end, end);
    while (!isOver) {
      await this.pay();
      this.seen.add(JSON.stringify(await this.readiness()));
      // with a pause, because the fault's recovery needs CPU time
      await delay(PAUSE_MS);
    }
    return fault;
  }

  /** The readiness answers seen during `payDuring`. */
  get readinessSeen(): unknown[] {
    return [...this.seen].map((answer) => JSON.parse(answer) as unknown);
  }

  /** Resolves when the receiver has received both changes of each payment, in order and once. */
  async allDelivered(): Promise<void> {
    const expected = this.paid.map((id) => [id, 'processing', 'completed']);
    await eventually(() => {
      const changes = this.receiver.requests.map((request) => request.json<StatusChange>().payment);
      const statusesOf = (id: number) => changes.filter((payment) => payment.id === id).map(({ status }) => status);
      expect(this.paid.map((id) => [id, ...statusesOf(id)])).toEqual(expected);
    });
  }

  /** Resolves when API and worker both answer with this state. */
  async bothAre(state: object): Promise<void> {
    await eventually(async () => expect(await this.readiness()).toEqual([state, state]));
  }

  /** How often API and worker together have logged the line; they share NestJS's logger. */
  logged(msg: string): number {
    const logs = this.api.logs() + this.worker.logs();
    return logs.split(`"msg":"${msg}"`).length - 1;
  }

  /** Resolves when API and worker have logged the queue's return as often as its loss. The order does not matter. */
  hasLoggedEachReturn(): Promise<void> {
    return eventually(() => expect(this.logged('queue is back')).toEqual(this.logged('queue lost, waiting for it')));
  }

  /** Stops both as on SIGTERM; rejects if one of them does not stop cleanly. */
  stopBoth(): Promise<unknown> {
    return (this.stopped ??= Promise.all([this.api.stop(), this.worker.stop()]));
  }

  async destroy(): Promise<void> {
    await this.stopBoth();
    await this.receiver.stop();
    await this.database.drop();
  }

  /** Fails if one of them is not ready: a queue that is down must not make it so. */
  private readiness(): Promise<Readiness[]> {
    const urls = [this.api.url, this.worker.workerUrl];
    return Promise.all(
      urls.map(async (url) => {
        const { isReady, answer } = await eventually(() => readinessOf(url));
        expect([isReady, answer]).toEqual([true, answer]);
        return answer;
      }),
    );
  }
}

/** `null`: on a busy machine the database took longer than 1 s, which says nothing about the queue. */
async function readinessOf(url: string): Promise<{ isReady: boolean; answer: Readiness } | null> {
  const response = await fetch(`${url}/health/ready`);
  const answer = (await response.json()) as Readiness;
  return answer.checks.database === 'down' ? null : { isReady: response.status === 200, answer };
}
