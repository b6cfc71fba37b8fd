import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { SCOPES } from '../../../src/access/scopes.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { temporaryFolder } from '../../support/servers/servers.js';
import { type AuthApplication, startAuth } from '../auth/auth-harness.js';
import { ThingsController } from '../auth/routes.fixture.js';

interface Run {
  code: number;
  out: string;
  err: string;
}

async function cli(args: string[], environment: Record<string, string | undefined>): Promise<Run> {
  const run = { out: '', err: '' };
  const code = await runCommandLine(args, {
    environment: () => environment,
    out: (text) => (run.out += text),
    err: (text) => (run.err += text),
  });
  return { code, ...run };
}

interface ClientAnswer {
  client_id: string;
  client_secret: string;
  merchant_id: number;
  name: string;
  scopes: string[];
  revoked_at: string | null;
}

describe('The command line', () => {
  let database: TestDatabase;
  let auth: AuthApplication;

  beforeAll(async () => {
    database = await createTestDatabase();
    auth = await startAuth(database, { controllers: [ThingsController] });
  });

  afterAll(async () => {
    await auth.close();
    await database.drop();
  });

  const run = (...args: string[]) => cli(args, { DATABASE_URL: database.url, REDIS_URL: 'redis://127.0.0.1:1' });
  const json = async <T = ClientAnswer>(...args: string[]): Promise<T> => {
    const { code, out, err } = await run(...args, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out) as T;
  };
  const count = async () => {
    const { rows } = await database.pool.query<{ merchants: number; clients: number }>(
      'SELECT (SELECT count(*) FROM merchants) AS merchants, (SELECT count(*) FROM api_clients) AS clients',
    );
    return rows[0]!;
  };
  const create = (merchant: number | string, ...more: string[]) =>
    json('client:create', '--merchant', String(merchant), '--name', 'A client', '--scopes', 'all', ...more);

  it('creates a merchant, and a client whose secret is shown once and works', async () => {
    const merchant = await json<{ id: number; name: string }>('merchant:create', '--name', ' Ada & Söhne ');
    expect(merchant).toEqual({ id: expect.any(Number), name: 'Ada & Söhne' });
    const { code, out, err } = await run(
      ...['client:create', '--merchant', String(merchant.id), '--name', 'Till', '--scopes', 'flows:read,shops:read'],
    );
    expect([code, err]).toEqual([0, '']);
    const [, clientId = ''] = /client id: +(\S+)/.exec(out) ?? [];
    const [, clientSecret = ''] = /client secret: +(\S+)/.exec(out) ?? [];
    const answer = await auth.call({ url: '/things', token: await auth.token({ clientId, clientSecret }) });
    expect(answer.body).toEqual({ merchantId: merchant.id, clientId, scopes: ['flows:read', 'shops:read'] });
    expect(await database.dump()).not.toContain(clientSecret);
  });

  it('creates an owner by the role', async () => {
    const options = ['--merchant', 'Of an owner', '--name', 'Ada', '--role', 'owner', '--person'];
    expect(await json('client:create', ...options)).toMatchObject({ kind: 'person', role: 'owner', scopes: SCOPES });
  });

  it('creates a merchant together with its first client', async () => {
    const client = await create('A new merchant');
    expect(client).toEqual({
      client_id: expect.stringMatching(/^client_/),
      client_secret: expect.stringMatching(/^secret_/),
      merchant_id: expect.any(Number),
      name: 'A client',
      kind: 'program',
      role: 'custom',
      scopes: [...SCOPES],
    });
    const again = await run('client:create', '--merchant', 'A new merchant', '--name', 'x', '--scopes', 'all');
    expect(again).toEqual({
      code: 1,
      out: '',
      err: `error: --merchant: a merchant 'A new merchant' already exists, use its id: ${client.merchant_id}\n`,
    });
  });

  it('lists clients without their secrets, all or those of a merchant', async () => {
    const [one, other] = [await create('Merchant one'), await create('Merchant two')];
    const listed = await json<ClientAnswer[]>('client:list', '--merchant', String(one.merchant_id));
    expect(listed).toEqual([
      {
        client_id: one.client_id,
        merchant_id: one.merchant_id,
        name: 'A client',
        kind: 'program',
        role: 'custom',
        scopes: [...SCOPES],
        created_at: expect.any(String),
        revoked_at: null,
      },
    ]);
    const { out } = await run('client:list');
    expect(out.split('\n')[0]).toMatch(/^CLIENT +MERCHANT +NAME +CREATED +REVOKED +ROLE +SCOPES$/);
    for (const { client_id, client_secret } of [one, other]) {
      expect(out).toContain(client_id);
      expect(out).not.toContain(client_secret);
    }
  });

  it('revokes a client, whose tokens stop working in the running service', async () => {
    const { client_id: clientId, client_secret: clientSecret } = await create('Merchant of a revoked client');
    const token = await auth.token({ clientId, clientSecret });
    expect((await auth.call({ url: '/things', token })).status).toBe(200);
    expect(await json('client:revoke', clientId)).toEqual({ client_id: clientId, revoked: true });
    await eventually(async () => expect((await auth.call({ url: '/things', token })).status).toBe(401));
    await expect(auth.token({ clientId, clientSecret })).rejects.toThrow('invalid_client');
    const [first] = (await json<ClientAnswer[]>('client:list')).filter((one) => one.client_id === clientId);
    expect(await json('client:revoke', clientId)).toMatchObject({ revoked: true });
    const [second] = (await json<ClientAnswer[]>('client:list')).filter((one) => one.client_id === clientId);
    expect(second?.revoked_at).toBe(first?.revoked_at);
    expect((await run('client:rotate-secret', clientId)).err).toContain('or it is revoked');
  });

  it('gives a client a new secret, and the old one stays valid for the overlap', async () => {
    const { client_id: clientId, client_secret: first } = await create('Merchant of a rotated client');
    const tokenOf = (clientSecret: string) => auth.token({ clientId, clientSecret });
    type Rotated = ClientAnswer & { previous_secret_expires_at: string | null };
    const rotate = (...more: string[]) => json<Rotated>('client:rotate-secret', clientId, ...more);

    const { client_secret: second, previous_secret_expires_at: until } = await rotate();
    expect(second).not.toBe(first);
    expect(Math.round((Date.parse(until!) - Date.now()) / 3_600_000)).toBe(24);
    await tokenOf(second);
    await tokenOf(first);

    // only the last two are valid
    const { client_secret: third } = await rotate('--overlap-seconds', '60');
    await expect(tokenOf(first)).rejects.toThrow('invalid_client');
    await tokenOf(second);
    await database.pool.query(`UPDATE api_clients SET previous_secret_expires_at = now() WHERE client_id = $1`, [
      clientId,
    ]);
    await expect(tokenOf(second)).rejects.toThrow('invalid_client');

    expect((await rotate('--overlap-seconds', '0')).previous_secret_expires_at).toBeNull();
    await expect(tokenOf(third)).rejects.toThrow('invalid_client');
  });

  it.each(['-1', '604801', '1.5', 'a day'])('refuses an overlap of %s', async (seconds) => {
    const { code, err } = await run('client:rotate-secret', 'client_1', '--overlap-seconds', seconds);
    expect([code, err]).toEqual([1, expect.stringMatching(/^error: --overlap-seconds: got '.*', takes 0 to 604800$/m)]);
  });

  it('writes one entry per change to the audit log', async () => {
    const { client_id: clientId, merchant_id: merchantId } = await create('Merchant of an audited client');
    await json('client:rotate-secret', clientId);
    await json('client:revoke', clientId);
    await json('client:revoke', clientId);
    const { rows } = await database.pool.query(
      `SELECT merchant_id, actor, client_id, action, object_id, details FROM audit_entries WHERE object_id = $1 ORDER BY id`,
      [clientId],
    );
    const entry = { merchant_id: merchantId, actor: 'cli', client_id: null, object_id: clientId, details: {} };
    expect(rows).toEqual([
      { ...entry, action: 'client.created', details: { kind: 'program', scopes: [...SCOPES] } },
      { ...entry, action: 'client.secret_rotated' },
      { ...entry, action: 'client.revoked' },
    ]);
  });

  describe('refuses in one line, without changes', () => {
    let before: Awaited<ReturnType<typeof count>>;

    beforeEach(async () => {
      before = await count();
    });

    it.each<[string, string[], string | RegExp]>([
      ['a merchant without a name', ['merchant:create'], /^error: required option '--name <name>' not specified$/],
      ['an empty name', ['merchant:create', '--name', '  '], /^error: --name: takes 1 to 200 characters/],
      ['a name with a line break', ['merchant:create', '--name', 'a\nb'], /^error: --name: takes/],
      [
        'an unknown merchant',
        ['client:create', '--merchant', '999999', '--name', 'x', '--scopes', 'all'],
        'error: there is no merchant 999999',
      ],
      [
        'a merchant beyond all ids',
        ['client:create', '--merchant', '9'.repeat(20), '--name', 'x', '--scopes', 'all'],
        /^error: --merchant: got 9+, takes the id of a merchant$/,
      ],
      [
        'an unknown scope',
        ['client:create', '--merchant', 'New', '--name', 'x', '--scopes', 'flows:read,admin'],
        /^error: --scopes: got 'admin', takes all, or any of flows:read,/,
      ],
      [
        'an unknown role',
        ['client:create', '--merchant', 'New', '--name', 'x', '--role', 'admin'],
        /^error: --role: got 'admin', takes one of support,/,
      ],
      ['no rights', ['client:create', '--merchant', 'New', '--name', 'x'], 'error: give one of --role and --scopes'],
      [
        'no scope',
        ['client:create', '--merchant', 'New', '--name', 'x', '--scopes', ','],
        /^error: --scopes: got nothing/,
      ],
      ['clients of a name', ['client:list', '--merchant', 'New'], /^error: --merchant: got 'New', takes the id/],
      [
        'to revoke an unknown client',
        ['client:revoke', 'client_unknown'],
        "error: there is no client 'client_unknown'",
      ],
      ['to revoke without an id', ['client:revoke'], /^error: missing required argument 'client-id'$/],
      [
        'to rotate the secret of an unknown client',
        ['client:rotate-secret', 'client_unknown'],
        /^error: there is no client 'client_unknown'/,
      ],
      [
        'an unknown command',
        ['client:creat'],
        /^error: unknown command 'client:creat' \(Did you mean client:create\?\)$/,
      ],
      ['an unknown option', ['client:list', '--all'], /^error: unknown option '--all'$/],
    ])('%s', async (_, args, message) => {
      const { code, out, err } = await run(...args);
      expect([code, out]).toEqual([1, '']);
      expect(err.trimEnd()).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
      expect(await count()).toEqual(before);
    });

    it('an invalid setting', async () => {
      expect(await cli(['client:list'], { DATABASE_URL: 'mysql://x' })).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^error: DATABASE_URL: got .+\n$/),
      });
    });

    it.each([
      ['client:list'],
      ['client:revoke', 'client_1'],
      ['client:rotate-secret', 'client_1'],
      ['client:create', '--merchant', '1', '--name', 'Till', '--scopes', 'all'],
      ['secrets:reencrypt'],
      ['after-restore'],
      ['reconcile', '--since', '2026-11-22T04:00:00Z'],
    ])('%s without a database, and creates none', async (...args) => {
      const folder = join(await temporaryFolder(), 'elsewhere');
      expect(await cli(args, { DATA_DIR: folder })).toEqual({
        code: 1,
        out: '',
        err:
          `error: there is no database in ${folder}, and DATABASE_URL is not set; ` +
          'set DATA_DIR to the folder of the running service, or DATABASE_URL to its database\n',
      });
      expect(existsSync(folder)).toBe(false);
    });

    it('an unavailable database, without showing its password', async () => {
      const environment = { DATABASE_URL: 'postgres://app:pass-word@127.0.0.1:1/app' };
      for (const args of [['client:list'], ['migrate']]) {
        const { code, out, err } = await cli(args, environment);
        expect([code, out]).toEqual([1, '']);
        expect(err).toMatch(/^error: DATABASE_URL: cannot use the database at 127\.0\.0\.1:1 \(.+\)\n$/);
        expect(err).not.toContain('pass-word');
      }
    });
  });

  it('prints help', async () => {
    const { code, out, err } = await run('--help');
    expect([code, err]).toEqual([0, '']);
    for (const command of [
      'migrate',
      'merchant:create',
      'client:create',
      'client:list',
      'client:revoke',
      'secrets:reencrypt',
      'demo',
    ]) {
      expect(out).toContain(command);
    }
  });

  describe('migrate', () => {
    let empty: TestDatabase;

    beforeEach(async () => {
      empty = await createEmptyDatabase();
    });

    afterEach(() => empty.drop());

    const migrate = async (environment: object, ...more: string[]) =>
      cli(['migrate', ...more], { DATABASE_URL: empty.url, ...environment });

    it('runs pending migrations, lists them, and does nothing the second time', async () => {
      expect((await cli(['client:list'], { DATABASE_URL: empty.url })).err).toContain('run `npm run cli -- migrate`');
      const first = await migrate({});
      expect([first.code, first.err]).toEqual([0, '']);
      expect(first.out).toMatch(/^ran Schema\d+ in \d+\.\d{3} s\n(ran .+\n)*ran the queue's migrations\n$/);
      const second = await migrate({});
      expect(second.out).toBe("the database is up to date\nthe queue's schema is up to date\n");
      expect(JSON.parse((await migrate({}, '--json')).out)).toEqual({ migrations: [], queue: false });
      expect((await cli(['client:list', '--json'], { DATABASE_URL: empty.url })).out).toBe('[]\n');
    });

    it('skips the queue if it is in Redis', async () => {
      const { out } = await migrate({ REDIS_URL: 'redis://127.0.0.1:1' }, '--json');
      expect(JSON.parse(out)).toMatchObject({ queue: null });
      const { rows } = await empty.pool.query("SELECT FROM pg_namespace WHERE nspname = 'bullmq'");
      expect(rows).toHaveLength(0);
    });
  });
});
