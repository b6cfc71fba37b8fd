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
 * Makes the application around `root`, with what the routes of every process share: limits, problems, request ids, one
 * log line per request. `root` must contain the `ObservabilityModule`. Neither initialised nor listening yet.
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
  // around the line of log, which then has its ids
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
    // while it closes, what still comes in on an open connection is served, and the connection closed after it
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    // what the router itself refuses never reaches Nest
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      filter.answer(error, request, reply),
  });
}

type Fastify = ReturnType<ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']>;

/**
 * Every answer carries the request's id; none may be stored by a cache, or do anything in a browser, unless its route
 * says otherwise. In the same hook, as one costs more than what is done in it, what `refusalOf` tells ends the request.
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
