import { Pool } from 'undici';
import type { Attempt } from './attempt.js';
import { Connection } from './connection.js';
import type { Endpoint } from './endpoint.js';
import type { GuardedConnector } from './guarded-connector.js';

/** Over all posts of this process. Who stays within it never waits; beyond it undici holds a post until a connection is free. */
export const MAX_CONNECTIONS_PER_ORIGIN = 128;

/** undici's pool for one origin, and its connections that are open or in use. It is `emptied` when there are none. */
export class OriginPool {
  private readonly live = new Set<Connection>();
  private readonly pool: Pool;

  constructor(
    endpoint: Endpoint,
    connector: GuardedConnector,
    /** Of all origins. */
    private readonly idle: Set<Connection>,
    private readonly maxIdle: number,
    private readonly emptied: () => void,
  ) {
    this.pool = new Pool(endpoint.origin, {
      connections: MAX_CONNECTIONS_PER_ORIGIN,
      factory: () => Connection.open(endpoint, connector, this),
    });
  }

  dispatch(attempt: Attempt): void {
    this.pool.dispatch(attempt, attempt);
  }

  taken(connection: Connection): void {
    this.live.add(connection);
    this.idle.delete(connection);
  }

  /** It is open and carries nothing. Over all origins the one that has been idle longest makes room. */
  freed(connection: Connection): void {
    this.idle.add(connection);
    if (this.idle.size <= this.maxIdle) return;
    const [oldest] = this.idle;
    oldest?.cut(new Error('too many are idle'));
  }

  /** It is closed and carries nothing. */
  gone(connection: Connection): void {
    this.idle.delete(connection);
    if (this.live.delete(connection) && this.live.size === 0) this.emptied();
  }
}
