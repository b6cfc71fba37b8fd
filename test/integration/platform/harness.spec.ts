import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { Stripe } from 'stripe';
import { loadStripe } from '../../../packages/provider-stripe/src/client.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { startReceiver } from '../../support/servers/receiver.js';
import { redisUrl, startRedis } from '../../support/servers/redis.js';
import { temporaryFolder } from '../../support/servers/servers.js';

describe('createTestDatabase', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('creates a migrated database that returns bigint as number', async () => {
    const rows = await database.database.query<{ id: number }>({
      name: 'add-merchant',
      text: `INSERT INTO merchants (name) VALUES ('a') RETURNING id`,
    });
    expect(rows).toEqual([{ id: expect.any(Number) }]);
  });

  it('dumps every change, also of a sequence only, and none that was rolled back', async () => {
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

describe('startRedis', () => {
  it('starts servers that can be flushed, killed and restarted, next to the shared one', async () => {
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

describe('startReceiver', () => {
  it('records exact bytes and responds as configured', async () => {
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
      for (const misbehaviour of ['hang', 'endless', 'slow-body'] as const) {
        receiver.respondWith({ misbehaviour });
        const patience = AbortSignal.timeout(200);
        await expect(send(patience).then((response) => response.text())).rejects.toThrow(/timeout|aborted/);
      }
      expect(receiver.requests).toHaveLength(6);
    } finally {
      await receiver.stop();
    }
  });
});

describe('eventually', () => {
  it('throws the last failure after its time-out', async () => {
    const never = () => Promise.reject(new Error('not yet'));
    await expect(eventually(never, { timeoutMs: 60, intervalMs: 10 })).rejects.toThrow('not yet');
    await expect(eventually(() => false, { timeoutMs: 60, intervalMs: 10 })).rejects.toThrow('still false');
  });
});

describe('Modules in test files', () => {
  it('share the same instances with src, which loads some of them late', async () => {
    expect(await loadStripe()).toBe(Stripe);
  });
});

describe('ensureProgram', () => {
  const program = new URL('../../support/servers/installed-program.mjs', import.meta.url).href;
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  const script = (name: string, text: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\ncd ${folder}\n${text}`);
    chmodSync(join(folder, name), 0o755);
  };

  /** The result for root with this `apt-get`, and without another package manager. */
  async function ensureProgram(): Promise<string> {
    const wanted = { programs: ['wanted'], packages: { 'apt-get': 'wanted' }, needs: 'this test needs it' };
    const code = `process.getuid = () => 0;
      const { ensureProgram } = await import('${program}');
      try { console.log(ensureProgram(${JSON.stringify(wanted)})); } catch (error) { console.log(error.message); }`;
    const env = { PATH: `${folder}:/bin` };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { env });
    return stdout.trim();
  }

  it('installs a program while another test file installs one', async () => {
    script(
      'apt-get',
      `[ "$1" = install ] || exit 0
       [ -e tried ] || { touch tried; echo 'E: Could not get lock /var/lib/dpkg/lock-frontend.' >&2; exit 100; }
       printf '#!/bin/sh\\n' > wanted; chmod +x wanted`,
    );
    expect(await ensureProgram()).toBe('wanted');
  });

  it('reports what to install if the package manager has no such package', async () => {
    script('apt-get', `[ "$1" != install ] || { echo 'E: Unable to locate package wanted' >&2; exit 100; }`);
    expect(await ensureProgram()).toBe('this test needs it: install wanted (apt-get install wanted)');
  });
});
