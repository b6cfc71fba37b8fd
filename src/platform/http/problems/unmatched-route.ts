import type { FastifyInstance, HTTPMethods } from 'fastify';
import { Problem } from '../../../shared/problem.js';

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers a request without a route before its body is read: 405 with `Allow` if the path exists with another method,
 * otherwise 404. `OPTIONS` is answered with only `Allow`. A path that is itself a route, such as `/flows/simulate`,
 * does not match `/flows/:id` with the methods that it lacks. Call before routes are added.
 */
export function answerUnmatchedRoutes(fastify: FastifyInstance): void {
  const fixed = fixedPaths(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    const path = request.url.split('?', 1)[0]!;
    const methods = fixed.get(path);
    const isAnothers = methods !== undefined && !methods.has(request.method) && request.routeOptions.url !== path;
    if (!request.is404 && !isAnothers) return done();
    const allowed = METHODS.filter((method) =>
      methods ? methods.has(method) : fastify.findRoute({ method, url: path }) !== null,
    );
    if (allowed.length === 0) return done(new Problem('route_not_found'));
    const allow = [...allowed, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send();
    const detail = `got ${request.method}, allowed are ${allow}`;
    return done(new Problem('method_not_allowed', { detail, headers: { allow } }));
  });
}

/** The methods of every path without a parameter; filled while routes are added. */
function fixedPaths(fastify: FastifyInstance): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>();
  fastify.addHook('onRoute', ({ url, method }) => {
    if (/[:*]/.test(url)) return;
    const methods = paths.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    paths.set(url, methods);
  });
  return paths;
}
