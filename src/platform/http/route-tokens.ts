import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { Problem } from '../../shared/problem.js';
import { hooksOf } from './body/body-parsers.js';

/** Tokens of routes for operators; `undefined`: open. */
export interface RouteTokens {
  metrics: string | undefined;
  docs: string | undefined;
}

/** The routes of each token, and the challenge without it: Prometheus sends a bearer token, a browser asks its user. */
const GUARDED = [
  { name: 'metrics', route: /^\/metrics(\/|$)/, challenge: 'Bearer realm="metrics"' },
  { name: 'docs', route: /^\/(docs(\/|$)|openapi\.json$|llms\.txt$|packages\/)/, challenge: 'Basic realm="docs"' },
] as const;

/**
 * Refuses requests to guarded routes without their token: a bearer token, or the password of Basic authentication with
 * any user. It checks the route and not the path, which can be written in many ways. Other routes pay nothing for it.
 * Call before routes are added.
 *
 * Why not @fastify/bearer-auth: it does not support Basic authentication, for which browsers ask their users.
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

const guardBy =
  (digest: Buffer, challenge: string) =>
  ({ headers }: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void => {
    const given = tokenOf(headers.authorization ?? '');
    // hashes have equal lengths, so that the duration reveals nothing
    if (given !== undefined && timingSafeEqual(digestOf(given), digest)) return done();
    const options = { detail: 'this path needs its own token', headers: { 'www-authenticate': challenge } };
    done(new Problem('unauthorized', options));
  };

function tokenOf(authorization: string): string | undefined {
  const [, scheme = '', value = ''] = /^(bearer|basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() !== 'basic') return value || undefined;
  const credentials = Buffer.from(value, 'base64').toString();
  return credentials.includes(':') ? credentials.slice(credentials.indexOf(':') + 1) : undefined;
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
