// Every process that uses the embedded server holds a shared advisory lock on one connection for as long as it does: the
// lease. Whoever wants to stop the server needs the lock alone. A lease ends with its process, so none is ever stale.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** Any constant will do. */
const LEASE_LOCK = 7_305_112_022;
const APPLICATION_NAME = 'embedded-postgres lease';
const CLOSING_CONNECTIONS_MS = 1_000;

/** Class 57P: the server starts up or shuts down, or ended our connection. */
export const isServerLeaving = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code?.startsWith('57P') === true;

export class Lease {
  private lost = false;

  private constructor(private readonly client: pg.Client) {
    client.on('error', () => (this.lost = true));
    client.on('end', () => (this.lost = true));
  }

  /** Waits while another process is about to stop the server; rejects when it did. */
  static async take(url: string): Promise<Lease> {
    const lease = new Lease(
      new pg.Client({ connectionString: url, application_name: APPLICATION_NAME, connectionTimeoutMillis: 5_000 }),
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
      // another process was first: duplicate_database, or unique_violation when both were at the very same point
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    });
  }

  /** Gives the lease back. `stop` runs when nobody else holds one and no other client is connected; true then. */
  async release(stop: () => Promise<void>): Promise<boolean> {
    try {
      if (this.lost || !(await this.isLast())) return false;
      await stop();
      return true;
    } catch (error) {
      // the server went away by other hands meanwhile; an open query hears of it before the connection ends
      if (this.lost || isServerLeaving(error)) return false;
      throw error;
    } finally {
      await this.end();
    }
  }

  private async isLast(): Promise<boolean> {
    await this.client.query('SELECT pg_advisory_unlock_shared($1)', [LEASE_LOCK]);
    const { rows } = await this.client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [
      LEASE_LOCK,
    ]);
    return rows[0]?.alone === true && (await this.othersHaveLeft());
  }

  /** The backends of a pool that we closed just now take a moment to end. */
  private async othersHaveLeft(): Promise<boolean> {
    const deadline = Date.now() + CLOSING_CONNECTIONS_MS;
    for (;;) {
      const { rows } = await this.client.query<{ others: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_stat_activity
          WHERE backend_type = 'client backend' AND application_name <> $1) AS others`,
        [APPLICATION_NAME],
      );
      if (rows[0]?.others === false) return true;
      if (Date.now() > deadline) return false;
      await delay(50);
    }
  }

  private async end(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}
