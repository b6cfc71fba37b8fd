import pg from 'pg';
import type { DatabaseAddress } from '../config/database-url.js';

/** Less than a connection may take: the search for the host is part of it. */
const SEARCH_MS = 3_000;

const IS_READ_ONLY = 'SHOW transaction_read_only';

/** A server that is what the URL asks for. */
export interface Host {
  name: string;
  port: number;
}

/**
 * Why not a list of hosts tried in order: a lost host would cost each new connection its time-out.
 *
 * The host of a URL to connect to. With several hosts all are asked at once, and the first that is as wanted is taken. The
 * result holds for all connections until one of them fails.
 */
export class HostSearch {
  private found: Promise<Host> | undefined;

  constructor(private readonly address: DatabaseAddress) {}

  /** Rejects with `cannot_connect_now` (57P03) when there is none within 3 s. */
  current(): Promise<Host> {
    this.found ??= this.search().catch((error: unknown) => {
      this.found = undefined;
      throw error;
    });
    return this.found;
  }

  /** After a failure on the present host: the next connection searches again. */
  invalidate(): void {
    this.found = undefined;
  }

  /** Throws `read_only_sql_transaction` (25006) when the server is not what the URL asks for. */
  async requireSessionType(client: pg.Client): Promise<void> {
    const { sessions } = this.address;
    if (sessions === 'any') return;
    const { rows } = await client.query<{ transaction_read_only: 'on' | 'off' }>(IS_READ_ONLY);
    const isReadOnly = rows[0]!.transaction_read_only === 'on';
    if (isReadOnly === (sessions === 'read-only')) return;
    throw withCode('25006', `${client.host}:${client.port} ${isReadOnly ? 'takes no writes' : 'takes writes'}`);
  }

  private async search(): Promise<Host> {
    const { urls } = this.address;
    if (urls.length === 1) return hostOf(this.client(urls[0]));
    const probes = urls.map((url) => this.probe(url));
    try {
      return await Promise.any(probes);
    } catch (error) {
      const reasons = (error as AggregateError).errors.map((reason: Error) => reason.message).join('; ');
      throw withCode('57P03', `none of the ${urls.length} hosts will do (${reasons})`);
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
