import type { Attempt, Place } from './attempt.js';
import { Connection, type ConnectionHome } from './connection.js';
import type { Endpoint } from './endpoint.js';
import type { GuardedConnector } from './guarded-connector.js';
import type { IdleConnections } from './idle-connections.js';

/**
 * The connections to one origin, bounded, and the line of attempts that wait for one.
 * - While an attempt waits, every connection is taken and their number is at its bound.
 * - The most recently used connection goes first, so that those not needed grow old and close.
 * - It exists as long as it has a connection: with the bound on idle ones that bounds the number of pools.
 */
export class OriginPool implements Place, ConnectionHome {
  readonly stage = 'queued';
  private readonly idle: Connection[] = [];
  private readonly line = new Set<Attempt>();
  private size = 0;

  constructor(
    private readonly endpoint: Endpoint,
    private readonly connector: GuardedConnector,
    private readonly maxConnections: number,
    private readonly allIdle: IdleConnections,
    private readonly emptied: () => void,
  ) {}

  submit(attempt: Attempt): void {
    const connection = this.idle.pop();
    if (connection !== undefined) {
      this.allIdle.remove(connection);
      connection.carry(attempt);
    } else if (this.size < this.maxConnections) {
      this.open(attempt);
    } else {
      this.line.add(attempt);
      attempt.waitIn(this);
    }
  }

  evict(attempt: Attempt): void {
    this.line.delete(attempt);
  }

  freed(connection: Connection): void {
    const next = this.nextInLine();
    if (next !== undefined) return connection.carry(next);
    this.idle.push(connection);
    this.allIdle.add(connection);
  }

  lost(connection: Connection, repeat?: Attempt): void {
    this.size -= 1;
    const index = this.idle.indexOf(connection);
    if (index >= 0) this.idle.splice(index, 1);
    this.allIdle.remove(connection);
    const next = repeat ?? this.nextInLine();
    if (next !== undefined) this.open(next);
    else if (this.size === 0) this.emptied();
  }

  private open(attempt: Attempt): void {
    this.size += 1;
    new Connection(this.endpoint, this.connector, this).carry(attempt);
  }

  private nextInLine(): Attempt | undefined {
    for (const attempt of this.line) {
      this.line.delete(attempt);
      return attempt;
    }
    return undefined;
  }
}
