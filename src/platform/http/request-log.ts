import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '../observability/metrics.js';
import type { ProblemCode } from '../../shared/problem.js';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';

/** Routes that are asked every few seconds and say nothing about what callers do. */
export const PROBES = /^\/(health\/|metrics$)/;

/** Node takes three dozen methods, of which our routes have these: the others are one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHOD = 'other';
const UNMATCHED = 'unmatched';
const STATUSES = Object.keys(STATUS_CODES);

/** What auth leaves on the request; told by shape, as `platform` knows nothing of `auth`. */
export interface Caller {
  merchantId?: number;
  clientId?: string;
}

/**
 * Why not Fastify's own request log: it writes two lines a request, with the URL and its query.
 *
 * One log line and one observation per request, after its answer was sent; `onAnswered` is called in the same hook. No
 * bodies, headers or query strings.
 */
export function recordRequests(
  fastify: FastifyInstance,
  logger: Logger,
  metrics: Metrics,
  onAnswered: (request: IncomingMessage) => void,
): void {
  const routes = new Set<string>();
  fastify.addHook('onRoute', ({ url }) => void routes.add(url));
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from receiving a request to having sent its answer',
    labels: {
      method: [...METHODS, OTHER_METHOD],
      route: { words: `pattern of a path, or ${UNMATCHED}`, values: () => [...routes, UNMATCHED] },
      status: { words: 'of HTTP', values: () => STATUSES },
    },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  // looking labels up costs more than counting: as many as there are routes and statuses
  const known = new Map<string, ReturnType<typeof durations.labels>>();
  const durationsOf = (method: string, route: string, status: number): ReturnType<typeof durations.labels> => {
    const key = `${method} ${status} ${route}`;
    const labels = { method: METHODS.has(method) ? method : OTHER_METHOD, route, status };
    const found = known.get(key) ?? durations.labels(labels);
    known.set(key, found);
    return found;
  };
  fastify.decorateRequest('problemCode', undefined);
  fastify.decorateRequest('madeIds', undefined);
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url;
    // an unknown path is one label, or a scanner would fill the memory with labels
    durationsOf(request.method, route ?? UNMATCHED, reply.statusCode).observe(reply.elapsedTime / 1_000);
    const level = route !== undefined && PROBES.test(route) ? 'debug' : reply.statusCode >= 500 ? 'warn' : 'info';
    if (logger.isLevelEnabled(level)) logger[level](summaryOf(request, reply, route), 'request');
    onAnswered(request.raw);
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
    ...idsIn(route, request.params as Record<string, string> | undefined),
    ...request.madeIds,
    status: reply.statusCode,
    code: request.problemCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
  };
}

/** What `:id` in a path is called in the log, by the segment before it: `/payments/:id/history` has a `paymentId`. */
const ID_IN_PATH = /\/(\w+)\/:id\b/;
const SANE_PARAMETER = /^[\w-]{1,64}$/;

function idsIn(route: string | undefined, parameters: Record<string, string> = {}): Record<string, string | number> {
  const ids: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(parameters)) {
    const isId = name === 'id' || name.endsWith('Id');
    if (route === undefined || !isId || !SANE_PARAMETER.test(value)) continue;
    ids[name === 'id' ? nameOfId(route) : name] = /^\d{1,15}$/.test(value) ? Number(value) : value;
  }
  return ids;
}

const nameOfId = (route: string): string => {
  const resource = ID_IN_PATH.exec(route)?.[1] ?? '';
  return `${resource.replace(/ies$/, 'y').replace(/s$/, '')}Id`;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request was answered with, when that was a problem; for the log line. */
    problemCode: ProblemCode | undefined;
    /** Ids of what the request has made; for the log line. */
    madeIds: Record<string, number | undefined> | undefined;
  }
}

const SANE_ID = /^[\w.~:+/=@-]{1,128}$/;

/** The caller's `X-Request-Id` when it is a sane token of at most 128 characters, otherwise a new UUID. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}
