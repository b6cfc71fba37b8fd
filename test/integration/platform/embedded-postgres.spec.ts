import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../packages/embedded-postgres/src/index.js';
import { runCommandLine } from '../../../src/cli/command-line.js';
import { temporaryFolder } from '../../support/servers/servers.js';

const isRoot = process.getuid?.() === 0;

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function cli(args: string[], environment: Record<string, string>) {
  const run = { code: 0, out: '', err: '' };
  const write = (stream: 'out' | 'err') => (text: string) => void (run[stream] += text);
  run.code = await runCommandLine(args, { environment: () => environment, out: write('out'), err: write('err') });
  return run;
}

// test/long/embedded-postgres.spec.ts has processes, killed ones, and other accounts. Here is one cluster, which each test
// leaves stopped, because initdb is by far the slowest step
describe('EmbeddedPostgres', () => {
  let dataDir: string;
  let migrated: Awaited<ReturnType<typeof cli>>;
  const start = () => startEmbeddedPostgres({ dataDir, flags: ['-c', 'fsync=off'] });
  const pidFile = () => join(dataDir, 'postgres/data/postmaster.pid');

  beforeAll(async () => {
    const folder = await temporaryFolder();
    await chmod(folder, 0o755);
    dataDir = join(folder, 'data');
    migrated = await cli(['migrate'], { DATA_DIR: dataDir });
  });

  it('the command line creates, starts and stops it, and leaves a running one running', async () => {
    expect(migrated).toEqual({ code: 0, out: expect.stringContaining('ran Schema'), err: '' });
    expect(existsSync(pidFile())).toBe(false);
    const service = await start();
    try {
      const create = ['client:create', '--merchant', 'Embedded', '--name', 'Till', '--scopes', 'all', '--json'];
      expect(await cli(create, { DATA_DIR: dataDir })).toMatchObject({ code: 0, err: '' });
      expect(existsSync(pidFile())).toBe(true);
    } finally {
      expect(await service.stop()).toBe(true);
    }
  });

  it('serves every caller that joins, is stopped by the last of them, and keeps the data', async () => {
    const first = await start();
    const { url } = first;
    expect(await query(url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    expect(await query(url, `SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'app'`)).toEqual([
      { datlocprovider: 'b', datlocale: 'C.UTF-8' },
    ]);
    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(url, 'SHOW max_wal_size')).toEqual([{ max_wal_size: '256MB' }]);
    await query(url, `CREATE TABLE kept AS SELECT 'ü' AS value`);
    const second = await start();
    expect(second.url).toBe(url);
    expect(await first.stop()).toBe(false);
    // a process whose own connection was ended leaves the server running, for the next one
    await query(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '% lease'`);
    expect(await second.stop()).toBe(false);
    const third = await start();
    expect(third.url).toBe(url);
    const foreign = new pg.Client({ connectionString: url });
    const ended = new Promise((resolve) => foreign.on('error', resolve));
    await foreign.connect();
    const [pid, ...lines] = (await readFile(pidFile(), 'utf8')).split('\n');
    expect(await third.stop()).toBe(true);
    expect(await ended).toMatchObject({ code: '57P01' });
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');

    // as after a crash, with a pid that now belongs to another program
    expect(Number(pid)).not.toBe(process.pid);
    await writeFile(pidFile(), [process.pid, ...lines].join('\n'));
    const together = await Promise.all([start(), start()]);
    expect(new Set(together.map((each) => each.url)).size).toBe(1);
    expect(await query(together[0].url, 'SELECT * FROM kept')).toEqual([{ value: 'ü' }]);
    const stopped = await Promise.all(together.map((each) => each.stop()));
    expect(stopped.sort()).toEqual([false, true]);
  });

  it('refuses connections without the password, and other accounts access to its files', async () => {
    const server = await start();
    const url = new URL(server.url);
    url.password = 'wrong';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  it('names the log file when the server does not start', async () => {
    const settings = join(dataDir, 'postgres/data/postgresql.conf');
    const before = await readFile(settings);
    await writeFile(settings, 'nonsense!');
    const failure = await start().catch((error: unknown) => error);
    await writeFile(settings, before);
    expect(failure).toMatchObject({
      message: `the embedded PostgreSQL does not start, see ${dataDir}/postgres/server.log`,
      cause: { message: expect.stringMatching(/pg_ctl ended with 1: /) },
    });
  });

  it('names the folder when it cannot be created', async () => {
    const file = join(await temporaryFolder(), 'file');
    await writeFile(file, '');
    await expect(startEmbeddedPostgres({ dataDir: join(file, 'data') })).rejects.toMatchObject({
      name: 'UnusableFolderError',
      folder: `${file}/data (ENOTDIR)`,
      needs: 'a folder that this process may read and write',
    });
  });

  if (isRoot) {
    it("names the folder when root's account cannot enter it", async () => {
      const closed = join(await temporaryFolder(), 'closed');
      await mkdir(closed, { mode: 0o700 });
      await expect(startEmbeddedPostgres({ dataDir: join(closed, 'x') })).rejects.toMatchObject({
        name: 'UnusableFolderError',
        folder: join(closed, 'x'),
        needs: `a folder that the account 'postgres' can enter, as root's PostgreSQL runs as that account`,
      });
    });
  }
});
