import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { SESSION_SETUP } from './session-settings.js';

/** Does nothing: the next statement reports the lost connection. */
const ignore = (): void => undefined;

/**
 * Lets the process and its requests survive lost connections, reported or not. It covers every user of the pool,
 * TypeORM included.
 * - A lost connection emits an `error` event, which ends the process when nothing listens. The pool listens while the
 *   connection is idle, and a statement while it runs. Nothing listens between two statements of a transaction, or
 *   while the pool hands the connection to its next user.
 * - A network that drops all packets reports nothing. A connection that is in use and receives nothing for
 *   `readTimeoutMs` is closed. Its statement fails with `Query read timeout`, pg's own message, and the pool opens
 *   another connection.
 * - A server that has become a standby, or is shutting down, may keep the connection open. It is closed with the
 *   statement.
 *
 * Why not pg's `query_timeout`: the connection would go to its next user while it still waits for the old result.
 */
export function watchConnections(pool: Pool, readTimeoutMs: number): void {
  const guarded = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    const socket = socketOf(client);
    if (!guarded.has(client)) {
      guarded.add(client);
      client.on('error', ignore);
      connectionOf(client).on(
        'errorMessage',
        ({ code }) => code !== undefined && RETIRING_CODES.test(code) && retireConnection(client),
      );
      socket.on('timeout', () => destroyIfSilent(socket));
    }
    socket.setTimeout(readTimeoutMs);
  });
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

/**
 * Closes the connection if nothing has arrived. When the process itself was blocked, the timer fires before the data
 * that arrived meanwhile is read.
 */
function destroyIfSilent(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.bytesRead === bytesRead) socket.destroy(new Error('Query read timeout'));
  });
}

/**
 * SQLSTATEs of a server that no longer accepts writes, is shutting down, has crashed or does not accept connections
 * yet.
 */
const RETIRING_CODES = /^(25006|57P0[1-3])$/;

/**
 * Ends the connection; the pool drops it on release. A ROLLBACK before that fails, so its user gets the error as well.
 */
function retireConnection(client: PoolClient): void {
  void client.end().catch(ignore);
}

interface PgConnection extends EventEmitter<{ errorMessage: [{ code?: string }] }> {
  /** The TLS stream, if TLS is on. */
  stream: Socket;
}

/** pg's internal connection. */
const connectionOf = (client: PoolClient): PgConnection =>
  (client as unknown as { connection: PgConnection }).connection;

const socketOf = (client: PoolClient): Socket => connectionOf(client).stream;

/** Applies the planner settings and the settings that change the meaning of statements. */
export async function configureSession(client: ClientBase): Promise<void> {
  await client.query(SESSION_SETUP);
}
