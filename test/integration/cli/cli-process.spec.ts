import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { startEmbeddedPostgres } from '../../../packages/embedded-postgres/src/index.js';
import { builtFile } from '../../support/app/service.js';
import { temporaryFolder } from '../../support/servers/servers.js';

const main = builtFile('cli', 'main.js');

interface Run {
  code: number | string | null | undefined;
  out: string;
  err: string;
}

/** Runs the built command line as a user does, in an empty working directory. */
async function cli(args: string[], environment: Record<string, string>, folder?: string): Promise<Run> {
  assert.ok(existsSync(main), `no ${main}: npm run build`);
  const cwd = folder ?? (await temporaryFolder());
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
    execFile(process.execPath, [main, ...args], { cwd, env }, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    );
  });
}

describe('The command line as a program', () => {
  it('starts and stops the embedded database, and leaves a running one running', async () => {
    const folder = { DATA_DIR: join(await temporaryFolder(), 'data') };
    const migrated = await cli(['migrate'], folder);
    expect([migrated.code, migrated.err]).toEqual([0, '']);
    expect(migrated.out).toContain('ran InitialSchema');

    const create = ['client:create', '--merchant', 'Embedded', '--name', 'Till', '--scopes', 'all', '--json'];
    const created = await cli(create, folder);
    expect([created.code, created.err]).toEqual([0, '']);
    const { client_id: clientId } = JSON.parse(created.out) as { client_id: string };
    expect(existsSync(join(folder.DATA_DIR, 'postgres', 'data', 'postmaster.pid'))).toBe(false);

    const service = await startEmbeddedPostgres({ dataDir: folder.DATA_DIR });
    try {
      const revoked = await cli(['client:revoke', clientId], folder);
      expect(revoked).toEqual({ code: 0, out: `client ${clientId} is revoked\n`, err: '' });
      expect(existsSync(join(folder.DATA_DIR, 'postgres', 'data', 'postmaster.pid'))).toBe(true);
    } finally {
      await service.stop();
    }
  });

  it('asks for DATABASE_URL where the embedded PostgreSQL is not supported', async () => {
    const environment = {
      DATA_DIR: join(await temporaryFolder(), 'data'),
      NODE_OPTIONS: `--import=data:text/javascript,Object.defineProperty(process,%22arch%22,{value:%22riscv64%22})`,
    };
    const platform = `${process.platform}-riscv64`;
    expect(await cli(['migrate'], environment)).toEqual({
      code: 1,
      out: '',
      err:
        'error: DATABASE_URL: got nothing, takes the URL of a PostgreSQL server, as no embedded PostgreSQL is ' +
        `installed for ${platform} (package @embedded-postgres/${platform})\n`,
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
  ])('creates no database for %s, and reports where it looked for one', async (...args) => {
    const inside = await temporaryFolder();
    for (const [folder, environment] of [
      [join(inside, 'here', '.data'), {}],
      [join(inside, 'elsewhere'), { DATA_DIR: join(inside, 'elsewhere') }],
    ] as const) {
      mkdirSync(join(inside, 'here'), { recursive: true });
      const { code, out, err } = await cli(args, environment, join(inside, 'here'));
      expect([code, out]).toEqual([1, '']);
      expect(err).toBe(
        `error: there is no database in ${folder}, and DATABASE_URL is not set; ` +
          'set DATA_DIR to the folder of the running service, or DATABASE_URL to its database\n',
      );
      expect(readdirSync(inside, { recursive: true })).toEqual(['here']);
    }
  });

  it('exits with 1 and one line on stderr after a failure', async () => {
    const { code, out, err } = await cli(['client:list'], { DATABASE_URL: 'postgres://127.0.0.1:1/x' });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error: DATABASE_URL: cannot use the database at [^\n]+\n$/);
  });
});
