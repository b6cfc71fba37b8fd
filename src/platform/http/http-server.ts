import type { IncomingMessage } from 'node:http';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Problem } from '../../shared/problem.js';
import { Metrics } from '../observability/metrics.js';
import { NestLogger } from '../observability/nest-logger.js';
import { tracing } from '../tracing/tracing.js';
import { BODY_LIMIT, registerBodyParsers } from './body/body-parsers.js';
import { answerClientError } from './problems/client-error.js';
import { isTrustedProxy } from './client-address.js';
import { ConnectionBounds } from './connection-bounds.js';
import { takeForwarded } from './forwarded-header.js';
import { ProblemFilter } from './problems/problem.filter.js';
import { recordRequests, requestIdOf } from './request-log.js';
import { traceRequests } from './request-traces.js';
import { guardRoutes } from './route-tokens.js';
import { limitProblem, type HttpOptions, type ServerLimits, serverLimits } from './server-limits.js';
import { answerUnmatchedRoutes } from './problems/unmatched-route.js';

const MAX_PATH_PARAMETER_LENGTH = 500;

/**
 * Creates the application for `root`, with the parts that all processes share: limits, problems, request ids, one log
 * line per request. `root` must contain the `ObservabilityModule`. The result is not initialised and does not listen
 * yet.
 */
export async function createHttpServer(
  root: DynamicModule | Type,
  logger: Logger,
  options: HttpOptions = {},
): Promise<NestFastifyApplication> {
  const filter = new ProblemFilter(logger);
  const limits = serverLimits(options);
  const app = await NestFactory.create<NestFastifyApplication>(root, fastifyAdapter(filter, limits, options), {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  const bounds = new ConnectionBounds(limits, logger, options.trustedProxies);
  bounds.attach(fastify.server);
  setCommonHeaders(fastify, (request) => {
    bounds.begin(request.socket);
    if (options.proxyHeader === 'forwarded') takeForwarded(request.headers);
    return limitProblem(request, limits);
  });
  // before the request log, whose lines then contain the trace ids
  if (tracing.isOn) traceRequests(fastify, tracing);
  recordRequests(fastify, logger, app.get(Metrics), ({ socket }) => bounds.end(socket));
  options.management?.attach(fastify, limits, logger);
  if (options.tokens) guardRoutes(fastify, options.tokens);
  answerUnmatchedRoutes(fastify);
  registerBodyParsers(fastify);
  app.useGlobalFilters(filter);
  return app;
}

function fastifyAdapter(filter: ProblemFilter, limits: ServerLimits, { trustedProxies }: HttpOptions): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    http: {
      maxHeaderSize: limits.maxHeaderSize,
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      connectionsCheckingInterval: limits.checkInterval,
    },
    ...(trustedProxies && { trustProxy: isTrustedProxy(trustedProxies) }),
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_LENGTH },
    genReqId: requestIdOf,
    // while it closes, a request on an open connection is still served, and the connection is closed afterwards
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // requests that the router itself refuses never reach Nest
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      filter.answer(error, request, reply),
  });
}

type Fastify = ReturnType<ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']>;

/**
 * Every response has the request's id. No cache may store it, and a browser may not execute anything in it, unless its
 * route says otherwise. If `refusalOf` returns a problem, the request ends with it; it is called in the same hook
 * because a further hook costs more than its work.
 */
export function setCommonHeaders(fastify: Fastify, refusalOf: (request: IncomingMessage) => Problem | undefined): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('x-content-type-options', 'nosniff');
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    done(refusalOf(request.raw));
  });
}
