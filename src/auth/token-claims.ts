import { hash } from 'node:crypto';
import { Problem } from '../shared/problem.js';
import { CHALLENGE, type Principal } from '../access/access.js';
import { sortScopes, splitScopes } from '../access/scopes.js';
import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';

/** Who we are in the `iss` and `aud` of the tokens we sign. */
export const TOKEN_ISSUER = 'payment-orchestrator';
export const TOKEN_LIFETIME_SECONDS = 3600;

/** A person who works on is not signed out in the middle of it, but once in a working day. */
const LONGEST_SESSION_MS = 12 * 3_600_000;
/** Clocks of machines differ a little. */
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_SUBJECT_LENGTH = 255;

/** A token whose signature, issuer, audience and time are right. */
export interface VerifiedToken {
  principal: Principal;
  expiresAt: Date;
  /** We signed it, so that its client may since have been revoked. */
  isOurs: boolean;
  /** The person's session in the console that it is of, which may since have ended. */
  session?: PersonSession;
}

export type Claims = Record<string, unknown>;

/** Of a person in the console: tokens that follow one another, none of which lives longer than it. */
export interface PersonSession {
  id: string;
  startedAt: Date;
  /** Of the secret that it began with (`secretTagOf`); `undefined`: an older version began it. */
  secretTag: string | undefined;
}

/** Tells a client's secrets apart. It says nothing of the secret: the stored hash has a salt that nobody else knows. */
export const secretTagOf = (secretHash: string): string => hash('sha256', secretHash, 'base64url').slice(0, 22);

export const endOfSession = ({ startedAt }: PersonSession): Date => new Date(startedAt.getTime() + LONGEST_SESSION_MS);

export const sessionClaims = ({ id, startedAt, secretTag }: PersonSession): Claims => ({
  sid: id,
  auth_time: Math.floor(startedAt.getTime() / 1_000),
  secret_tag: secretTag,
});

/** Of the claims of a token of ours; `null` for a program's. */
export function readSession({ sid, auth_time: startedSeconds, secret_tag: tag }: Claims): PersonSession | null {
  if (typeof sid !== 'string' || typeof startedSeconds !== 'number') return null;
  return { id: sid, startedAt: new Date(startedSeconds * 1_000), secretTag: typeof tag === 'string' ? tag : undefined };
}

/** The `unauthorized` problem (RFC 6750 §3.1) for a token that is not accepted. */
export const invalidToken = (reason: string): Problem =>
  new Problem('unauthorized', {
    detail: reason,
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token", error_description="${reason}"` },
  });

export const missingToken = (): Problem =>
  new Problem('unauthorized', {
    detail: 'send a token from POST /auth/token as Authorization: Bearer <access token>',
    headers: { 'www-authenticate': CHALLENGE },
  });

/**
 * Reads the claims of a token whose signature, issuer and audience were checked, and judges its times with our own
 * clock; `exp` is required. Throws `unauthorized`. The merchant's existence is not checked here.
 */
export function readClaims(claims: Claims, isOurs: boolean, now: Date): VerifiedToken {
  const seconds = now.getTime() / 1000;
  const { exp, nbf, merchant_id: merchantId } = claims;
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw invalidToken('the token has no expiry');
  if (seconds >= exp + CLOCK_TOLERANCE_SECONDS) throw invalidToken('the token has expired');
  if (nbf !== undefined && !(typeof nbf === 'number' && seconds >= nbf - CLOCK_TOLERANCE_SECONDS)) {
    throw invalidToken('the token is not valid yet');
  }
  if (typeof merchantId !== 'number' || !Number.isSafeInteger(merchantId) || merchantId < 1) {
    throw invalidToken('the token names no merchant');
  }
  const scopes = sortScopes(scopeNames(claims)).known;
  const session = isOurs ? readSession(claims) : null;
  return {
    principal: { merchantId, clientId: clientIdOf(claims, merchantId, isOurs), scopes },
    expiresAt: new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1000),
    isOurs,
    ...(session && { session }),
  };
}

/** `scope` as RFC 9068 has it, or `scp` as some identity providers do, each as a list or as a text with spaces. */
function scopeNames({ scope, scp }: Claims): string[] {
  const value = scope ?? scp;
  if (typeof value === 'string') return splitScopes(value);
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/**
 * Idempotency keys belong to a client id, so that of an outside issuer's subject is made unlike any of our own and
 * unlike the same subject's for another merchant.
 */
function clientIdOf({ sub }: Claims, merchantId: number, isOurs: boolean): string {
  if (typeof sub !== 'string' || !isStorable(sub)) throw invalidToken('the token has no usable subject');
  return isOurs ? sub : `external:${merchantId}:${sub}`;
}

/** PostgreSQL takes neither NUL nor lone surrogates. */
const isStorable = (text: string): boolean =>
  text.length >= 1 && text.length <= MAX_SUBJECT_LENGTH && text.isWellFormed() && !text.includes('\0');

/**
 * The header of a token, whose signature is not checked. Throws for what is no token, and for one with a `crit` member: it
 * names extensions that must be understood (RFC 7515 §4.1.11), and we know none. jsonwebtoken looks over it.
 */
export function tokenHeader(token: string): ProtectedHeaderParameters {
  const header = decodeProtectedHeader(token);
  if (header.crit !== undefined) throw new Error('the token has critical extensions');
  return header;
}
