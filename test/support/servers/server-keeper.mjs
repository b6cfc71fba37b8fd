// The keeper of the test servers: a process of its own that ends with its stdin. However Jest ends (teardown, failure,
// Ctrl-C, kill -9), its end of the pipe closes, and the keeper stops the servers and removes their folders.
// Prints one line of JSON: { folder, compiled, databaseUrl, templateDatabase, redisUrl } or { error }.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compileInto, compileSources } from './compile-sources.mjs';
import { folderInMemory, newFolder } from './folders.mjs';
import { ensureRedisInstalled, startRedisServer } from './redis-server.mjs';

const TEMPLATE = 'template_migrated';
const folder = folderInMemory() ?? newFolder(tmpdir());
mkdirSync(join(folder, 'processes'));
let compiled;
let redis;
let ending = false;

// nobody may be left to read it
process.stdout.on('error', () => undefined);
process.stdin.resume().once('end', () => void end(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void end(1));

// settled, not raced: what still starts when the other fails must be stopped, too
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
  compiled = compileSources(['platform/config', 'platform/database', 'platform/queue', 'platform/redis', 'shared']);
  const embedded = join(compiled, 'embedded-postgres');
  compileInto(embedded, 'packages/embedded-postgres/src', ['.']);
  const { startEmbeddedPostgres } = await import(join(embedded, 'index.js'));
  const { migrate } = await import(join(compiled, 'platform/database/migrate.js'));
  const { migrateQueue } = await import(join(compiled, 'platform/queue/queue-migration.js'));
  // no fsync: a crash of the machine may cost us the test data
  const lossy = ['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'];
  const flags = [...lossy, 'max_connections=600'].flatMap((setting) => ['-c', setting]);
  const { url } = await startEmbeddedPostgres({ dataDir: folder, flags });
  await createTemplate(url);
  await migrate(withDatabase(url, TEMPLATE));
  await migrateQueue(withDatabase(url, TEMPLATE));
  return { databaseUrl: url, templateDatabase: TEMPLATE };
}

async function createTemplate(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await proveCheaply(client);
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
}

/** The password in one message: of what a connection costs its proof by SCRAM is a quarter, which is no test's subject here. */
async function proveCheaply(client) {
  await client.query('SET scram_iterations = 1');
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
  // what tests started and did not stop, because they failed or were killed themselves
  for (const pid of readdirSync(join(folder, 'processes'))) signal(Number(pid), 'SIGKILL');
  await Promise.all(postmasters(folder).map(stopPostgres));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (compiled) rmSync(compiled, { recursive: true, force: true });
  process.exit(code);
}

/** The pid files of the servers whose data lies there. */
const postmasters = (within) =>
  readdirSync(within, { recursive: true })
    .filter((name) => basename(name) === 'postmaster.pid')
    .map((name) => join(within, name));

/** Immediate shutdown: open connections of tests do not matter, nor does the data. */
async function stopPostgres(pidFile) {
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  signal(pid, 'SIGQUIT');
  for (let waited = 0; waited < 5_000 && signal(pid, 0); waited += 20) await delay(20);
  signal(pid, 'SIGKILL');
}

/** Whether the process was there to take it. */
function signal(pid, name) {
  try {
    return pid > 1 && process.kill(pid, name);
  } catch {
    return false;
  }
}
