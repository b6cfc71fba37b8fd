import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';

/** What the listener of a connection's own errors would do: the loss itself shows in the next statement. */
const ignore = (): void => undefined;

/**
 * Lets the process and its requests outlive connections that are lost, whether they say so or not. Whoever uses the pool
 * is served, TypeORM as well.
 * - A loss is told by an event, which ends the process when nobody listens. The pool listens while the connection is
 *   idle, and a statement while it runs; but nobody does between two statements of a transaction, nor from the moment
 *   when the pool hands a connection on until its next owner's turn.
 * - A network that swallows what is said tells nothing: in use, and silent for `silenceMs`, a connection is cut. Its
 *   statement fails with `Query read timeout`, pg's own words, and the pool opens another. (pg's `query_timeout` leaves
 *   the connection, waiting for its answer, to the next owner.)
 */
export function guardPool(pool: Pool, silenceMs: number): void {
  const guarded = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    const socket = socketOf(client);
    if (!guarded.has(client)) {
      guarded.add(client);
      client.on('error', ignore);
      socket.on('timeout', () => cutUnlessHeard(socket));
    }
    socket.setTimeout(silenceMs);
  });
  pool.on('release', (_error, client) => socketOf(client).setTimeout(0));
}

/** In a process that stood still itself the timer goes off before what has arrived meanwhile is read. */
function cutUnlessHeard(socket: Socket): void {
  const heard = socket.bytesRead;
  setImmediate(() => {
    if (socket.bytesRead === heard) socket.destroy(new Error('Query read timeout'));
  });
}

/** pg's own, after TLS where there is any. */
const socketOf = (client: PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

const PINS = 'SET enable_seqscan = off; SET enable_bitmapscan = off';

/**
 * Keeps the connections of serving processes to plans that hold whatever the statistics say. A queue is often analysed
 * while it is empty; the planner then reads it from end to end, or gathers all of it into a bitmap, when it is full. All
 * that requests and deliveries read goes by an index; where there is none, PostgreSQL still reads the table.
 * By SET on each new connection: PgBouncer refuses startup options. Where it shares connections between transactions, set
 * the two for the role instead (`ALTER ROLE … SET enable_seqscan = off`). Never `enable_sort`: grouped inserts need it.
 */
export async function pinPlans(client: PoolClient): Promise<void> {
  await client.query(PINS);
}
