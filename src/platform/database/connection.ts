import pg from 'pg';
import type { PoolConfig } from 'pg';
import { databaseAddress } from '../config/database-url.js';
import { HostSearch } from './hosts.js';

/** Does nothing: the next statement reports the lost connection. */
const ignore = (): void => undefined;

/** The parts of `url` for pg's pools and clients. */
export interface Connection extends Pick<PoolConfig, 'connectionString' | 'ssl'> {
  connectionString: string;
  /** The options of the URL; callers append theirs (`withOptions`). */
  options?: string;
  /** The class from which pg's pools create their clients. */
  Client: typeof pg.Client;
}

/** Connection settings of `url`, which may name several hosts, their kind, and TLS (`databaseAddress`). */
export function connectionTo(url: string): Connection {
  const address = databaseAddress('DATABASE_URL', url);
  return {
    connectionString: address.urls[0],
    ...(address.ssl !== undefined && { ssl: address.ssl }),
    ...(address.options !== undefined && { options: address.options }),
    Client: clientOf(new HostSearch(address)),
  };
}

/** Appends `options`; when two set the same, the last one counts. */
export const withOptions = <T extends { options?: string | undefined }>(connection: T, options: string) => ({
  ...connection,
  options: connection.options === undefined ? options : `${connection.options} ${options}`,
});

/**
 * Runs `work` on a new connection; connecting times out after 5 s. `options`: session options in addition to those of
 * the URL; `undefined` where the URL may be that of a pooler, which refuses them.
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
 * A client of pg that finds its host first. pg's own client knows one host, and leaves the connection open when it
 * breaks off a login itself (pg 8.23: no password for SCRAM, for example). The server would wait a minute for the rest,
 * so every try would cost one of its connections.
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
      // pg's pool listens only after connecting, and a lost connection without a listener ends the process
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
