import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '../observability/metrics.js';
import type { ProblemCode } from '../../shared/problem.js';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';

/** Routes that are called every few seconds and say nothing about the callers' requests. */
export const PROBES = /^\/(health\/|metrics$)/;

/** Node accepts three dozen methods. Our routes use these; all others share one label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER_METHOD = 'other';
const UNMATCHED = 'unmatched';
const STATUSES = Object.keys(STATUS_CODES);

/** The fields that `auth` adds to the request; declared here because `platform` must not import `auth`. */
export interface Caller {
  merchantId?: number;
  clientId?: string;
}

/**
 * Writes one log line and one observation per request after its response was sent, without bodies, headers or query
 * strings. `onAnswered` is called in the same hook.
 *
 * Why not Fastify's own request log: it writes two lines per request, with the URL and its query.
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
    help: 'Time from receiving a request to having sent its response',
    labels: {
      method: [...METHODS, OTHER_METHOD],
      route: { words: `pattern of a path, or ${UNMATCHED}`, values: () => [...routes, UNMATCHED] },
      status: { words: 'HTTP status codes', values: () => STATUSES },
    },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  // label look-ups cost more than counting; at most one entry per method, route and status
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
    // unknown paths share one label, or a scanner would fill the memory with labels
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

/** The log field of `:id`, named after the path segment before it: `/payments/:id/history` has a `paymentId`. */
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
    /** Code of the problem that the request was answered with, for the log line. */
    problemCode: ProblemCode | undefined;
    /** Ids of the objects that the request has created, for the log line. */
    madeIds: Record<string, number | undefined> | undefined;
  }
}

const SANE_ID = /^[\w.~:+/=@-]{1,128}$/;

/** The caller's `X-Request-Id` when it is a sane token of at most 128 characters, otherwise a new UUID. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
}
