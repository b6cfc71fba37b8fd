import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import type { IssuedCredentials } from '../../../src/auth/api-clients.service.js';
import { ShopsApiModule } from '../../../src/shops/api/shops.controller.js';
import { insertClient } from '../../support/app/insert-client.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type AuthApplication, startAuth } from './auth-harness.js';

const pem = (key: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer }): string =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The settings for these keys; the first one signs. */
const KINDS = [
  ['JWT_SECRET', ['the-secret-of-last-year-and-its-end', 'the-secret-of-this-year-and-its-end'], ','],
  [
    'JWT_PRIVATE_KEY',
    [
      pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
      pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    ],
    '\n',
  ],
] as const;

let database: TestDatabase;
let client: IssuedCredentials;
beforeAll(async () => {
  database = await createTestDatabase();
  const { id, secret } = await insertClient(database);
  client = { clientId: id, clientSecret: secret };
});
afterAll(() => database.drop());

describe.each(KINDS)('the rotation of %s while two APIs run', (setting, [old, fresh], separator) => {
  const running: Partial<Record<'a' | 'b', AuthApplication>> = {};

  afterEach(() => Promise.all(Object.values(running).map((api) => api.close())));

  /** Restarts one of the two with these keys. */
  const restart = async (name: 'a' | 'b', keys: string[]) => {
    await running[name]?.close();
    running[name] = await startAuth(database, { imports: [ShopsApiModule], env: { [setting]: keys.join(separator) } });
  };
  const get = <T>(name: 'a' | 'b', url: string, token?: string) => running[name]!.call<T>({ url, token });
  const tokenOf = (name: 'a' | 'b') => running[name]!.token(client);
  /** The answers of both APIs to the token; sent twice, because the second answer may come from a cache. */
  const statuses = async (token: string) => {
    const answers = [];
    for (const name of ['a', 'b', 'a', 'b'] as const) answers.push((await get(name, '/shops', token)).status);
    expect(answers.slice(2)).toEqual(answers.slice(0, 2));
    return answers.slice(0, 2);
  };
  const keyId = (token: string) => decodeProtectedHeader(token).kid;
  const published = async (name: 'a' | 'b') =>
    (await get<{ keys: { kid: string }[] }>(name, '/.well-known/jwks.json')).body.keys.map(({ kid }) => kid);

  it('refuses no token at any step, until its key is removed', async () => {
    await Promise.all([restart('a', [old]), restart('b', [old])]);
    const first = await tokenOf('a');
    expect(await statuses(first)).toEqual([200, 200]);

    // 1. every process knows the new key, none signs with it
    await restart('a', [old, fresh]);
    expect(await statuses(await tokenOf('a'))).toEqual([200, 200]);
    await restart('b', [old, fresh]);
    expect(keyId(await tokenOf('b'))).toBe(keyId(first));

    // 2. it signs, in one process after the other
    await restart('a', [fresh, old]);
    const [second, stillOld] = [await tokenOf('a'), await tokenOf('b')];
    expect([keyId(second) === keyId(first), keyId(stillOld) === keyId(first)]).toEqual([false, true]);
    for (const token of [first, second, stillOld]) expect(await statuses(token)).toEqual([200, 200]);
    await restart('b', [fresh, old]);
    expect(keyId(await tokenOf('b'))).toBe(keyId(second));
    const keyIds = setting === 'JWT_SECRET' ? [] : [keyId(second), keyId(first)];
    for (const name of ['a', 'b'] as const) expect(await published(name)).toEqual(keyIds);

    // 3. the old key is removed, and its tokens fail, even those that passed before
    expect(await statuses(first)).toEqual([200, 200]);
    await restart('a', [fresh]);
    expect(await statuses(first)).toEqual([401, 200]);
    await restart('b', [fresh]);
    for (const token of [first, stillOld]) expect(await statuses(token)).toEqual([401, 401]);
    expect(await statuses(second)).toEqual([200, 200]);
    expect(await published('a')).toEqual(keyIds.slice(0, 1));
    const refusal = await get('b', '/shops', first);
    expect(refusal.body).toMatchObject({ code: 'unauthorized' });
    expect(refusal.headers['www-authenticate']).toContain('error="invalid_token"');
  });
});
