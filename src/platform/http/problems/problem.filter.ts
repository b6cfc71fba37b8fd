import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../../../shared/problem.js';
import { problemBody, problemHeaders, PROBLEM_MEDIA_TYPE } from './problem-body.js';
import { problemOf } from './problem-of.js';

/**
 * Answers every error as `application/problem+json`. Only errors of ours are logged as errors, with their stack. Why
 * not Nest's own filter: its responses do not have the format of RFC 9457.
 */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = explained(problemOf(error), request);
    request.problemCode = problem.code;
    this.log(error, problem.status, request);
    if (reply.sent || reply.raw.headersSent) return;
    void reply
      .code(problem.status)
      .headers(problemHeaders(problem))
      .header('x-request-id', request.id)
      .type(PROBLEM_MEDIA_TYPE)
      // as bytes: Fastify would add a charset to text, which this media type does not have
      .send(Buffer.from(JSON.stringify(problemBody(problem, request.id, pathOf(request)))));
  }

  private log(error: unknown, status: number, request: FastifyRequest): void {
    if (status < 500) return;
    const context = { requestId: request.id, method: request.method, route: request.routeOptions.url, err: error };
    if (status === 503) this.logger.warn(context, 'a dependency is unavailable');
    else this.logger.error(context, 'request failed');
  }
}

/** Adds the received and the allowed size, which the framework's own error does not contain. */
function explained(problem: Problem, { headers, routeOptions }: FastifyRequest): Problem {
  if (problem.code !== 'payload_too_large' || problem.detail !== undefined) return problem;
  const length = headers['content-length'];
  const got = length === undefined ? 'more' : length.slice(0, 20);
  const detail = `the body may have at most ${routeOptions.bodyLimit} bytes, got ${got}`;
  return new Problem('payload_too_large', { detail, cause: problem.cause });
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!;
