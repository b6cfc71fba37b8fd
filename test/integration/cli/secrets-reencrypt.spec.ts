import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../src/cli/command-line.js';
import type { Database, Statement } from '../../../src/platform/database/database.js';
import { Encryption, keyIdOf } from '../../../src/platform/encryption/encryption.js';
import { SystemRandom } from '../../../src/shared/random.js';
import {
  ENDPOINT_SECRET_PURPOSES,
  PAYMENT_TOKEN_PURPOSE,
  SECRET_COLUMNS,
  SHOP_SECRET_PURPOSES,
  rowOfCharge,
  rowOfEndpoint,
  rowOfShop,
} from '../../../src/shops/secret-columns.js';
import { ReencryptionService } from '../../../src/shops/reencryption.service.js';
import { Receivers } from '../../../src/webhooks/endpoint/secrets/receivers.service.js';
import { ReceiversModule } from '../../../src/webhooks/endpoint/secrets/receivers.module.js';
import { ShopsService } from '../../../src/shops/shops.service.js';
import { EndpointRotations } from '../../../src/webhooks/endpoint/secrets/endpoint-rotation.service.js';
import { aMerchant } from '../../support/app/builders.js';
import { builtFile } from '../../support/app/service.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { temporaryFolder } from '../../support/servers/servers.js';
import { type AuthApplication, startAuth } from '../auth/auth-harness.js';

const [OLD, NEW, LOST] = ['old', 'new', 'lost'].map((name) => hash('sha256', name, 'buffer')) as [
  Buffer,
  Buffer,
  Buffer,
];
const encryptionOf = (...encryptionKeys: Buffer[]) => new Encryption({ encryptionKeys }, new SystemRandom());
const settingOf = (...keys: Buffer[]) => keys.map((key) => key.toString('base64')).join(',');
const [oldId, newId, lostId] = [OLD, NEW, LOST].map((key) => encryptionOf(key).currentKeyId) as [
  string,
  string,
  string,
];

const main = builtFile('cli', 'main.js');

interface Answer {
  reencrypted: number;
  unreadable: { shop_id: number; secret: string; key_id: string; reason: string }[];
  keys: { id: string; secrets: number; configured: boolean; current: boolean; droppable: boolean }[];
}

interface Services {
  shops: ShopsService;
  receivers: Receivers;
  rotations: EndpointRotations;
}

describe('secrets:reencrypt', () => {
  let database: TestDatabase;
  let merchantId: number;
  const applications: AuthApplication[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    merchantId = await aMerchant(database.pool);
  });

  afterEach(async () => {
    await Promise.all(applications.splice(0).map((application) => application.close()));
    await database.drop();
  });

  /** The shops service of a process with these keys. */
  async function servicesWith(...keys: Buffer[]): Promise<Services> {
    const env = { ENCRYPTION_KEY: settingOf(...keys) };
    const application = await startAuth(database, { imports: [ReceiversModule], env });
    applications.push(application);
    const { app } = application;
    return { shops: app.get(ShopsService), receivers: app.get(Receivers), rotations: app.get(EndpointRotations) };
  }

  /** Shops with all three secrets, different for each shop, encrypted with `key`. */
  async function seed(count: number, key = OLD): Promise<number[]> {
    const encryption = encryptionOf(key);
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO shops (merchant_id, name, provider, provider_credentials, webhook_secret, previous_webhook_secret,
         previous_webhook_secret_expires_at)
       SELECT $1, gen_random_uuid(), 'sandbox', c, w, p, now() + interval '1 day'
       FROM unnest($2::bytea[], $3::bytea[], $4::bytea[]) AS s (c, w, p) RETURNING id`,
      [
        merchantId,
        Array.from({ length: count }, (_, n) =>
          encryption.encrypt(credentialsOf(n), SHOP_SECRET_PURPOSES.provider_credentials),
        ),
        Array.from({ length: count }, (_, n) =>
          encryption.encrypt(`current-${n}`, SHOP_SECRET_PURPOSES.webhook_secret),
        ),
        Array.from({ length: count }, (_, n) =>
          encryption.encrypt(`previous-${n}`, SHOP_SECRET_PURPOSES.webhook_secret),
        ),
      ],
    );
    return rows.map(({ id }) => id);
  }
  const credentialsOf = (n: number) => JSON.stringify({ notification_secret: `notification-secret-${n}` });

  /** Checks that a process with only these keys decrypts all secrets as they were seeded. */
  async function expectSeeded(ids: number[], ...keys: Buffer[]): Promise<void> {
    const { shops, receivers } = await servicesWith(...keys);
    const secrets = await receivers.secretsOfShops(ids);
    for (const [n, id] of ids.entries()) {
      expect(secrets.get(id)).toEqual({ current: `current-${n}`, previous: `previous-${n}` });
    }
    const { rows } = await database.pool.query<{ id: number; ciphertext: Buffer }>(
      'SELECT id, provider_credentials AS ciphertext FROM shops WHERE id = ANY($1) ORDER BY id',
      [ids],
    );
    const credentials = rows.map(({ id, ciphertext }) =>
      encryptionOf(...keys).decrypt(
        ciphertext,
        SHOP_SECRET_PURPOSES.provider_credentials,
        rowOfShop({ merchantId, shopId: id }),
      ),
    );
    expect(credentials).toEqual(ids.map((_, n) => credentialsOf(n)));
    expect((await shops.providerAccount(ids[0]!))?.credentials).toEqual(JSON.parse(credentialsOf(0)));
  }

  async function keyIdsInUse(): Promise<Record<string, number>> {
    const { rows } = await database.pool.query<Record<keyof typeof SHOP_SECRET_PURPOSES, Buffer | null>>(
      'SELECT provider_credentials, webhook_secret, previous_webhook_secret FROM shops',
    );
    const counts: Record<string, number> = {};
    for (const ciphertext of rows.flatMap((row) => Object.values(row))) {
      if (ciphertext) counts[keyIdOf(ciphertext)] = (counts[keyIdOf(ciphertext)] ?? 0) + 1;
    }
    return counts;
  }

  async function cli(keys: string | undefined, ...options: string[]) {
    const run = { out: '', err: '' };
    const code = await runCommandLine(['secrets:reencrypt', ...options], {
      environment: () => ({ DATABASE_URL: database.url, REDIS_URL: 'redis://127.0.0.1:1', ENCRYPTION_KEY: keys }),
      out: (text) => (run.out += text),
      err: (text) => (run.err += text),
    });
    return { code, ...run };
  }

  it('encrypts all secrets with the first key, reports its progress, and that the old key can be removed', async () => {
    const ids = await seed(250);
    const before = await database.pool.query('SELECT id, updated_at FROM shops ORDER BY id');
    const { code, out, err } = await cli(settingOf(NEW, OLD));
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      '200 re-encrypted, 550 left',
      '250 re-encrypted, 500 left',
      '450 re-encrypted, 300 left',
      '500 re-encrypted, 250 left',
      '700 re-encrypted, 50 left',
      '750 re-encrypted, 0 left',
      `750 secrets re-encrypted with key ${newId}`,
      `key ${newId}: 750 secrets, the current key`,
      `key ${oldId}: not needed, remove it once every process has key ${newId} first`,
      '',
    ]);
    expect(await keyIdsInUse()).toEqual({ [newId]: 750 });
    await expectSeeded(ids, NEW);
    expect((await database.pool.query('SELECT id, updated_at FROM shops ORDER BY id')).rows).toEqual(before.rows);

    const again = await cli(settingOf(NEW, OLD), '--json');
    expect(JSON.parse(again.out)).toEqual({
      reencrypted: 0,
      unreadable: [],
      keys: [
        { id: newId, secrets: 750, configured: true, current: true, droppable: false },
        { id: oldId, secrets: 0, configured: true, current: false, droppable: true },
      ],
    });
  });

  it('binds secrets in the old format to their rows, once', async () => {
    const [id, other] = (await seed(2, NEW)) as [number, number];
    const paste = () =>
      database.pool.query(
        `UPDATE shops a SET webhook_secret = b.webhook_secret, provider_credentials = b.provider_credentials
         FROM shops b WHERE a.id = $1 AND b.id = $2`,
        [other, id],
      );
    const { code, out } = await cli(settingOf(NEW));
    expect([code, out]).toEqual([0, expect.stringContaining(`6 secrets re-encrypted with key ${newId}`)]);
    await expectSeeded([id, other], NEW);
    expect((JSON.parse((await cli(settingOf(NEW), '--json')).out) as Answer).reencrypted).toBe(0);
    await paste();
    const { shops, receivers } = await servicesWith(NEW);
    expect((await receivers.secretsOfShops([id])).get(id)!.current).toBe('current-0');
    await expect(receivers.secretsOfShops([other])).rejects.toThrow();
    await expect(shops.providerAccount(other)).rejects.toThrow();
    const pasted = JSON.parse((await cli(settingOf(NEW, OLD), '--json')).out) as Answer;
    expect(pasted.reencrypted).toBe(0);
  });

  it('skips secrets that it cannot decrypt, names them, and exits with 1', async () => {
    const ids = await seed(5);
    const lost = encryptionOf(LOST).encrypt('x', SHOP_SECRET_PURPOSES.webhook_secret);
    await database.pool.query('UPDATE shops SET webhook_secret = $2 WHERE id = $1', [ids[1], lost]);
    await database.pool.query(
      'UPDATE shops SET provider_credentials = set_byte(provider_credentials, 40, get_byte(provider_credentials, 40) # 1) WHERE id = $1',
      [ids[3]],
    );
    const { code, out, err } = await cli(settingOf(NEW, OLD));
    expect([code, err]).toEqual([1, 'error: 2 secrets could not be re-encrypted\n']);
    expect(out.split('\n').slice(-7)).toEqual([
      `13 secrets re-encrypted with key ${newId}`,
      `shop ${ids[3]}: provider_credentials is damaged, key ${oldId} cannot decrypt it`,
      `shop ${ids[1]}: webhook_secret is encrypted with key ${lostId}, which is not in ENCRYPTION_KEY`,
      `key ${newId}: 13 secrets, the current key`,
      `key ${oldId}: 1 secret, still needed`,
      `key ${lostId}: 1 secret, not in ENCRYPTION_KEY`,
      '',
    ]);
    expect(await keyIdsInUse()).toEqual({ [newId]: 13, [oldId]: 1, [lostId]: 1 });

    const json = await cli(settingOf(NEW, OLD), '--json');
    expect([json.code, (JSON.parse(json.out) as Answer).unreadable]).toEqual([
      1,
      [
        { shop_id: ids[3], secret: 'provider_credentials', key_id: oldId, reason: 'damaged' },
        { shop_id: ids[1], secret: 'webhook_secret', key_id: lostId, reason: 'unknown_key' },
      ],
    ]);

    // a secret that its owner replaces no longer fails
    const { shops, rotations } = await servicesWith(NEW, OLD);
    await rotations.rotate({ kind: 'default', merchantId, id: ids[1]! }, { overlapSeconds: 0 });
    await shops.update(merchantId, ids[3]!, { credentials: {} });
    expect((await cli(settingOf(NEW, OLD))).code).toBe(0);
  });

  it('needs the real key, and none of the service’s other secrets', async () => {
    const ids = await seed(1);
    const { code, err } = await cli(undefined);
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: ENCRYPTION_KEY: got nothing, takes /)]);
    await expectSeeded(ids, OLD);
  });

  it('overwrites no secret that was rotated or replaced between its read and its write', async () => {
    const [id] = (await seed(1)) as [number];
    const { shops, receivers, rotations } = await servicesWith(NEW, OLD);
    const rotated: string[] = [];
    const overtake = async () => {
      rotated.push((await rotations.rotate({ kind: 'default', merchantId, id }, { overlapSeconds: 600 })).secret);
      await shops.update(merchantId, id, { credentials: { notification_secret: `replaced-${rotated.length}-of-two` } });
    };
    // another writer is faster at the first read of each column
    const read = new Set<string>();
    const { database: real } = database;
    const overtaken = {
      query: async (statement: Statement, values: unknown[]) => {
        const rows = await real.query(statement, values);
        if (/outdated/.test(statement.name) && rows.length > 0 && !read.has(statement.name)) {
          read.add(statement.name);
          await overtake();
        }
        return rows;
      },
    } as unknown as Database;
    const result = await new ReencryptionService(overtaken, encryptionOf(NEW, OLD)).run(() => undefined);
    expect(read.size).toBeGreaterThan(1);
    expect((await receivers.secretsOfShops([id])).get(id)).toEqual({
      current: rotated.at(-1),
      previous: rotated.at(-2),
    });
    expect((await shops.providerAccount(id))?.credentials).toEqual({
      notification_secret: `replaced-${rotated.length}-of-two`,
    });
    expect(result).toMatchObject({ unreadable: [], keys: [{ secrets: 4 }, { secrets: 0 }] });
  });

  it('lets services read and write meanwhile, also one that still encrypts with the old key', async () => {
    const ids = await seed(60);
    const services = [await servicesWith(NEW, OLD), await servicesWith(OLD, NEW)];
    const expected = new Map(ids.map((id, n) => [id, `current-${n}`]));
    let running = true;
    let [reads, writes] = [0, 0];
    const use = async ({ receivers, rotations }: Services, mine: number[]) => {
      for (let n = 0; running; n += 1) {
        const id = mine[n % mine.length]!;
        if (n % 2 === 0) {
          expected.set(
            id,
            (await rotations.rotate({ kind: 'default', merchantId, id }, { overlapSeconds: 600 })).secret,
          );
          writes += 1;
        }
        const secrets = await receivers.secretsOfShops(mine);
        const wrong = mine.filter((one) => secrets.get(one)?.current !== expected.get(one));
        expect(wrong).toEqual([]);
        reads += 1;
      }
    };
    const mineOf = (index: number) => ids.filter((id) => id % 2 === index);
    const users = Promise.allSettled(services.map((each, index) => use(each, mineOf(index))));
    const { code, err } = await cli(settingOf(NEW, OLD)).finally(() => (running = false));
    expect((await users).filter(({ status }) => status === 'rejected')).toEqual([]);
    expect([code, err]).toEqual([0, '']);
    expect([reads, writes].every((count) => count > 3)).toBe(true);
    // now no process uses the old key
    const last = JSON.parse((await cli(settingOf(NEW, OLD), '--json')).out) as Answer;
    expect(last.keys[1]).toMatchObject({ id: oldId, secrets: 0, droppable: true });
    const secrets = await (await servicesWith(NEW)).receivers.secretsOfShops(ids);
    for (const id of ids) expect(secrets.get(id)?.current).toBe(expected.get(id));
  });

  it('supports two concurrent runs', async () => {
    const ids = await seed(250);
    const runs = await Promise.all([1, 2].map(() => cli(settingOf(NEW, OLD), '--json')));
    expect(runs.map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const done = runs.map(({ out }) => (JSON.parse(out) as Answer).reencrypted);
    expect(done[0]! + done[1]!).toBe(750);
    await expectSeeded(ids, NEW);
  });

  it('continues after it was killed at any time', async () => {
    const ids = await seed(250);
    // it does not finish before it is killed
    const lock = await database.pool.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM shops WHERE id = $1 FOR UPDATE', [ids.at(-1)]);
    const killed = spawn(process.execPath, [main, 'secrets:reencrypt'], {
      cwd: await temporaryFolder(),
      env: { PATH: process.env.PATH, DATABASE_URL: database.url, ENCRYPTION_KEY: settingOf(NEW, OLD) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await lineOf(killed, /^\d+ re-encrypted/m);
    killed.kill('SIGKILL');
    await once(killed, 'close');
    const inUse = await keyIdsInUse();
    await lock.query('ROLLBACK');
    lock.release();
    expect(inUse[oldId]).toBeGreaterThan(0);
    expect(inUse[newId]).toBeGreaterThanOrEqual(200);
    expect(inUse[oldId]! + inUse[newId]!).toBe(750);
    await expectSeeded(ids, NEW, OLD);

    const { code, out } = await cli(settingOf(NEW, OLD));
    expect([code, out]).toEqual([0, expect.stringContaining(`key ${newId}: 750 secrets, the current key`)]);
    await expectSeeded(ids, NEW);
  });

  it('encrypts the payment tokens of open charges with the first key, and leaves the rest of the charge unchanged', async () => {
    const [shopId] = await seed(1, NEW);
    const encryptToken = (token: string, key = OLD) => encryptionOf(key).encrypt(token, PAYMENT_TOKEN_PURPOSE);
    const insert = (id: number, state: string, ciphertext: Buffer) =>
      database.pool.query(
        `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
          amount, currency, state, next_try_at, sealed_payment_token)
        VALUES ($1, $2, $3::integer, 1, 'charge', 'payment', 'key', 'reference ' || $3::integer, 1, 'EUR', $4, now(), $5)`,
        [merchantId, shopId, id, state, ciphertext],
      );
    for (let id = 1; id <= 250; id++) await insert(id, id % 2 === 0 ? 'open' : 'unknown', encryptToken(`tok_${id}`));
    await insert(251, 'pending', encryptToken('tok_251', LOST));
    const charges = () =>
      database.pool.query(`SELECT *, '' AS sealed_payment_token FROM provider_operations ORDER BY payment_id`);
    const before = (await charges()).rows;

    const { code, out } = await cli(settingOf(NEW, OLD));
    expect(out).toContain(
      `payment 251 of shop ${shopId}: sealed_payment_token is encrypted with key ${lostId}, which is not in ENCRYPTION_KEY`,
    );
    expect([code, out.includes(`key ${oldId}: not needed`)]).toEqual([1, true]);
    const { rows } = await database.pool.query<{ payment_id: number; ciphertext: Buffer }>(
      'SELECT payment_id, sealed_payment_token AS ciphertext FROM provider_operations WHERE payment_id <= 250',
    );
    const rowOf = (id: number) => rowOfCharge({ merchantId, shopId: shopId! }, `reference ${id}`);
    const decrypted = rows.map(({ payment_id: id, ciphertext }) =>
      encryptionOf(NEW).decrypt(ciphertext, PAYMENT_TOKEN_PURPOSE, rowOf(id)),
    );
    expect(decrypted).toEqual(rows.map(({ payment_id: id }) => `tok_${id}`));
    expect((await charges()).rows).toEqual(before);
  });

  it('encrypts the secrets of standing endpoints with the first key, and names one that it cannot decrypt', async () => {
    const row = rowOfEndpoint(merchantId, 7);
    const encrypted = (key: Buffer) =>
      Object.entries(ENDPOINT_SECRET_PURPOSES).map(([column, purpose]) =>
        encryptionOf(key).encrypt(`the ${column}`, purpose, row),
      );
    const insert = (id: number, values: Buffer[]) =>
      database.pool.query(
        `INSERT INTO webhook_endpoints (id, merchant_id, lane_id, url, event_types, ${Object.keys(ENDPOINT_SECRET_PURPOSES).join(', ')})
         VALUES ($1, $2, $1, 'https://merchant.example', '{}', $3, $4, $5, $6)`,
        [id, merchantId, ...values],
      );
    await insert(7, encrypted(OLD));
    await insert(8, encrypted(OLD)); // bound to another row
    const { code, out } = await cli(settingOf(NEW, OLD));
    expect(out).toContain(`webhook endpoint 8: sealed_headers is damaged, key ${oldId} cannot decrypt it`);
    expect([code, out.includes(`4 secrets re-encrypted with key ${newId}`)]).toEqual([1, true]);
    const { rows } = await database.pool.query<Record<string, Buffer>>(
      `SELECT ${Object.keys(ENDPOINT_SECRET_PURPOSES).join(', ')} FROM webhook_endpoints WHERE id = 7`,
    );
    for (const [column, purpose] of Object.entries(ENDPOINT_SECRET_PURPOSES))
      expect(encryptionOf(NEW).decrypt(rows[0]![column]!, purpose, row)).toBe(`the ${column}`);
  });

  it('covers every column with a secret', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'bytea'`,
    );
    const hashes = ['idempotency_keys', 'refunds', 'saved_payment_methods'].map((table) => `${table}.request_hash`);
    const columns = SECRET_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(rows.map(({ name }) => name).sort()).toEqual([...hashes, ...columns].sort());
  });
});

/** The output of the process up to the line that matches. */
async function lineOf(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = '';
  for await (const chunk of child.stdout!) {
    output += String(chunk);
    if (pattern.test(output)) return output;
  }
  throw new Error(`ended without ${String(pattern)}: ${output}`);
}
