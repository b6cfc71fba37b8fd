import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/config.js';

type FileSettings = Pick<
  Config,
  'httpMaxConnections' | 'databasePoolSize' | 'databaseReplicaUrl' | 'workerConcurrency'
>;

/**
 * 128 connections to each of two providers, 100 of the management port; the rest is for the queue, look-ups and Node
 * itself.
 */
const FIXED = 512;
/** Idle connections to receivers. */
const IDLE_OUTBOUND = 1_024;

/** File descriptors that the roles of a process use, at most, each with its own server and pools. */
const neededFiles = (roles: readonly ('api' | 'worker')[], settings: FileSettings): number =>
  roles.reduce((sum, role) => sum + NEEDED[role](settings), 0);

const NEEDED = {
  api: ({ httpMaxConnections, databasePoolSize, databaseReplicaUrl }: FileSettings) =>
    httpMaxConnections + databasePoolSize * (databaseReplicaUrl === undefined ? 1 : 2) + FIXED,
  worker: ({ httpMaxConnections, databasePoolSize, workerConcurrency }: FileSettings) =>
    httpMaxConnections + Math.ceil(databasePoolSize / 2) + workerConcurrency + IDLE_OUTBOUND + FIXED,
};

/** Warns about a limit that is too low: a connection without a free descriptor is reset, and Node reports nothing. */
export function warnOfFewFiles(
  roles: readonly ('api' | 'worker')[],
  settings: FileSettings,
  logger: Pick<Logger, 'warn'>,
): void {
  const limit = openFilesLimit();
  const needed = neededFiles(roles, settings);
  if (limit === undefined || limit >= needed) return;
  const lines = { process: roles.join(' and '), limit, needed };
  logger.warn(lines, 'too few file descriptors for the settings: raise the hard limit (ulimit -Hn) or lower them');
}

/**
 * The limit of this process; Node has already raised the soft limit to the hard one. `undefined`: no limit, or not on
 * Linux.
 */
function openFilesLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
