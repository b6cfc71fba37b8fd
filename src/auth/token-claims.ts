import { hash } from 'node:crypto';
import { Problem } from '../shared/problem.js';
import { CHALLENGE, type Principal } from '../access/access.js';
import { type Scope, sortScopes, splitScopes } from '../access/scopes.js';
import { decodeProtectedHeader, type ProtectedHeaderParameters } from 'jose';

/** The `iss` and `aud` of the tokens that this service signs. */
export const TOKEN_ISSUER = 'payment-orchestrator';
export const TOKEN_LIFETIME_SECONDS = 3600;

/**
 * The maximum session of a person: long enough for a working day, so that no one is signed out in the middle of work.
 */
const LONGEST_SESSION_MS = 12 * 3_600_000;
/** Tolerates small differences of clocks. */
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_SUBJECT_LENGTH = 255;

/** A token with valid signature, issuer, audience and time. */
export interface VerifiedToken {
  principal: Principal;
  expiresAt: Date;
  /** Whether this service signed it: then its client may have been revoked since. */
  isOurs: boolean;
  /** The console session of the token, which may have ended since. */
  session?: PersonSession;
}

export type Claims = Record<string, unknown>;

/** A session of a person in the console: consecutive tokens, none of which outlives the session. */
export interface PersonSession {
  id: string;
  startedAt: Date;
  /**
   * The tag of the client's secret at the start of the session (`secretTagOf`); `undefined`: an older release began the
   * session.
   */
  secretTag: string | undefined;
}

/**
 * A tag that distinguishes a client's secrets. It reveals nothing about the secret: the stored hash has a secret salt.
 */
export const secretTagOf = (secretHash: string): string => hash('sha256', secretHash, 'base64url').slice(0, 22);

export const endOfSession = ({ startedAt }: PersonSession): Date => new Date(startedAt.getTime() + LONGEST_SESSION_MS);

export const sessionClaims = ({ id, startedAt, secretTag }: PersonSession): Claims => ({
  sid: id,
  auth_time: Math.floor(startedAt.getTime() / 1_000),
  secret_tag: secretTag,
});

/** Reads the session from the claims of a token of this service; `null` for a program's token. */
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
 * Reads the claims of a token with verified signature, issuer and audience, and checks its times with the injected
 * clock; `exp` is required. `scopesByGroups`: scopes in addition to those in the token. Throws `unauthorized`. Does not check whether the merchant exists.
 */
export function readClaims(
  claims: Claims,
  isOurs: boolean,
  now: Date,
  scopesByGroups: readonly Scope[] = [],
): VerifiedToken {
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
  const scopes = sortScopes([...scopeNames(claims), ...scopesByGroups]).known;
  const session = isOurs ? readSession(claims) : null;
  return {
    principal: { merchantId, clientId: clientIdOf(claims, merchantId, isOurs), scopes },
    expiresAt: new Date((exp + CLOCK_TOLERANCE_SECONDS) * 1000),
    isOurs,
    ...(session && { session }),
  };
}

/** `scope` as in RFC 9068, or `scp` as some identity providers send it, each as a list or as text with spaces. */
function scopeNames({ scope, scp }: Claims): string[] {
  const value = scope ?? scp;
  if (typeof value === 'string') return splitScopes(value);
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/**
 * Audit entries and limits name a client by its id. So the id of an external subject differs from all our own ids, and from the
 * same subject's id for another merchant.
 */
function clientIdOf({ sub }: Claims, merchantId: number, isOurs: boolean): string {
  if (typeof sub !== 'string' || !isStorable(sub)) throw invalidToken('the token has no usable subject');
  return isOurs ? sub : `external:${merchantId}:${sub}`;
}

/** PostgreSQL accepts neither NUL nor lone surrogates. */
const isStorable = (text: string): boolean =>
  text.length >= 1 && text.length <= MAX_SUBJECT_LENGTH && text.isWellFormed() && !text.includes('\0');

/**
 * The header of a token, without a check of the signature. Throws for text that is not a token, and for a token with a
 * `crit` member. That member names extensions that must be understood (RFC 7515 §4.1.11), and none is supported.
 * jsonwebtoken ignores it.
 */
export function tokenHeader(token: string): ProtectedHeaderParameters {
  const header = decodeProtectedHeader(token);
  if (header.crit !== undefined) throw new Error('the token has critical extensions');
  return header;
}
