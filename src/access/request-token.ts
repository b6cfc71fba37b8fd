import { hash, timingSafeEqual } from 'node:crypto';
import { ExtractJwt } from 'passport-jwt';
import { Problem } from '../shared/problem.js';

/** The console's session cookie. It contains an access token that scripts of the page cannot read. */
export const SESSION_COOKIE = 'payments_session';
const CSRF_HEADER = 'x-csrf-token';

interface Request {
  method: string;
  headers: Record<string, string | string[] | undefined>;
}

const headerToken = ExtractJwt.fromAuthHeaderAsBearerToken() as unknown as (request: Request) => string | null;
const COOKIE = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([\\w.~-]+)`);
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns the access token of a request: from the `Authorization` header or, without such a header, from the console's
 * session cookie. `null` without both. A writing request with a session must have the session's CSRF token; otherwise
 * it throws `csrf_token_invalid`.
 */
export function requestToken(request: Request): string | null {
  const { method, headers } = request;
  if (headers.authorization !== undefined) return headerToken(request);
  const token = sessionToken(request);
  if (token !== null && !READING.has(method)) requireCsrfToken(token, headers[CSRF_HEADER]);
  return token;
}

/** Returns only the token of the console's session, for any method. */
export function sessionToken({ headers: { cookie } }: Pick<Request, 'headers'>): string | null {
  return cookie === undefined ? null : (COOKIE.exec(String(cookie))?.[1] ?? null);
}

/**
 * The CSRF token of a session. Pages of the console read it from an answer; pages of other origins cannot read answers.
 */
export const csrfTokenOf = (sessionToken: string): string => hash('sha256', `csrf:${sessionToken}`, 'base64url');

function requireCsrfToken(sessionToken: string, got: string | string[] | undefined): void {
  const wanted = Buffer.from(csrfTokenOf(sessionToken));
  const given = Buffer.from(typeof got === 'string' ? got : '');
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new Problem('csrf_token_invalid', { detail: `send the session's csrf_token as ${CSRF_HEADER}` });
}
