import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  copyProject,
  dataFolder,
  EmbeddedPostgresProcess,
  unprivilegedUser,
  type User,
} from '../support/servers/embedded-postgres-process.js';
import { temporaryFolder } from '../support/servers/servers.js';

const isRoot = process.getuid?.() === 0;
// root can use any account, an ordinary user only its own
const users: [string, User | undefined][] = isRoot
  ? [
      ['root', undefined],
      ['an ordinary user', unprivilegedUser()],
    ]
  : [['an ordinary user', undefined]];

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** A folder that only its owner may enter. */
async function closedFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), 'closed');
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

let project: string;
/**
 * The data folder of each account, shared by most of its tests. Each test leaves a stopped cluster, because initdb is
 * by far the slowest step.
 */
const clusters = new Map<User | undefined, string>();

beforeAll(async () => {
  project = await copyProject();
  for (const [, user] of users) clusters.set(user, await dataFolder(user));
});

describe.each(users)('EmbeddedPostgres, run by %s', (_name, user) => {
  let dataDir: string;
  const start = (options: { dataDir?: string; arch?: string } = {}) =>
    EmbeddedPostgresProcess.start({ project, dataDir, user, ...options });
  const postmaster = async () =>
    Number((await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);

  beforeAll(() => void (dataDir = clusters.get(user)!));

  it('starts in an empty folder, stops, and keeps the data', async () => {
    const first = start();
    const url = await first.url();
    expect(await query(url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    expect(await query(url, `SELECT datlocprovider, datlocale FROM pg_database WHERE datname = 'app'`)).toEqual([
      { datlocprovider: 'b', datlocale: 'C.UTF-8' },
    ]);
    expect(await query(url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    expect(await query(url, 'SHOW max_wal_size')).toEqual([{ max_wal_size: '256MB' }]);
    await query(url, `CREATE TABLE kept AS SELECT 'ü' AS value`);
    expect(await first.stop()).toBe(true);
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');

    const second = start();
    expect(await query(await second.url(), 'SELECT * FROM kept')).toEqual([{ value: 'ü' }]);
    expect(await second.stop()).toBe(true);
  });

  it('refuses connections without the password, and other accounts access to its files', async () => {
    const server = start();
    const url = new URL(await server.url());
    url.password = 'wrong';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).toBe(0o600);
    await server.stop();
  });

  it('starts when the pid in an old pid file belongs to another program', async () => {
    const first = start();
    await first.url();
    const pidFile = join(dataDir, 'postgres/data/postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    await first.stop();
    await writeFile(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'));

    const second = start();
    await second.url();
    expect(await second.stop()).toBe(true);
  });

  it('names the folder when it cannot be created', async () => {
    const file = join(await dataFolder(user), 'file');
    await writeFile(file, '');
    expect(await start({ dataDir: join(file, 'data') }).answer()).toMatchObject({
      name: 'UnusableFolderError',
      folder: `${file}/data (ENOTDIR)`,
      needs: 'a folder that this process may read and write',
    });
  });

  // these do not depend on the account
  if (user === users[0]![1]) {
    it('takes over the server of a process that was killed', async () => {
      const killed = start();
      const url = await killed.url();
      const pid = await postmaster();
      await killed.kill();

      const heir = start();
      expect(await heir.url()).toBe(url);
      expect(await postmaster()).toBe(pid);
      expect(await heir.stop()).toBe(true);
    });

    it('recovers when the server itself was killed', async () => {
      const first = start();
      await query(await first.url(), 'CREATE TABLE recovered ()');
      process.kill(await postmaster(), 'SIGKILL');
      await first.kill();

      const second = start();
      expect(await query(await second.url(), 'SELECT * FROM recovered')).toEqual([]);
      expect(await second.stop()).toBe(true);
    });

    it('runs one server for processes that start together, and the last one stops it', async () => {
      // root's project is in a folder that no other account may enter, so that these processes also copy the programs
      // concurrently
      if (isRoot) await chmod(project, 0o700);
      try {
        const fresh = { dataDir: await dataFolder(user) };
        const processes = [start(fresh), start(fresh)];
        const urls = await Promise.all(processes.map((process) => process.url()));
        expect(new Set(urls).size).toBe(1);
        const programs = isRoot ? [expect.stringMatching(/^postgres-programs-/)] : [];
        expect((await readdir(fresh.dataDir)).sort()).toEqual(['postgres', ...programs]);
        expect(await processes[0]!.stop()).toBe(false);
        expect(await query(urls[0]!, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
        expect(await processes[1]!.stop()).toBe(true);
      } finally {
        await chmod(project, 0o755);
      }
    });

    it('stops once when all processes stop together', async () => {
      const processes = [start(), start()];
      const [url] = await Promise.all(processes.map((process) => process.url()));
      const stopped = await Promise.all(processes.map((process) => process.stop()));
      expect(stopped.filter(Boolean)).toHaveLength(1);
      await expect(query(url!, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');
    });

    it('serves a process that starts while another one stops', async () => {
      let leaving = start();
      await leaving.url();
      for (let round = 0; round < 3; round++) {
        const coming = start();
        const [url] = await Promise.all([coming.url(), leaving.stop()]);
        expect(await query(url, 'SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
        leaving = coming;
      }
      expect(await leaving.stop()).toBe(true);
    });

    it('leaves the server running when its own connection was ended, and the next process stops it', async () => {
      const server = start();
      const url = await server.url();
      await query(url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '% lease'`);
      expect(await server.stop()).toBe(false);

      const next = start();
      expect(await next.url()).toBe(url);
      expect(await next.stop()).toBe(true);
    });

    it('stops the server while another client, not of this service, is connected', async () => {
      const server = start();
      const client = new pg.Client({ connectionString: await server.url() });
      const ended = new Promise((resolve) => client.on('error', resolve));
      await client.connect();
      expect(await server.stop()).toBe(true);
      expect(await ended).toMatchObject({ code: '57P01' });
    });

    it('names the log file when the server does not start', async () => {
      const server = start();
      await server.url();
      await server.stop();
      const settings = join(dataDir, 'postgres/data/postgresql.conf');
      const before = await readFile(settings);
      await writeFile(settings, 'nonsense!');
      const { error, cause } = await start().answer();
      await writeFile(settings, before);
      expect(error).toBe(`the embedded PostgreSQL does not start, see ${dataDir}/postgres/server.log`);
      expect(cause).toMatch(/pg_ctl ended with 1: /);
    });

    it('names the missing package for the platform', async () => {
      const { name, error } = await start({ arch: 'riscv64' }).answer();
      const platform = `${process.platform}-riscv64`;
      expect(name).toBe('UnsupportedPlatformError');
      expect(error).toBe(
        `no embedded PostgreSQL is installed for ${platform} (package @embedded-postgres/${platform})`,
      );
    });
  }
});

if (isRoot) {
  describe('EmbeddedPostgres, run by root', () => {
    it('names the folder when its account cannot enter it', async () => {
      const dataDir = join(await closedFolder(), 'x');
      expect(await EmbeddedPostgresProcess.start({ project, dataDir }).answer()).toMatchObject({
        name: 'UnusableFolderError',
        folder: dataDir,
        needs: `a folder that the account 'postgres' can enter, as root's PostgreSQL runs as that account`,
      });
    });

    it('continues with the data of an ordinary user', async () => {
      const [, ordinary] = users[1]!;
      const dataDir = clusters.get(ordinary)!;
      const before = EmbeddedPostgresProcess.start({ project, dataDir, user: ordinary });
      await query(await before.url(), 'CREATE TABLE of_nobody ()');
      await before.stop();
      const after = EmbeddedPostgresProcess.start({ project, dataDir });
      expect(await query(await after.url(), 'SELECT * FROM of_nobody')).toEqual([]);
      expect(await after.stop()).toBe(true);
    });
  });
}
