import pg from 'pg';
import type { PoolConfig } from 'pg';
import { databaseAddress } from '../config/database-url.js';
import { HostSearch } from './hosts.js';

/** The listener of a connection's own errors: the loss itself shows in the next statement. */
const ignore = (): void => undefined;

/** The parts of `url` that pg's pools and clients take. */
export interface Connection extends Pick<PoolConfig, 'connectionString' | 'ssl'> {
  connectionString: string;
  /** The URL's own; callers put theirs behind (`withOptions`). */
  options?: string;
  /** The class of clients; pg's pools make theirs of it. */
  Client: typeof pg.Client;
}

/** How to connect to `url`, which may name several hosts, what they must be, and TLS (`databaseAddress`). */
export function connectionTo(url: string): Connection {
  const address = databaseAddress('DATABASE_URL', url);
  return {
    connectionString: address.urls[0],
    ...(address.ssl !== undefined && { ssl: address.ssl }),
    ...(address.options !== undefined && { options: address.options }),
    Client: clientOf(new HostSearch(address)),
  };
}

/** Of two that set the same the last one counts. */
export const withOptions = <T extends { options?: string | undefined }>(connection: T, options: string) => ({
  ...connection,
  options: connection.options === undefined ? options : `${connection.options} ${options}`,
});

/**
 * A connection of its own for `work`; connecting is given up after 5 s. `options`: of the session, in addition to those of
 * the URL; `undefined` where the URL may be a pooler's, which refuses them.
 */
export async function withClient<T>(
  url: string,
  options: string | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { Client, ...connection } = connectionTo(url);
  const settings = options === undefined ? connection : withOptions(connection, options);
  const client = new Client({ ...settings, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(ignore);
  }
}

type Connected = (error: Error | null, client?: pg.Client) => void;

/**
 * Why not pg's own client: it knows one host, and it leaves a connection open whose login it breaks off itself (pg 8.23:
 * no password for SCRAM, say). The server waits a minute for the rest, so that each try costs one of its connections.
 */
const clientOf = (hosts: HostSearch): typeof pg.Client =>
  class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<pg.Client> | void {
      const connected = this.open();
      if (!callback) return connected;
      connected.then((client) => callback(null, client), callback);
    }

    private async open(): Promise<pg.Client> {
      // pg's pool listens only once it is connected, and a loss without a listener ends the process
      this.on('error', ignore);
      try {
        const { name, port } = await hosts.current();
        [this.host, this.port] = [name, port];
        await super.connect();
        await hosts.requireSessionType(this);
        return this;
      } catch (error) {
        hosts.invalidate();
        void this.end().catch(ignore);
        throw error;
      }
    }
  };
