import type { ProblemCode } from '../../shared/problem.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request was answered with, when that was a problem; for the log line. */
    problemCode: ProblemCode | undefined;
  }
}
