import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { SESSION_SETUP } from './session-settings.js';

/** What the listener of a connection's own errors would do: the loss itself shows in the next statement. */
const ignore = (): void => undefined;

/**
 * Why not pg's `query_timeout`: the connection goes to its next owner while it waits for the old answer.
 *
 * Lets the process and its requests outlive connections that are lost, whether they say so or not. Whoever uses the pool
 * is served, TypeORM as well.
 * - A loss is told by an event, which ends the process when nobody listens. The pool listens while the connection is
 *   idle, and a statement while it runs; but nobody does between two statements of a transaction, nor from the moment
 *   when the pool hands a connection on until its next owner's turn.
 * - A network that swallows what is said tells nothing: in use, and silent for `silenceMs`, a connection is cut. Its
 *   statement fails with `Query read timeout`, pg's own words, and the pool opens another.
 * - A server that has become a standby, or is going down, may keep the connection open: it is ended with the statement.
 */
export function watchConnections(pool: Pool, silenceMs: number): void {
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
    socket.setTimeout(silenceMs);
  });
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

/** In a process that stood still itself the timer goes off before what has arrived meanwhile is read. */
function destroyIfSilent(socket: Socket): void {
  const heard = socket.bytesRead;
  setImmediate(() => {
    if (socket.bytesRead === heard) socket.destroy(new Error('Query read timeout'));
  });
}

/** A server that takes no writes any more, or is shutting down, has crashed or does not take connections yet. */
const RETIRING_CODES = /^(25006|57P0[1-3])$/;

/** The pool drops it when it is given back; a ROLLBACK that comes first fails, which tells its owner the same. */
function retireConnection(client: PoolClient): void {
  void client.end().catch(ignore);
}

interface PgConnection extends EventEmitter<{ errorMessage: [{ code?: string }] }> {
  /** After TLS where there is any. */
  stream: Socket;
}

/** pg's own. */
const connectionOf = (client: PoolClient): PgConnection =>
  (client as unknown as { connection: PgConnection }).connection;

const socketOf = (client: PoolClient): Socket => connectionOf(client).stream;

/** Plans, and what statements mean. */
export async function configureSession(client: ClientBase): Promise<void> {
  await client.query(SESSION_SETUP);
}
