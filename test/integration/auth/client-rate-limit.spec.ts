import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { SCOPES } from '../../../src/access/scopes.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { startRedis, type TestRedis } from '../../support/servers/redis.js';
import { type AuthApplication, startAuth } from './auth-harness.js';
import { ThingsController } from './routes.fixture.js';

/** One request per second, two at once: a refused request stays refused during a test. */
const ONE_PER_SECOND = { RATE_LIMIT_PER_SECOND: '1' };

describe.each(['postgres', 'redis'] as const)('the rate limit of a client, counted in %s', (kind) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  const running: AuthApplication[] = [];
  /** An API with `ONE_PER_SECOND`; each test uses its own clients. */
  let slow: AuthApplication;
  /** Processes with 20 requests per second. */
  let processes: AuthApplication[];

  beforeAll(async () => {
    database = await createTestDatabase();
    if (kind === 'redis') redis = await startRedis();
    slow = await start(ONE_PER_SECOND);
    processes = await Promise.all([1, 2].map(() => start({ RATE_LIMIT_PER_SECOND: '20' })));
  });
  afterAll(async () => {
    await Promise.all(running.map((auth) => auth.close()));
    await database.drop();
    await redis?.stop();
  });

  async function start(env: Record<string, string>): Promise<AuthApplication> {
    const where: Record<string, string> = redis ? { REDIS_URL: redis.url } : {};
    const auth = await startAuth(database, { controllers: [ThingsController], env: { ...where, ...env } });
    running.push(auth);
    return auth;
  }

  const get = (auth: AuthApplication, token: string, url = '/things') => auth.call({ url, token });

  it('appears in the headers of every answer to a valid token', async () => {
    const auth = processes[0]!;
    const token = await auth.token(undefined, 'flows:read');
    for (const [method, status] of [
      ['GET', 200],
      ['POST', 403],
    ] as const) {
      const answer = await auth.call({ method, url: '/things', token });
      expect([method, answer.status]).toEqual([method, status]);
      expect(answer.headers).toMatchObject({
        'ratelimit-policy': '40;w=2',
        'ratelimit-limit': '40',
        'ratelimit-remaining': expect.stringMatching(/^3\d$/),
        'ratelimit-reset': '1',
      });
    }
    for (const url of ['/things', '/things/public']) {
      expect((await auth.call({ url })).headers).not.toHaveProperty('ratelimit-limit');
    }
  });

  it('refuses further requests of this client only, until Retry-After', async () => {
    const auth = slow;
    const token = await auth.token();
    const refused = await eventually(async () => {
      const answer = await get(auth, token);
      return answer.status === 429 ? answer : null;
    });
    expect(refused.body).toMatchObject({ code: 'too_many_requests', success: false });
    expect(refused.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'retry-after': '1',
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '2',
    });
    expect(await auth.app.get(Metrics).render()).toMatch(/rate_limit_refusals_total\{limit="client"\} \d+/);
    expect((await get(auth, await auth.token())).status).toBe(200);
    await eventually(async () => (await get(auth, token)).status === 200);
  });

  it('applies to all processes together, with a tolerance of a tenth of the burst for each', async () => {
    // opens the connections to the store
    await Promise.all(processes.map(async (auth) => get(auth, await auth.token())));
    const logged = (pattern: RegExp) => processes.flatMap((auth) => auth.logs().match(pattern) ?? []).length;
    const sharedCount = async () => {
      const outages = logged(/the store is unavailable/g);
      const isShared = () =>
        logged(/the store is unavailable/g) === outages && logged(/the store is back/g) === outages;
      const wasShared = isShared();
      const counted = await askAll(await processes[0]!.token());
      // on a busy machine the store may not answer in time; then each process counts separately for a while
      return wasShared && isShared() ? counted : null;
    };
    const { allowed, seconds } = await eventually(sharedCount);
    expect(allowed).toBeGreaterThanOrEqual(40);
    expect(allowed).toBeLessThanOrEqual(40 + seconds * 20 + 2 * 4);
  });

  /** Many more requests than allowed, to all processes concurrently. */
  async function askAll(token: string): Promise<{ allowed: number; seconds: number }> {
    const started = performance.now();
    const answers: { status: number }[] = [];
    while (answers.length < 120) {
      // a few at a time: both share this test process, in which answers of the store must not be delayed
      answers.push(...(await Promise.all(processes.flatMap((auth) => [get(auth, token), get(auth, token)]))));
    }
    const seconds = (performance.now() - started) / 1_000;
    return { allowed: answers.filter(({ status }) => status === 200).length, seconds };
  }

  it('allows five times as much for all clients of a merchant together', async () => {
    const auth = slow;
    const { merchantId } = await auth.aClient();
    const aToken = async () => auth.token(await auth.aClient(SCOPES, merchantId));
    const tokens = await Promise.all(Array.from({ length: 8 }, aToken));
    const first = await Promise.all(tokens.slice(0, 5).map((token) => get(auth, token)));
    expect(first.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(first[0]!.headers['ratelimit-limit']).toBe('2');
    const refused = await eventually(async () => {
      const answers = await Promise.all(tokens.map((token) => get(auth, token)));
      return answers.find(({ headers }) => headers['ratelimit-limit'] === '10') ?? null;
    });
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-remaining': '0' });
    expect((await get(auth, await auth.token())).status).toBe(200);
  });
});

describe('the rate limit 0', () => {
  it('limits no requests', async () => {
    const database = await createTestDatabase();
    const auth = await startAuth(database, { controllers: [ThingsController], env: { RATE_LIMIT_PER_SECOND: '0' } });
    const token = await auth.token();
    const answers = await Promise.all(Array.from({ length: 50 }, () => auth.call({ url: '/things', token })));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(answers[0]!.headers).not.toHaveProperty('ratelimit-limit');
    await auth.close();
    await database.drop();
  });
});

describe('without the store', () => {
  it('the API serves requests, each process counts separately, and the outage is logged once', async () => {
    const database = await createTestDatabase();
    const redis = await startRedis();
    const auth = await startAuth(database, {
      controllers: [ThingsController],
      env: { RATE_LIMIT_PER_SECOND: '20', REDIS_URL: redis.url },
    });
    const token = await auth.token();
    const logged = (pattern: RegExp, from = 0) => auth.logs().slice(from).match(pattern)?.length ?? 0;
    // on a busy machine its connection may be late
    await eventually(async () => {
      await auth.call({ url: '/things', token: await auth.token() });
      return logged(/the store is unavailable/g) === logged(/the store is back/g);
    });
    const before = auth.logs().length;
    await redis.kill();
    const statuses = (await Promise.all(Array.from({ length: 100 }, () => auth.call({ url: '/things', token })))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(40);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await redis.restart();
    await eventually(async () => {
      await auth.call({ url: '/things', token });
      return logged(/rate limits: the store is back/g, before) > 0;
    });
    expect(logged(/the store is unavailable/g, before)).toBe(1);
    await auth.close();
    await redis.stop();
    await database.drop();
  });
});
