import type { Receipt } from '../processes/receivers.js';
import type { AttemptRow } from './evidence.js';

/** The time of day of a time in ms since 1970. */
export const clock = (at: number): string => (Number.isFinite(at) ? new Date(at).toISOString().slice(11) : 'never');

/** All attempts and requests of one delivery. */
export const timeline = (id: number, got: readonly Receipt[], made: readonly AttemptRow[]): string =>
  [
    `delivery ${id}`,
    ...got.map(
      ({ arrivedAt, signedAt, answered, endedAt, receiver }) =>
        `receiver ${receiver}: ${clock(arrivedAt)}, signed at second ${signedAt % 60}, answered ${answered} ${clock(endedAt)}`,
    ),
    ...made.map(
      ({ number, started_at, duration_ms, status_code, error }) =>
        `attempt ${number} on record: ${clock(started_at)} + ${duration_ms} ms: ${status_code ?? error}`,
    ),
  ].join('\n');
