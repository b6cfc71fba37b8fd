import pg from 'pg';
import type { DatabaseAddress } from '../config/database-url.js';

/** Shorter than the connect time-out, because the search for the host is part of connecting. */
const SEARCH_MS = 3_000;

const IS_READ_ONLY = 'SHOW transaction_read_only';

/** A server of the kind that the URL asks for. */
export interface Host {
  name: string;
  port: number;
}

/**
 * Finds the host of a URL to connect to. With several hosts all are probed concurrently, and the first suitable one is
 * used. The result is kept until a connection to it fails.
 *
 * Why not try a list of hosts in order: with a lost host every new connection would wait for its time-out first.
 */
export class HostSearch {
  private found: Promise<Host> | undefined;

  constructor(private readonly address: DatabaseAddress) {}

  /** Rejects with `cannot_connect_now` (57P03) when no host is suitable within 3 s. */
  current(): Promise<Host> {
    this.found ??= this.search().catch((error: unknown) => {
      this.found = undefined;
      throw error;
    });
    return this.found;
  }

  /** Makes the next connection search again, after a failure on the current host. */
  invalidate(): void {
    this.found = undefined;
  }

  /** Throws `read_only_sql_transaction` (25006) when the server is not of the kind that the URL asks for. */
  async requireSessionType(client: pg.Client): Promise<void> {
    const { sessions } = this.address;
    if (sessions === 'any') return;
    const { rows } = await client.query<{ transaction_read_only: 'on' | 'off' }>(IS_READ_ONLY);
    const isReadOnly = rows[0]!.transaction_read_only === 'on';
    if (isReadOnly === (sessions === 'read-only')) return;
    throw withCode('25006', `${client.host}:${client.port} ${isReadOnly ? 'is read-only' : 'accepts writes'}`);
  }

  private async search(): Promise<Host> {
    const { urls } = this.address;
    if (urls.length === 1) return hostOf(this.client(urls[0]));
    const probes = urls.map((url) => this.probe(url));
    try {
      return await Promise.any(probes);
    } catch (error) {
      const reasons = (error as AggregateError).errors.map((reason: Error) => reason.message).join('; ');
      throw withCode('57P03', `none of the ${urls.length} hosts is suitable (${reasons})`);
    }
  }

  private async probe(url: string): Promise<Host> {
    const client = this.client(url);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await this.requireSessionType(client);
      return hostOf(client);
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  private client(connectionString: string): pg.Client {
    const bounds = { connectionTimeoutMillis: SEARCH_MS, query_timeout: SEARCH_MS };
    const { ssl } = this.address;
    return new pg.Client({ connectionString, ...bounds, ...(ssl !== undefined && { ssl }) });
  }
}

const hostOf = ({ host, port }: pg.Client): Host => ({ name: host, port });

const withCode = (code: string, message: string): Error => Object.assign(new Error(message), { code });
