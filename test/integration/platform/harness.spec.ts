import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Stripe } from 'stripe';
import { loadStripe } from '../../../src/providers/stripe/stripe-client.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { startReceiver } from '../../support/servers/receiver.js';
import { redisUrl, startRedis } from '../../support/servers/redis.js';

describe('test database', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('is migrated and gives bigint as number', async () => {
    const rows = await database.database.query<{ id: number }>({
      name: 'add-merchant',
      text: `INSERT INTO merchants (name) VALUES ('a') RETURNING id`,
    });
    expect(rows).toEqual([{ id: expect.any(Number) }]);
  });

  it('dumps every change, be it only of a sequence, and none that is rolled back', async () => {
    await database.pool.query(`INSERT INTO merchants (name) VALUES ('dumped')`);
    const before = await database.dump();
    expect(before).toContain(',dumped,');
    const failing = database.database.transaction(async (transaction) => {
      await transaction.query({ name: 'rename', text: `UPDATE merchants SET name = 'b'` });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await database.dump()).toBe(before);
    await database.pool.query(`SELECT nextval(pg_get_serial_sequence('merchants', 'id'))`);
    expect(await database.dump()).not.toBe(before);
  });
});

describe('test Redis', () => {
  it('shares one server, and starts others that can be flushed, killed and restarted', async () => {
    const shared = new Redis(redisUrl());
    expect(await shared.ping()).toBe('PONG');
    shared.disconnect();

    const own = await startRedis();
    const client = new Redis(own.url);
    client.on('error', () => undefined);
    try {
      await client.set('key', 'value');
      await own.flush();
      expect(await client.get('key')).toBeNull();
      await own.kill();
      await own.restart();
      expect(await eventually(() => client.ping())).toBe('PONG');
    } finally {
      client.disconnect();
      await own.stop();
    }
  });
});

describe('test receiver', () => {
  it('records exact bytes and answers as told', async () => {
    const receiver = await startReceiver();
    try {
      const send = (signal?: AbortSignal) => fetch(`${receiver.url}/a?b`, { method: 'POST', body: 'ü ', signal });
      expect((await send()).status).toBe(200);
      expect(receiver.requests[0]).toMatchObject({ method: 'POST', url: '/a?b', body: Buffer.from('ü ') });

      receiver.respondWith((_request, index) => ({ status: 500 + index, headers: { 'Retry-After': '7' }, body: 'no' }));
      const refused = await send();
      expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([501, '7', 'no']);

      receiver.respondWith({ misbehaviour: 'reset' });
      await expect(send()).rejects.toThrow();
      for (const misbehaviour of ['hang', 'endless', 'trickle'] as const) {
        receiver.respondWith({ misbehaviour });
        const patience = AbortSignal.timeout(1_000);
        await expect(send(patience).then((response) => response.text())).rejects.toThrow(/timeout|aborted/);
      }
      expect(receiver.requests).toHaveLength(6);
    } finally {
      await receiver.stop();
    }
  });
});

describe('eventually', () => {
  it('gives the last failure when the time is over', async () => {
    const never = () => Promise.reject(new Error('not yet'));
    await expect(eventually(never, { timeoutMs: 60, intervalMs: 10 })).rejects.toThrow('not yet');
    await expect(eventually(() => false, { timeoutMs: 60, intervalMs: 10 })).rejects.toThrow('still false');
  });
});

describe('modules that test files share', () => {
  it('are the same for a test file as for src, which loads some of them late', async () => {
    expect(await loadStripe()).toBe(Stripe);
  });
});
