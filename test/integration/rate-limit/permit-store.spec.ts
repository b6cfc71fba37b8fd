import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EnvReader } from '../../../src/platform/config/env-reader.js';
import { redisSettings } from '../../../src/platform/config/redis-settings.js';
import { type PermitStore, SyncLoop } from '../../../src/platform/rate-limit/sync-loop.js';
import { permitStore } from '../../../src/platform/rate-limit/rate-limits.service.js';
import { connectRedis } from '../../../src/platform/redis/connect-redis.js';
import { RedisPermitStore } from '../../../src/platform/rate-limit/redis-permit-store.js';
import { SharedLimit } from '../../../src/platform/rate-limit/shared-limit.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { RedisCluster } from '../../support/servers/redis-cluster.js';
import { startRedis, type TestRedis } from '../../support/servers/redis.js';
import { temporaryFolder } from '../../support/servers/servers.js';

/** Longer than any test. */
const LONG_MS = 1_000_000;
const SLACK_MS = 60_000;
/** Tolerance within which PostgreSQL does not assume that the clock was set back. */
const ONE_CLOCK_MS = 1_000;

/** A server of this kind, and the settings to connect to it. */
async function startServer(kind: 'postgres' | 'redis' | 'redis cluster') {
  if (kind === 'postgres') return { env: {}, stop: () => Promise.resolve() };
  // one node refuses keys of several slots like three do
  if (kind === 'redis cluster') return RedisCluster.start({ folder: await temporaryFolder(), masters: 1 });
  const redis = await startRedis();
  return { env: { REDIS_URL: redis.url }, stop: () => redis.stop() };
}

describe.each(['postgres', 'redis', 'redis cluster'] as const)('PermitStore in %s', (kind) => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof startServer>>;
  let store: PermitStore;
  const opened: PermitStore[] = [];

  const newStore = () => permitStore({ redis: redisSettings(new EnvReader(server.env)), databaseUrl: database.url });
  async function open(): Promise<PermitStore> {
    const another = newStore();
    opened.push(another);
    // Redis refuses commands until the connection is ready
    await eventually(() => another.spend([{ key: randomUUID(), ms: 1 }]));
    return another;
  }

  beforeAll(async () => {
    [database, server] = await Promise.all([createTestDatabase(), startServer(kind)]);
    store = await open();
  });
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await database.drop();
    await server.stop();
  });

  /** The stored value of a key, as written while the store's clock was an hour ahead. */
  async function beforeSetBack(key: string): Promise<void> {
    await database.pool.query(
      `UPDATE rate_limits SET full_at = full_at + interval '1 h', spent_at = spent_at + interval '1 h' WHERE key = $1`,
      [key],
    );
    const settings = redisSettings(new EnvReader(server.env));
    if (!settings) return;
    const redis = connectRedis(settings, { patience: 'wait' });
    const [name] = await redis.keys(`*${key}`);
    const times = (await redis.get(name!))!.split(' ').map((time) => Number(time) + 3_600_000_000);
    await redis.set(name!, times.join(' '), 'KEEPTTL');
    redis.disconnect();
  }

  /** Rounded, because time may have passed. */
  const isAbout = (ms: number | undefined, expected: number): void => {
    expect(ms).toBeLessThanOrEqual(expected + 1);
    expect(ms).toBeGreaterThan(expected - SLACK_MS);
  };

  it('adds up spending per key, and returns values in the requested order', async () => {
    const [a, b] = [`z${randomUUID()}`, `a${randomUUID()}`];
    const first = await store.spend([
      { key: a, ms: LONG_MS },
      { key: b, ms: 5 * LONG_MS },
    ]);
    isAbout(first[0], LONG_MS);
    isAbout(first[1], 5 * LONG_MS);
    const second = await store.spend([
      { key: b, ms: LONG_MS },
      { key: a, ms: LONG_MS },
    ]);
    isAbout(second[0], 6 * LONG_MS);
    isAbout(second[1], 2 * LONG_MS);
  });

  it('counts fractions of a millisecond', async () => {
    const key = randomUUID();
    const spend = async (ms: number) => (await store.spend([{ key, ms }]))[0]!;
    await spend(LONG_MS);
    const before = await spend(0);
    for (let i = 0; i < 20; i += 1) await spend(0.25 + 10);
    expect(await spend(0)).toBeLessThan(before + 205);
  });

  it('subtracts permits that are given back, up to the burst', async () => {
    const key = randomUUID();
    await store.spend([{ key, ms: 3 * LONG_MS }]);
    isAbout((await store.spend([{ key, ms: -LONG_MS }]))[0], 2 * LONG_MS);
    expect(await store.spend([{ key, ms: -9 * LONG_MS }])).toEqual([0]);
    isAbout((await store.spend([{ key, ms: LONG_MS }]))[0], LONG_MS);
  });

  it('accepts a repeated key', async () => {
    const key = randomUUID();
    const left = await store.spend([
      { key, ms: LONG_MS },
      { key, ms: LONG_MS },
    ]);
    isAbout(left[1], 2 * LONG_MS);
  });

  it('refills only with time', async () => {
    const key = randomUUID();
    await store.spend([{ key, ms: 30 }]);
    await eventually(async () => (await store.spend([{ key, ms: 0 }]))[0] === 0);
  });

  it('adds concurrent spending of several processes, on many keys in any order, without a deadlock', async () => {
    const processes = await Promise.all([open(), open(), open(), open()]);
    const keys = Array.from({ length: 200 }, () => randomUUID());
    await Promise.all(
      processes.flatMap((process, index) =>
        [1, 2, 3].map(() => process.spend((index % 2 ? keys : keys.toReversed()).map((key) => ({ key, ms: LONG_MS })))),
      ),
    );
    for (const left of await store.spend(keys.map((key) => ({ key, ms: 0 })))) isAbout(left, 12 * LONG_MS);
  });

  it('keeps several processes within one limit: a burst, and a tenth of it more per process', async () => {
    const limit = { name: randomUUID(), perSecond: 0.01, burst: 100 };
    const loops = await Promise.all(
      // no process must fall into local mode because a busy machine responds late
      [1, 2, 3, 4].map(async () => new SyncLoop(await open(), () => performance.now(), 10_000)),
    );
    const processes = loops.map((syncLoop) => new SharedLimit(limit, syncLoop));
    const take = async (i: number) => processes[i % 4]!.take('a');
    const verdicts = await Promise.all(Array.from({ length: 800 }, (_, i) => take(i)));
    const allowed = verdicts.filter((verdict) => verdict.allowed).length;
    for (const syncLoop of loops) syncLoop.close();
    expect(allowed).toBeGreaterThanOrEqual(100);
    expect(allowed).toBeLessThanOrEqual(140);
  });

  it('continues with the remaining debt when its clock is set back', async () => {
    const key = randomUUID();
    await store.spend([{ key, ms: LONG_MS }]);
    await beforeSetBack(key);
    isAbout((await store.spend([{ key, ms: LONG_MS }]))[0], 2 * LONG_MS + ONE_CLOCK_MS);
    isAbout((await store.spend([{ key, ms: 0 }]))[0], 2 * LONG_MS + ONE_CLOCK_MS);
  });

  it('rejects calls after it is closed', async () => {
    const another = newStore();
    await another.close();
    await expect(another.spend([{ key: 'a', ms: 1 }])).rejects.toThrow();
  });
});

describe('PermitStore in postgres', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('removes buckets that are full again, but not locked ones', async () => {
    await database.pool.query('TRUNCATE rate_limits');
    await database.pool.query(
      `INSERT INTO rate_limits SELECT 'old ' || n, now() - interval '1 s' FROM generate_series(1, 3) n`,
    );
    await database.pool.query(`INSERT INTO rate_limits VALUES ('new', now() + interval '1 h')`);
    const holder = await database.pool.connect();
    await holder.query(`BEGIN; SELECT FROM rate_limits WHERE key = 'old 1' FOR UPDATE`);
    const stores: PermitStore[] = [];
    // it runs with the first spending of a process; if that takes too long on a busy machine, the next process does it
    const spend = async () => {
      const store = permitStore({ redis: undefined, databaseUrl: database.url });
      stores.push(store);
      await store.spend([{ key: 'mine', ms: LONG_MS }]);
    };
    const keys = async () => {
      const { rows } = await database.pool.query<{ key: string }>('SELECT key FROM rate_limits ORDER BY key');
      return rows.map(({ key }) => key).join();
    };
    await spend();
    await eventually(
      async () => {
        if ((await keys()) === 'mine,new,old 1') return true;
        await spend();
        return false;
      },
      { intervalMs: 2_000 },
    );
    await holder.query('ROLLBACK');
    holder.release();
    await Promise.all(stores.map((store) => store.close()));
  });

  it('rejects in time when a row stays locked', async () => {
    const store = permitStore({ redis: undefined, databaseUrl: database.url });
    await store.spend([{ key: 'locked', ms: LONG_MS }]);
    const holder = await database.pool.connect();
    await holder.query(`BEGIN; SELECT FROM rate_limits WHERE key = 'locked' FOR UPDATE`);
    await expect(store.spend([{ key: 'locked', ms: 1 }])).rejects.toThrow('statement timeout');
    await holder.query('ROLLBACK');
    holder.release();
    await store.spend([{ key: 'locked', ms: 1 }]);
    await store.close();
  });
});

describe('PermitStore in redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it('rejects while the server is down, and works again when it is back', async () => {
    const store = new RedisPermitStore(redisSettings(new EnvReader({ REDIS_URL: redis.url }))!);
    await eventually(() => store.spend([{ key: 'a', ms: LONG_MS }]));
    await redis.kill();
    await expect(store.spend([{ key: 'a', ms: 1 }])).rejects.toThrow();
    await redis.restart();
    await eventually(() => store.spend([{ key: 'a', ms: 1 }]));
    await store.close();
  });
});
