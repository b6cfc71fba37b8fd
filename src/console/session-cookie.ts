import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIE } from '../access/request-token.js';

/** Browsers store at most 4,096 bytes of a cookie, including its name and attributes. */
export const MAX_TOKEN_LENGTH = 3_800;

/**
 * Stores an access token in a cookie that no script can read and no other site can send. `Secure` if the request came
 * over https; behind a proxy this requires `TRUST_PROXY`.
 */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string, seconds: number): void {
  if (token.length > MAX_TOKEN_LENGTH) throw new Error(`a browser stores no token of ${token.length} characters`);
  setCookie(request, reply, token, seconds);
}

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void =>
  setCookie(request, reply, '', 0);

function setCookie({ protocol }: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
  const secure = protocol === 'https' ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${SESSION_COOKIE}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
