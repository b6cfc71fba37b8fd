import { open, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import { run } from './program.js';

/** More than any process id. */
const NO_PID = 2 ** 31 - 1;
const STOP_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 50;

/** `port` is unknown until the server has written it to its pid file. */
export interface RunningServer {
  pid: number;
  port: number | undefined;
}

export interface ServerOptions {
  /** 0 or absent: a free port. A running server keeps its port. */
  port?: number;
  /** Further arguments of `postgres`, e.g. `['-c', 'fsync=off']`. */
  flags?: string[];
}

/** Finds the running server of the cluster, started by any process. */
export async function findRunningServer({ dataFolder }: Cluster): Promise<RunningServer | undefined> {
  // https://www.postgresql.org/docs/18/storage-file-layout.html: pid, data folder, start time, port …
  const pidFile = join(dataFolder, 'postmaster.pid');
  const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  if (!(pid > 0) || !isAlive(pid)) return undefined;
  if (await isAnotherProgram(pid)) {
    // the id belongs to another program now, as in a restarted container: PostgreSQL would refuse to start
    await invalidatePidFile(pidFile, pid);
    return undefined;
  }
  return { pid, port: Number(lines[3]) || undefined };
}

/**
 * Invalidates a pid file, so that PostgreSQL replaces it. Writes through the handle that it was read with: if another process
 * replaces the file with that of a running server, the new file stays unchanged.
 */
async function invalidatePidFile(pidFile: string, pid: number): Promise<void> {
  const file = await open(pidFile, 'r+').catch(() => undefined);
  if (!file) return;
  try {
    const [owner, ...lines] = (await file.readFile('utf8')).split('\n');
    if (Number(owner) === pid) await file.write([NO_PID, ...lines].join('\n'), 0);
  } finally {
    await file.close();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether the process is certainly not a PostgreSQL server; false on systems without /proc. */
async function isAnotherProgram(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  // empty for a zombie, which a container without an init process never removes
  return command !== undefined && basename(command.split('\0')[0]!) !== 'postgres';
}

/** Starts the server and waits until it accepts connections. Also rejects if another start was first. */
export async function startServer(cluster: Cluster, options: ServerOptions): Promise<void> {
  const port = options.port || (await freePort());
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    max_wal_size: '256MB',
  };
  const server = [
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const quoted = [...server, ...(options.flags ?? [])].map((argument) => `"${argument}"`).join(' ');
  const waiting = ['-w', '-t', '60', '-s'];
  await run(
    cluster.binaries.pgCtl,
    ['start', ...waiting, '-D', cluster.dataFolder, '-l', cluster.logFile, '-o', quoted],
    cluster.account,
  );
}

/** Ends all connections and stops the server cleanly. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const pid = (await findRunningServer(cluster))?.pid;
  await run(cluster.binaries.pgCtl, ['stop', '-m', 'fast', '-W', '-s', '-D', cluster.dataFolder], cluster.account);
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  // pg_ctl's own wait would confuse a server that another process starts immediately with the one to stop
  while (pid !== undefined && (await findRunningServer(cluster))?.pid === pid) {
    if (Date.now() > deadline) throw new Error(`the server did not stop within ${STOP_TIMEOUT_MS} ms`);
    await delay(POLL_INTERVAL_MS);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
