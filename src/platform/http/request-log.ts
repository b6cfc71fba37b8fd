import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '../observability/metrics.js';
import type { ProblemCode } from '../../shared/problem.js';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Routes that are asked every few seconds and say nothing about what callers do. */
export const PROBES = /^\/(health\/|metrics$)/;

/** What auth leaves on the request; told by shape, as `platform` knows nothing of `auth`. */
export interface Caller {
  merchantId?: number;
  clientId?: string;
}

/** One log line and one observation per request, after its answer was sent. No bodies, headers or query strings. */
export function recordRequests(fastify: FastifyInstance, logger: Logger, metrics: Metrics): void {
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from receiving a request to having sent its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  // looking labels up costs more than counting: as many as there are routes and statuses
  const known = new Map<string, ReturnType<typeof durations.labels>>();
  const durationsOf = (method: string, route: string, status: number): ReturnType<typeof durations.labels> => {
    const key = `${method} ${status} ${route}`;
    const found = known.get(key) ?? durations.labels({ method, route, status });
    known.set(key, found);
    return found;
  };
  fastify.decorateRequest('problemCode', undefined);
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url;
    // an unknown path is one label, or a scanner would fill the memory with labels
    durationsOf(request.method, route ?? 'unmatched', reply.statusCode).observe(reply.elapsedTime / 1_000);
    const level = route !== undefined && PROBES.test(route) ? 'debug' : reply.statusCode >= 500 ? 'warn' : 'info';
    if (logger.isLevelEnabled(level)) logger[level](summaryOf(request, reply, route), 'request');
    done();
  });
}

function summaryOf(request: FastifyRequest, reply: FastifyReply, route: string | undefined): object {
  const caller = (request as { user?: Caller }).user;
  return {
    requestId: request.id,
    merchantId: caller?.merchantId,
    clientId: caller?.clientId,
    method: request.method,
    ...(route === undefined ? { path: request.url.split('?', 1)[0]!.slice(0, 200) } : { route }),
    status: reply.statusCode,
    code: request.problemCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request was answered with, when that was a problem; for the log line. */
    problemCode: ProblemCode | undefined;
  }
}

const SANE_ID = /^[\w.~:+/=@-]{1,128}$/;

/** The caller's `X-Request-Id` when it is a sane token of at most 128 characters, otherwise a new UUID. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}
