import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestSpan, Tracing } from '../tracing/tracing.js';
import { type Caller, PROBES } from './request-log.js';

/**
 * Starts a span per request, from its head to the end of its response, below the caller's `traceparent`. The span is
 * entered again before the handler, because code that reads a body runs in the context of the connection.
 */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  fastify.decorateRequest('span', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && PROBES.test(route)) return done();
    const { method, id: requestId, headers } = request;
    const span = tracing.startRequest({ method, route, requestId, traceparent: headers.traceparent });
    request.span = span;
    // also emitted when the caller disconnects, unlike onResponse
    reply.raw.once('close', () =>
      span.end(reply.raw.writableFinished ? reply.raw.statusCode : undefined, attributesOf(request)),
    );
    span.within(done);
  });
  fastify.addHook('preHandler', (request, _reply, done) => (request.span ? request.span.within(done) : done()));
  fastify.addHook('onResponse', (request, _reply, done) => (request.span ? request.span.within(done) : done()));
}

function attributesOf(request: FastifyRequest) {
  const caller = (request as { user?: Caller }).user;
  return { 'merchant.id': caller?.merchantId, 'problem.code': request.problemCode };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** `undefined`: the request is not traced. */
    span: RequestSpan | undefined;
  }
}
