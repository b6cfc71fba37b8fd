import pg from 'pg';
import type { PoolConfig } from 'pg';
import { databaseAddress } from '../config/database-url.js';
import { Hosts } from './hosts.js';

/** What the listener of a connection's own errors would do: the loss itself shows in the next statement. */
const ignore = (): void => undefined;

/** What pg's pools and clients need to know of `url`. */
export interface Connection extends Pick<PoolConfig, 'connectionString' | 'ssl'> {
  connectionString: string;
  /** The URL's own; whoever has further ones puts them behind (`withOptions`). */
  options?: string;
  /** Of which a client must be made; pg's pools make theirs of it. */
  Client: typeof pg.Client;
}

/** How to connect to `url`, which may name several hosts, what they must be, and TLS (`databaseAddress`). */
export function connectionTo(url: string): Connection {
  const address = databaseAddress('DATABASE_URL', url);
  const needsNoSearch = address.urls.length === 1 && address.sessions === 'any';
  return {
    connectionString: address.urls[0],
    ...(address.ssl !== undefined && { ssl: address.ssl }),
    ...(address.options !== undefined && { options: address.options }),
    Client: needsNoSearch ? TidyClient : searchingClient(new Hosts(address)),
  };
}

/** Of two that set the same the last one counts. */
export const withOptions = <T extends { options?: string | undefined }>(connection: T, options: string) => ({
  ...connection,
  options: connection.options === undefined ? options : `${connection.options} ${options}`,
});

/**
 * A connection of its own for `work`; connecting is given up after 5 s. `options`: of the session, besides those of the URL;
 * `undefined` where the URL may be a pooler's, which refuses them.
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
 * Closes what it could not log in to. pg leaves that to the server, which waits for a minute when it is pg that breaks off
 * (no password for SCRAM, say): in that time each try costs one of the server's connections.
 */
class TidyClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | void {
    const connected = this.openOrClose();
    if (!callback) return connected;
    connected.then(
      (client) => callback(null, client),
      (error: Error) => callback(error),
    );
  }

  protected async open(): Promise<void> {
    await super.connect();
  }

  private async openOrClose(): Promise<pg.Client> {
    // who connects listens only once that is done, and a loss without a listener ends the process
    this.on('error', ignore);
    try {
      await this.open();
      return this;
    } catch (error) {
      void this.end().catch(ignore);
      throw error;
    }
  }
}

/** Clients that connect to the host that `hosts` has found, and make sure that it is what was asked for. */
function searchingClient(hosts: Hosts): typeof pg.Client {
  class SearchingClient extends TidyClient {
    protected override async open(): Promise<void> {
      const { name, port } = await hosts.current();
      this.host = name;
      this.port = port;
      try {
        await super.open();
        await hosts.requireWanted(this);
      } catch (error) {
        hosts.forget();
        throw error;
      }
    }
  }
  return SearchingClient;
}
