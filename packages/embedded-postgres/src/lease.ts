// Why not a pid file or a file lock: a pid file outlives kill -9, and Node locks no files. Each process that uses the
// server holds a shared advisory lock on one connection. The process that gets the lock exclusively is the last one.
import pg from 'pg';

/** An arbitrary constant. */
const LEASE_LOCK = 7_305_112_022;

/** Class 57P: the server starts up or shuts down, or has ended the connection. */
export const isServerStopping = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code?.startsWith('57P') === true;

export class Lease {
  private lost = false;

  private constructor(private readonly client: pg.Client) {
    client.on('error', () => (this.lost = true));
    client.on('end', () => (this.lost = true));
  }

  /** Waits while another process checks whether to stop the server; rejects if that process stops it. */
  static async take(url: string): Promise<Lease> {
    const lease = new Lease(
      new pg.Client({
        connectionString: url,
        application_name: 'embedded-postgres lease',
        connectionTimeoutMillis: 5_000,
      }),
    );
    try {
      await lease.client.connect();
      await lease.client.query('SELECT pg_advisory_lock_shared($1)', [LEASE_LOCK]);
      return lease;
    } catch (error) {
      await lease.end();
      throw error;
    }
  }

  async ensureDatabase(name: string): Promise<void> {
    const found = await this.client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount) return;
    await this.client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`).catch((error: pg.DatabaseError) => {
      // another process was first: duplicate_database, or unique_violation when both were concurrent
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    });
  }

  /** Releases the lease. If no other process holds one, runs `stop` and returns true. */
  async release(stop: () => Promise<void>): Promise<boolean> {
    try {
      if (this.lost || !(await this.isLast())) return false;
      await stop();
      return true;
    } catch (error) {
      // another program stopped the server meanwhile
      if (this.lost || isServerStopping(error)) return false;
      throw error;
    } finally {
      await this.end();
    }
  }

  private async isLast(): Promise<boolean> {
    await this.client.query('SELECT pg_advisory_unlock_shared($1)', [LEASE_LOCK]);
    const { rows } = await this.client.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1) AS last', [
      LEASE_LOCK,
    ]);
    return rows[0]?.last === true;
  }

  private async end(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}
