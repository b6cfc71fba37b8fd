// PostgreSQL from the binaries of an optional npm package, private to one data folder. The server outlives a process
// that is killed; the next one adopts it. Several processes may share it: the last one out turns off the light.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, openCluster, ROLE } from './cluster.js';
import { isServerLeaving, Lease } from './lease.js';
import { findRunningServer, startServer, type ServerOptions, stopServer } from './server.js';

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 50;
const START_ATTEMPTS = 3;

export interface EmbeddedPostgresOptions extends ServerOptions {
  /** Absolute path; the cluster lives in its folder `postgres`. */
  dataDir: string;
}

export interface EmbeddedPostgres {
  /** Of the service's database, with its password: do not log it. */
  url: string;
  port: number;
  /** To be called after all own connections are closed. Stops the server unless somebody else uses it; true if it did. */
  stop(): Promise<boolean>;
}

/**
 * Starts the PostgreSQL of `dataDir`, or joins the running one, within 60 s. Safe to call from several processes at
 * once. Throws a `ConfigError` when the platform (DATABASE_URL) or the folder (DATA_DIR) does not allow it.
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

/** Until a lease is taken: starts the server when it is down, waits while it goes up or down. */
async function joinServer(cluster: Cluster, options: ServerOptions): Promise<{ lease: Lease; port: number }> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let failure: unknown;
  for (let failedStarts = 0; Date.now() < deadline && failedStarts < START_ATTEMPTS;) {
    const server = await findRunningServer(cluster);
    if (server === undefined) {
      // fails when another process was first, or somebody took the free port: look again
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

/** Gives back what passes while a server starts or stops; throws what waiting does not cure, e.g. a wrong password. */
function unlessFinal(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !isServerLeaving(error)) throw error;
  return error;
}
