import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Metrics } from '../observability/metrics.js';
import type { Database, Statement, Transaction } from './database.js';
import { DatabaseGauges } from './database-gauges.js';

const READ: Statement = { name: 'read', text: 'SELECT' };
type Row = { value: number };

/** Counts the statements that reach the server. `answer` returns the next result. */
class FakeDatabase {
  readonly ran: string[] = [];
  running = 0;
  maxRunning = 0;
  answer: () => Promise<Row[]> = () => Promise.resolve([{ value: 1 }]);

  async readOnly<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    this.maxRunning = Math.max(this.maxRunning, ++this.running);
    const query = (({ name }: Statement) => {
      this.ran.push(name);
      return name === READ.name ? this.answer() : Promise.resolve([]);
    }) as Transaction['query'];
    try {
      return await work({ inTransaction: true, query, onCommit: () => undefined });
    } finally {
      this.running -= 1;
    }
  }
}

describe('DatabaseGauges', () => {
  let database: FakeDatabase;
  let metrics: Metrics;
  let rows: DatabaseGauges;
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    database = new FakeDatabase();
    metrics = new Metrics();
    rows = new DatabaseGauges(database as unknown as Database, metrics);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const gauge = (name: string) => ({ name, help: 'h', value: ([row]: Row[]) => row?.value ?? null });
  const shown = async (name = 'one'): Promise<string | undefined> =>
    new RegExp(`^${name} (.*)$`, 'm').exec(await metrics.render())?.[1];
  const reads = () => database.ran.filter((name) => name === READ.name).length;

  it('shares one result, read with a time-out, between all gauges and scrapes of three seconds', async () => {
    rows.add(READ, [gauge('one'), gauge('two')]);
    expect(await Promise.all([shown('one'), shown('two'), shown('one')])).toEqual(['1', '1', '1']);
    now = 2_999;
    expect(await shown()).toBe('1');
    expect(database.ran).toEqual(['database_gauges.bound_statements', READ.name]);
    now = 3_000;
    expect(await shown()).toBe('1');
    expect(reads()).toBe(2);
  });

  it('reads slow statements less often', async () => {
    rows.add(READ, [gauge('one')]);
    database.answer = () => {
      now += 500;
      return Promise.resolve([{ value: 1 }]);
    };
    await shown();
    now = 500 + 9_999;
    await shown();
    expect(reads()).toBe(1);
    now += 1;
    await shown();
    expect(reads()).toBe(2);
  });

  it('shows no value after a failed read, and a value again after a successful one', async () => {
    rows.add(READ, [
      gauge('one'),
      { ...gauge('many'), labels: { of: ['a'] }, value: () => [{ labels: { of: 'a' }, value: 5 }] },
    ]);
    expect(await metrics.render()).toContain('many{of="a"} 5');
    database.answer = () => Promise.reject(new Error('down'));
    now = 3_000;
    expect(await shown()).toBeUndefined();
    expect(await metrics.render()).not.toContain('many{');
    database.answer = () => Promise.resolve([{ value: 2 }]);
    now = 6_000;
    expect(await shown()).toBe('2');
  });

  it('shows no value, delays no scrape and runs no second statement while the server does not respond', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
    rows.add(READ, [gauge('one')]);
    let answer: (found: Row[]) => void = () => undefined;
    database.answer = () => new Promise((resolve) => (answer = resolve));
    for (let scrape = 0; scrape < 3; scrape++) {
      const scraped = shown();
      await jest.advanceTimersByTimeAsync(2_500);
      expect(await scraped).toBeUndefined();
      now += 2_500;
    }
    expect(reads()).toBe(1);
    answer([{ value: 7 }]);
    expect(await shown()).toBe('7');
  });

  it('runs several statements one after the other', async () => {
    for (const name of ['one', 'two', 'three']) rows.add(READ, [gauge(name)]);
    await metrics.render();
    expect([reads(), database.maxRunning]).toEqual([3, 1]);
  });
});
