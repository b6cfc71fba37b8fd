import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureProgram } from './installed-program.mjs';
import { freePort } from './free-port.mjs';

const VERSIONS = '/usr/lib/postgresql';
/** The servers of any version that Debian has or may have. */
const SERVERS = Array.from({ length: 16 }, (_, age) => join(VERSIONS, String(28 - age), 'bin', 'postgres'));
const ROLE = 'app';
const PASSWORD = 'password-of-the-tests';
/** Needed to count what the server compiled; everything else has the server's defaults. */
const COUNTED = ['-c', 'shared_preload_libraries=pg_stat_statements'];

/**
 * Ensures that Debian's PostgreSQL is installed, of any version: installs it as root; otherwise throws one line that says
 * what to do. Unlike the embedded one it has a JIT compiler, which is on.
 */
export function ensureDebianPostgresInstalled() {
  ensureProgram({
    programs: SERVERS,
    packages: { 'apt-get': 'postgresql', apk: 'postgresql' },
    needs: "the long tests need Debian's PostgreSQL",
  });
}

/** The folder of the newest installed version's programs. */
const binaries = () =>
  (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'postgres')));

/** Starts a new cluster in `folder`, with these arguments of `postgres`. Returns its URL, of a superuser, and the id of its process. */
export async function startDebianPostgres({ folder, flags = [] }) {
  ensureDebianPostgresInstalled();
  const data = join(folder, 'debian-postgres');
  mkdirSync(data);
  const password = join(folder, 'debian-postgres-password');
  writeFileSync(password, PASSWORD);
  const account = accountOfServer();
  if (account) for (const path of [data, password]) chownSync(path, account.uid, account.gid);
  const run = (program, ...args) =>
    execFileSync(join(binaries(), program), args, {
      ...account,
      cwd: data,
      stdio: 'ignore',
      env: { LC_ALL: 'C.UTF-8' },
    });
  run('initdb', '-D', data, '-U', ROLE, `--pwfile=${password}`, '--auth=scram-sha-256', '--no-sync');
  const port = await freePort();
  const address = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=''`];
  run('pg_ctl', '-D', data, '-l', join(data, 'log'), '-w', '-o', [...address, ...COUNTED, ...flags].join(' '), 'start');
  const url = `postgres://${ROLE}:${PASSWORD}@127.0.0.1:${port}/`;
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: `${url}postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${ROLE}`);
  await client.end();
  return { url: `${url}${ROLE}`, pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]) };
}

/** PostgreSQL refuses to run as root. */
function accountOfServer() {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
