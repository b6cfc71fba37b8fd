import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIE } from '../access/request-token.js';

/** A browser keeps 4,096 bytes of a cookie, name and attributes included. */
export const MAX_TOKEN_LENGTH = 3_800;

/**
 * Keeps an access token where no script can read it and no other site can send it. `Secure` where the request came over
 * https, for which a proxy in front must be trusted (`TRUST_PROXY`).
 */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string, seconds: number): void {
  if (token.length > MAX_TOKEN_LENGTH) throw new Error(`a browser keeps no token of ${token.length} characters`);
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
