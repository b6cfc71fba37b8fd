import { BlockList } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { type AuthApplication, type MerchantClient, startAuth } from './auth-harness.js';

const proxies = new BlockList();
proxies.addSubnet('127.0.0.0', 8, 'ipv4');

/**
 * Six concurrent failures or sixty tokens for an address, thirty failures for a client; an address regains one permit
 * per second.
 */
const LIMITS = { TOKEN_RATE_LIMIT_PER_MINUTE: '60' };

describe('POST /auth/token under attack', () => {
  let database: TestDatabase;
  let auth: AuthApplication;
  let client: MerchantClient;
  let tests = 0;
  let home: string;
  let attacker: string;

  const start = (env: Record<string, string>) => startAuth(database, { env, http: { trustedProxies: proxies } });

  beforeAll(async () => {
    database = await createTestDatabase();
    auth = await start(LIMITS);
  });
  beforeEach(async () => {
    // its own client and addresses, without earlier requests
    tests += 1;
    home = `203.0.113.${tests}`;
    attacker = `192.0.2.${tests}`;
    client = await auth.aClient();
  });
  afterAll(async () => {
    await auth.close();
    await database.drop();
  });

  const ask = (from: string, fields: Record<string, string> = {}, service = auth) =>
    service.call<{ error: string; error_description: string }>({
      method: 'POST',
      url: '/auth/token',
      headers: { 'x-forwarded-for': from },
      body: {
        grant_type: 'client_credentials',
        client_id: client.clientId,
        client_secret: client.clientSecret,
        ...fields,
      },
    });
  const guess = (from: string, fields: Record<string, string> = {}, service = auth) =>
    ask(from, { client_secret: 'wrong', ...fields }, service);
  const statusesOf = async (asked: Promise<{ status: number }>[]) =>
    (await Promise.all(asked)).map(({ status }) => status);

  it('accepts a few guesses of an address and then answers 429 in the format of OAuth clients', async () => {
    const statuses = await statusesOf(Array.from({ length: 30 }, () => guess(attacker)));
    const guesses = statuses.filter((status) => status === 401).length;
    expect(guesses).toBeGreaterThanOrEqual(6);
    // some permits return while the secrets are hashed
    expect(guesses).toBeLessThanOrEqual(12);
    const refused = await eventually(async () => {
      const answer = await guess(attacker);
      return answer.status === 429 ? answer : null;
    });
    expect(refused.body).toEqual({ error: 'too_many_requests', error_description: 'too many token requests' });
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(refused.headers['content-type']).toMatch(/^application\/json/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('still serves the client from its own address while one attacker guesses its secret', async () => {
    let isUnderAttack = true;
    const statuses: number[] = [];
    const attack = (async () => {
      while (isUnderAttack) statuses.push(...(await statusesOf([guess(attacker), guess(attacker)])));
    })();
    for (let i = 0; i < 20; i += 1) expect((await ask(home)).status).toBe(200);
    await eventually(() => expect(statuses).toContain(429));
    isUnderAttack = false;
    await attack;
  });

  it('refuses even the correct secret of the attacker, before hashing', async () => {
    // for a long time: the last failure took more permits than were left
    await eventually(async () => Number((await guess(attacker)).headers['retry-after'] ?? 0) > 5);
    expect((await ask(attacker)).status).toBe(429);
    expect((await ask(home)).status).toBe(200);
  });

  it('counts one address for all client ids that it tries, including invalid ones', async () => {
    // a check of the secret of an unknown client takes 80 ms
    const others = await Promise.all(Array.from({ length: 8 }, () => auth.aClient()));
    const tries = ['no client 1', 'client_unknown', ...others.map(({ clientId }) => clientId)].map((id) =>
      guess(attacker, { client_id: id }),
    );
    expect(await statusesOf(tries)).toContain(429);
    const { rows } = await database.pool.query<{ key: string }>(
      `SELECT key FROM rate_limits WHERE key LIKE '%no client%'`,
    );
    expect(rows).toEqual([]);
  });

  it('counts a client for all addresses that guess its secret', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 80 && !statuses.includes(429); i += 4) {
      const addresses = [0, 1, 2, 3].map((j) => `198.51.100.${i + j}`);
      statuses.push(...(await statusesOf(addresses.map((address) => guess(address)))));
    }
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(30);
    expect(statuses).toContain(429);
    expect((await ask(home, { client_id: 'another' })).status).toBe(401);
  });

  it('charges ten times as much for a failure as for a success', async () => {
    for (let i = 0; i < 15; i += 1) expect((await ask(home)).status).toBe(200);
    // at most 15 of 60 permits are used: four failures are left
    for (let i = 0; i < 4; i += 1) expect((await guess(home)).status).toBe(401);
  });

  it('counts IPv6 addresses of one network together', async () => {
    const tries = Array.from({ length: 30 }, (_, i) => guess(`2001:db8:1:2::${i.toString(16)}`));
    expect(await statusesOf(tries)).toContain(429);
    expect((await guess('2001:db8:1:3::1')).status).toBe(401);
  });

  it('works without a limit if it is disabled', async () => {
    const unlimited = await start({ TOKEN_RATE_LIMIT_PER_MINUTE: '0' });
    const guesses = Array.from({ length: 20 }, () => guess(attacker, {}, unlimited));
    expect(await statusesOf(guesses)).toEqual(Array(20).fill(401));
    await unlimited.close();
  });
});
