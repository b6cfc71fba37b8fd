// The product's API three times in one process: once as it is, and twice without its protection from costly callers.
// All three use the same code, heap and threads, so the difference in CPU time is the cost of the protection. Without
// it there are no limits of connections, headers and body contents, no rate limits, and calculations run at once and in
// one piece. The conversion of a body to a DTO still refuses unknown fields. The product itself cannot be started like
// this.
import 'reflect-metadata';
import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ApiModule } from '../../src/bootstrap/api.module.js';
import { DOCUMENT_PARTS } from '../../src/bootstrap/document.js';
import { startApplication } from '../../src/bootstrap/start-application.js';
import { type Config, loadConfig } from '../../src/platform/config/config.js';
import { CpuScheduler } from '../../src/platform/cpu-scheduler/cpu-scheduler.service.js';
import type { Steps } from '../../src/platform/cpu-scheduler/time-slicer.js';
import type { WorkOwner } from '../../src/platform/cpu-scheduler/work-owner.js';
import { Drain } from '../../src/platform/http/drain.js';
import { setCommonHeaders } from '../../src/platform/http/http-server.js';
import { serveOpenApi } from '../../src/openapi/openapi.js';
import { answerUnmatchedRoutes } from '../../src/platform/http/problems/unmatched-route.js';
import { ProblemFilter } from '../../src/platform/http/problems/problem.filter.js';
import { recordRequests, requestIdOf } from '../../src/platform/http/request-log.js';
import { ValidationPipe } from '../../src/platform/http/validation/validation.pipe.js';
import { createLogger } from '../../src/platform/observability/logger.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { NestLogger } from '../../src/platform/observability/nest-logger.js';
import { serve } from '../support/remote.js';
import { answerOnStream } from '../support/stream-requests.js';

type Name = 'product' | 'bare' | 'again';
const servers = new Map<Name, Server>();

/** Starts them one after the other, in this order. Returns their origins. */
async function start(env: Record<string, string>, order: readonly Name[]): Promise<Record<Name, string>> {
  const config = loadConfig(env);
  const unlimited = loadConfig({ ...env, RATE_LIMIT_PER_SECOND: '0' });
  const logger = createLogger(config.logLevel);
  const origins = new Map<Name, string>();
  for (const name of order) {
    const isProduct = name === 'product';
    const app = isProduct
      ? (await startApplication('api', config, config.databaseUrl!, logger)).app
      : await unprotected(unlimited, logger);
    servers.set(name, app.getHttpServer());
    origins.set(name, await app.getUrl());
  }
  return Object.fromEntries(origins) as Record<Name, string>;
}

async function unprotected(config: Config, logger: Logger): Promise<NestFastifyApplication> {
  const filter = new ProblemFilter(logger);
  const adapter = new FastifyAdapter({
    genReqId: requestIdOf,
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      filter.answer(error, request, reply),
  });
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.forRoot(config, config.databaseUrl!),
    adapter,
    { logger: new NestLogger(logger), abortOnError: false, bodyParser: false },
  );
  const fastify = app.getHttpAdapter().getInstance();
  setCommonHeaders(fastify, () => undefined);
  recordRequests(fastify, logger, app.get(Metrics), () => undefined);
  answerUnmatchedRoutes(fastify);
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (_request, text, done) =>
    done(null, JSON.parse(text)),
  );
  app.useGlobalPipes(new ValidationPipe());
  app.useGlobalFilters(filter);
  runWithoutPauses(app.get(CpuScheduler));
  app.get(Metrics).setProcess('api');
  app.get(Drain).attach();
  serveOpenApi(app, DOCUMENT_PARTS);
  await app.listen({ port: 0, host: config.host });
  return app;
}

function runWithoutPauses(work: CpuScheduler): void {
  const run = <T>(_owner: WorkOwner, steps: Steps<T>): Promise<T> => {
    let step = steps.next();
    while (!step.done) step = steps.next();
    return Promise.resolve(step.value);
  };
  Object.assign(work, { run, turn: () => Promise.resolve(), noteRequest: () => undefined });
}

/** User and system time of this process. */
function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** CPU µs per request for `count` equal requests without a body, one after the other. */
async function cpuOnStream(name: Name, path: string, headers: Record<string, string>, count: number): Promise<number> {
  const before = cpuMicroseconds();
  await answerOnStream(servers.get(name)!, path, headers, count);
  return (cpuMicroseconds() - before) / count;
}

const methods = { start, cpuMicroseconds, cpuOnStream };
export type ProtectedApiMethods = typeof methods;

serve(methods);
