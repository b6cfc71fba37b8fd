import type { FastifyInstance, HTTPMethods } from 'fastify';
import { Problem } from '../../shared/problem.js';

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The methods that `path` supports; empty when there is no such path. */
function allowedMethods(fastify: FastifyInstance, path: string): HTTPMethods[] {
  return METHODS.filter((method) => fastify.findRoute({ method, url: path }) !== null);
}

/**
 * Decides what a request without a route gets, before its body is read: 405 with `Allow` where the path exists with
 * another method, 404 otherwise. `OPTIONS` is answered with `Allow` alone.
 */
export function answerUnmatchedRoutes(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = request.url.split('?', 1)[0]!;
    const allowed = allowedMethods(fastify, path);
    if (allowed.length === 0) return done(new Problem('route_not_found'));
    const allow = [...allowed, 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS') return void reply.code(204).header('allow', allow).send();
    const detail = `got ${request.method}, takes ${allow}`;
    return done(new Problem('method_not_allowed', { detail, headers: { allow } }));
  });
}
