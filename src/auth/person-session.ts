import type { Claims } from './token-claims.js';

/** A person who works on is not signed out in the middle of it, but once in a working day. */
const LONGEST_SESSION_MS = 12 * 3_600_000;

/** Of a person in the console: tokens that follow one another, none of which lives longer than it. */
export interface PersonSession {
  id: string;
  startedAt: Date;
}

export const endOfSession = ({ startedAt }: PersonSession): Date => new Date(startedAt.getTime() + LONGEST_SESSION_MS);

export const sessionClaims = ({ id, startedAt }: PersonSession): Claims => ({
  sid: id,
  auth_time: Math.floor(startedAt.getTime() / 1_000),
});

/** Of the claims of a token of ours; `null` for a program's. */
export function readSession({ sid, auth_time: startedSeconds }: Claims): PersonSession | null {
  if (typeof sid !== 'string' || typeof startedSeconds !== 'number') return null;
  return { id: sid, startedAt: new Date(startedSeconds * 1_000) };
}
