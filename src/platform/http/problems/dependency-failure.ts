/** Codes of Node for errors of sockets and name resolution, and for a machine without free sockets. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EADDRNOTAVAIL',
]);

/**
 * SQLSTATEs after which the same request may succeed. https://www.postgresql.org/docs/current/errcodes-appendix.html
 * - 08 connection exceptions, 53 insufficient resources, 57 operator intervention, 58 errors of the server's machine
 * - 28 a login refused while a password is changed, 3D000 a database that is being replaced
 * - 40 a rollback by deadlock or serialization, 55P03 a lock that is not available, 25006 a read-only server
 * - 25P0. a transaction that the server ended because we were silent for too long
 */
const TRANSIENT_SQLSTATE = /^(08...|53...|57...|58...|28...|3D000|40...|55P03|25006|25P0[34])$/;

/** Messages of pg, pg-pool, TypeORM and ioredis that have no code. */
const MESSAGES = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Driver not Connected',
  'Query read timeout',
  'Connection is closed.',
  'Command timed out',
  'connect ETIMEDOUT',
  "Stream isn't writeable and enableOfflineQueue options is false",
  "Cluster isn't ready and enableOfflineQueue options is false",
  'Cluster is ended.',
  'None of startup nodes is available',
]);

/** Beginnings of messages that ioredis continues with the last error, and pg with the reason of a failed login. */
const MESSAGE_STARTS = /^(All sentinels are unreachable|Too many Cluster redirections|SASL: )/;

/** Redis's replies while it cannot serve, or not this client. */
const REDIS_REPLY =
  /^(UNBLOCKED|LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|OOM|MISCONF|NOREPLICAS|NOAUTH|WRONGPASS|NOPERM) /;

const OUTAGE_NAMES = new Set(['MaxRetriesPerRequestError', 'ClusterAllFailedError', 'ConnectionIsNotSetError']);

/** Whether PostgreSQL or Redis cannot serve now, so that the caller should try again, rather than a fault of ours. */
export function isDependencyFailure(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false;
  const { code, name, message, cause, driverError, errors } = error as Record<string, unknown>;
  if (typeof code === 'string' && (NETWORK_CODES.has(code) || TRANSIENT_SQLSTATE.test(code))) return true;
  if (typeof message === 'string' && (MESSAGES.has(message) || MESSAGE_STARTS.test(message))) return true;
  if (typeof name === 'string' && OUTAGE_NAMES.has(name)) return true;
  if (name === 'ReplyError' && REDIS_REPLY.test(String(message))) return true;
  const inner = [cause, driverError, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return inner.some((one) => isDependencyFailure(one, depth + 1));
}
