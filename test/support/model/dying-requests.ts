import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { TestApi } from '../app/api-app.js';
import type { Merchant } from '../app/merchant.js';
import type { MoneyRequest } from './killed-requests.js';

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/** The connection's socket. */
const socketOf = (client: pg.Client) =>
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;

/**
 * Requests whose process dies in the middle, without a process: from its n-th statement on, a request loses the
 * connection of every statement before it is sent. What it has written then is what a kill leaves.
 */
export class DyingRequests {
  private readonly running = new AsyncLocalStorage<{ left: number }>();
  private readonly prototype = pg.Client.prototype as unknown as { query: Query };
  private readonly query = this.prototype.query;

  constructor(private readonly api: TestApi) {
    const { running, query } = this;
    this.prototype.query = function (...given) {
      const progress = running.getStore();
      if (progress && --progress.left < 0) socketOf(this).destroy();
      return query.apply(this, given);
    };
  }

  restore(): void {
    this.prototype.query = this.query;
  }

  /** Sends the request, which dies before its statement `at`; returns whether it has so many. */
  async dieAt(at: number, merchant: Merchant, { path, body, headers }: MoneyRequest): Promise<boolean> {
    const progress = { left: at - 1 };
    const isText = typeof body === 'string';
    const sent = {
      method: 'POST' as const,
      url: path,
      headers: {
        authorization: `Bearer ${merchant.api.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      payload: isText ? body : JSON.stringify(body),
    };
    // `inject` begins when it is awaited
    await this.running.run(progress, async () => await this.api.app.inject(sent));
    return progress.left < 0;
  }
}
