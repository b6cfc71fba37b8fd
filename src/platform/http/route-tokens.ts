import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify';
import { Problem } from '../../shared/problem.js';

/** Tokens in front of what is for operators; `undefined`: open. */
export interface RouteTokens {
  metrics: string | undefined;
  docs: string | undefined;
}

/** What each token guards, and how its lack is told: Prometheus sends a bearer token, a browser asks its user. */
const GUARDED = [
  { name: 'metrics', route: /^\/metrics(\/|$)/, challenge: 'Bearer realm="metrics"' },
  { name: 'docs', route: /^\/(docs(\/|$)|openapi\.json$|packages\/)/, challenge: 'Basic realm="docs"' },
] as const;

/**
 * Why not @fastify/bearer-auth: it reads no Basic authentication, which browsers ask their users for.
 *
 * Refuses requests to guarded routes that do not come with the token: as a bearer token, or as the password of Basic
 * authentication, whoever the user is. By the route and not by the path, which can be written in many ways, and at no
 * cost for other routes. Call before there are routes.
 */
export function guardRoutes(fastify: FastifyInstance, tokens: RouteTokens): void {
  for (const { name, route, challenge } of GUARDED) {
    const token = tokens[name];
    if (token === undefined) continue;
    const guard = guardBy(digestOf(token), challenge);
    fastify.addHook('onRoute', (options) => {
      if (route.test(options.url)) options.onRequest = [guard, ...hooksOf(options)];
    });
  }
}

/** Those of one route before it is read. */
export const hooksOf = ({ onRequest = [] }: RouteOptions) => [onRequest].flat();

const guardBy =
  (digest: Buffer, challenge: string) =>
  ({ headers }: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void => {
    const given = tokenOf(headers.authorization ?? '');
    // of equal length, so that the time it takes tells nothing
    if (given !== undefined && timingSafeEqual(digestOf(given), digest)) return done();
    const options = { detail: 'this path takes a token of its own', headers: { 'www-authenticate': challenge } };
    done(new Problem('unauthorized', options));
  };

function tokenOf(authorization: string): string | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value || undefined;
  const credentials = Buffer.from(value, 'base64').toString();
  return credentials.includes(':') ? credentials.slice(credentials.indexOf(':') + 1) : undefined;
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
