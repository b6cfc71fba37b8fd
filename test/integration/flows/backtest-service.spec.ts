import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { BacktestService } from '../../../src/flows/backtest/backtest.service.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { generatePayments } from './generated-payments.js';

describe('a backtest on a running service', () => {
  const MANY = 5_000;
  let api: TestApi;
  let client: ApiClient;
  let flow: { id: number };

  beforeAll(async () => {
    api = await startApi();
    client = await api.login();
    const merchant = new Merchant(client);
    const shopIds = [(await merchant.createShop('Alpha')).id, (await merchant.createShop('Beta')).id];
    flow = await merchant.createFlow('checkout', shopIds);
    await generatePayments(api.database, flow.id, shopIds, MANY);
  });

  afterAll(() => api?.stop());

  /** With few payments, unless it must take long. */
  const backtestOf = ({ limit = 100, signal }: { limit?: number; signal?: AbortSignal } = {}) =>
    fetch(`${api.url}/flows/${flow.id}/backtest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ version: 1, limit }),
      ...(signal && { signal }),
    });

  /** Blocks reads of payments until the returned function is called. */
  async function lockPayments(): Promise<() => Promise<void>> {
    const connection = await api.database.pool.connect();
    await connection.query('BEGIN');
    await connection.query('LOCK TABLE payments IN ACCESS EXCLUSIVE MODE');
    return async () => {
      await connection.query('ROLLBACK');
      connection.release();
    };
  }

  it('leaves other requests undelayed', async () => {
    let isOver = false;
    const result = backtestOf({ limit: MANY }).finally(() => (isOver = true));
    let answered = 0;
    for (; !isOver && answered < 6; answered++) dataOf(await client.get(`/flows/${flow.id}`));
    const { data } = (await (await result).json()) as { data: { payments: number } };
    expect(data.payments).toBe(MANY);
    expect(answered).toBe(6);
  });

  it('ends when its client disconnects', async () => {
    const unlock = await lockPayments();
    const asked = jest.spyOn(api.get(BacktestService), 'backtest');
    const leaving = new AbortController();
    const answer = backtestOf({ signal: leaving.signal });
    await eventually(() => expect(asked).toHaveBeenCalledTimes(1));
    const outcome = (asked.mock.results[0]!.value as Promise<unknown>).catch((error: unknown) => error);
    const owner = asked.mock.calls[0]![3];
    leaving.abort();
    await expect(answer).rejects.toThrow(/abort/);
    await eventually(() => expect(owner.isGone).toBe(true));
    await unlock();
    expect(await outcome).toMatchObject({ code: 'client_closed_request' });
    asked.mockRestore();
    expect((await backtestOf()).status).toBe(200);
  });

  it('fails while one runs and one waits', async () => {
    const unlock = await lockPayments();
    const asked = jest.spyOn(api.get(BacktestService), 'backtest');
    const running = [backtestOf(), backtestOf()];
    await eventually(() => expect(asked).toHaveBeenCalledTimes(2));
    const refused = await backtestOf();
    await unlock();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    for (const answer of running) expect((await answer).status).toBe(200);
    asked.mockRestore();
    expect((await backtestOf()).status).toBe(200);
  });
});
