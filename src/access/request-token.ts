import { hash, timingSafeEqual } from 'node:crypto';
import { ExtractJwt } from 'passport-jwt';
import { Problem } from '../shared/problem.js';

/** Of the console: holds an access token, which no script of the page can read. */
export const SESSION_COOKIE = 'payments_session';
const CSRF_HEADER = 'x-csrf-token';

interface Request {
  method: string;
  headers: Record<string, string | string[] | undefined>;
}

const ofHeader = ExtractJwt.fromAuthHeaderAsBearerToken() as unknown as (request: Request) => string | null;
const COOKIE = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([\\w.~-]+)`);
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The access token of a request: that of its `Authorization` header, or without such a header that of the console's
 * session. `null` without either. A session's request that writes must carry the session's CSRF token; throws
 * `csrf_token_invalid` otherwise.
 */
export function requestToken(request: Request): string | null {
  const { method, headers } = request;
  if (headers.authorization !== undefined) return ofHeader(request);
  const token = sessionToken(request);
  if (token !== null && !READING.has(method)) requireCsrfToken(token, headers[CSRF_HEADER]);
  return token;
}

/** The token of the console's session alone, whatever the request is for. */
export function sessionToken({ headers: { cookie } }: Pick<Request, 'headers'>): string | null {
  return cookie === undefined ? null : (COOKIE.exec(String(cookie))?.[1] ?? null);
}

/** What a page of ours learns of its session, and a page of somebody else cannot: no other origin reads our answers. */
export const csrfTokenOf = (sessionToken: string): string => hash('sha256', `csrf:${sessionToken}`, 'base64url');

function requireCsrfToken(sessionToken: string, got: string | string[] | undefined): void {
  const wanted = Buffer.from(csrfTokenOf(sessionToken));
  const given = Buffer.from(typeof got === 'string' ? got : '');
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new Problem('csrf_token_invalid', { detail: `send the session's csrf_token as ${CSRF_HEADER}` });
}
