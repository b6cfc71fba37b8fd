// The keeper of the test servers: a separate process that ends with its stdin. When Jest ends for any reason (teardown,
// failure, Ctrl-C, kill -9), its end of the pipe closes, and the keeper stops the servers and removes their folders.
// TEST_POSTGRES=debian starts Debian's PostgreSQL instead of the embedded one. Prints one line of JSON:
// { folder, compiled, databaseUrl, templateDatabase, redisUrl } or { error }.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compileInto, compileSources } from './compile-sources.mjs';
import { startDebianPostgres } from './debian-postgres.mjs';
import { folderInMemory, newFolder } from './folders.mjs';
import { ensureRedisInstalled, startRedisServer } from './redis-server.mjs';

const TEMPLATE = 'template_migrated';
const folder = folderInMemory() ?? newFolder(tmpdir());
mkdirSync(join(folder, 'processes'));
let compiled;
let redis;
let ending = false;

// there may be no reader left
process.stdout.on('error', () => undefined);
process.stdin.resume().once('end', () => void end(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void end(1));

// waits for both: if one fails, the other must still be stopped
const starting = Promise.allSettled([startPostgres(), startRedis()]);
const [postgres, redisUrl] = await starting;
const failure = [postgres, redisUrl].find(({ status }) => status === 'rejected')?.reason;
if (failure) {
  const cause = failure.cause instanceof Error ? `: ${failure.cause.message}` : '';
  process.stdout.write(`${JSON.stringify({ error: `${failure.message}${cause}` })}\n`);
  await end(1);
}
process.stdout.write(`${JSON.stringify({ folder, compiled, ...postgres.value, redisUrl: redisUrl.value })}\n`);

async function startPostgres() {
  compiled = compileSources([
    'platform/config',
    'platform/database',
    'platform/queue',
    'platform/redis',
    'schema',
    'shared',
  ]);
  const embedded = join(compiled, 'embedded-postgres');
  compileInto(embedded, 'packages/embedded-postgres/src', ['.']);
  const { startEmbeddedPostgres } = await import(join(embedded, 'index.js'));
  const { migrate } = await import(join(compiled, 'schema/upgrade/migrate.js'));
  const { migrateQueue } = await import(join(compiled, 'platform/queue/queue-migration.js'));
  // no fsync: test data need not survive a crash of the machine
  const lossy = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'];
  const flags = [...lossy, 'max_connections=600'].flatMap((setting) => ['-c', setting]);
  const { url } =
    process.env.TEST_POSTGRES === 'debian'
      ? await startDebianPostgres({ folder, flags })
      : await startEmbeddedPostgres({ dataDir: folder, flags });
  await createTemplate(url);
  await migrate(withDatabase(url, TEMPLATE));
  await migrateQueue(withDatabase(url, TEMPLATE));
  return { databaseUrl: url, templateDatabase: TEMPLATE };
}

async function createTemplate(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await useCheapPasswords(client);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
}

/** Sends the password in one message: SCRAM takes a quarter of the cost of a connection, and no test depends on it. */
async function useCheapPasswords(client) {
  // from version 16 on
  await client.query(`SELECT set_config(name, '1', false) FROM pg_settings WHERE name = 'scram_iterations'`);
  await client.query(`ALTER ROLE CURRENT_USER PASSWORD ${client.escapeLiteral(client.password)}`);
  const { rows } = await client.query('SHOW hba_file');
  writeFileSync(rows[0].hba_file, 'host all all 127.0.0.1/32 password\n');
  await client.query('SELECT pg_reload_conf()');
}

function withDatabase(url, database) {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function startRedis() {
  if (process.env.REDIS_URL) return process.env.REDIS_URL;
  ensureRedisInstalled();
  redis = await startRedisServer(folder);
  return redis.url;
}

async function end(code) {
  if (ending) return;
  ending = true;
  await starting;
  redis?.child.kill('SIGKILL');
  // processes that tests started and did not stop, because they failed or were killed
  for (const pid of readdirSync(join(folder, 'processes'))) signal(Number(pid), 'SIGKILL');
  await Promise.all(postmasters(folder).map(stopPostgres));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (compiled) rmSync(compiled, { recursive: true, force: true });
  process.exit(code);
}

/** The pid files of the servers with data in this folder. */
function postmasters(within) {
  return readdirSync(within, { recursive: true })
    .filter((name) => basename(name) === 'postmaster.pid')
    .map((name) => join(within, name));
}

/** Immediate shutdown: neither open connections of tests nor the data matter. */
async function stopPostgres(pidFile) {
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  signal(pid, 'SIGQUIT');
  for (let waited = 0; waited < 5_000 && signal(pid, 0); waited += 20) await delay(20);
  signal(pid, 'SIGKILL');
}

/** Whether the process existed. */
function signal(pid, name) {
  try {
    return pid > 1 && process.kill(pid, name);
  } catch {
    return false;
  }
}
