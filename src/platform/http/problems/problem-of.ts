import { HttpException } from '@nestjs/common';
import { Problem, type ProblemCode } from '../../../shared/problem.js';
import { isDependencyFailure } from './dependency-failure.js';

const RETRY_AFTER_SECONDS = '2';

/** Problems for Fastify's and Node's own errors, by their `code`. */
const BY_FRAMEWORK_CODE: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const BY_STATUS: Record<number, ProblemCode> = {
  401: 'unauthorized',
  403: 'insufficient_scope',
  404: 'route_not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  422: 'validation_failed',
  429: 'too_many_requests',
  431: 'headers_too_large',
  503: 'dependency_unavailable',
};

/** The problem for any thrown `error`. An unknown error becomes an `internal_error` without details. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const problem = frameworkProblem(error);
  if (problem) return problem;
  return isDependencyFailure(error) ? unavailable(error) : new Problem('internal_error', { cause: error });
}

function frameworkProblem(error: unknown): Problem | undefined {
  const code = frameworkCode(error) ?? frameworkCode((error as { cause?: unknown } | undefined)?.cause);
  const status = error instanceof HttpException ? error.getStatus() : plainStatus(error);
  const byCode = code === undefined ? undefined : BY_FRAMEWORK_CODE[code];
  if (byCode) return new Problem(byCode, { cause: error });
  if (status === undefined || (status >= 500 && status !== 503)) return undefined;
  const problemCode = BY_STATUS[status] ?? 'malformed_request';
  return problemCode === 'dependency_unavailable' ? unavailable(error) : new Problem(problemCode, { cause: error });
}

function frameworkCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** Fastify sets 400 on the socket's error when the caller disconnects during a body. */
function plainStatus(error: unknown): number | undefined {
  const status = (error as { statusCode?: unknown } | null | undefined)?.statusCode;
  return typeof status === 'number' && status >= 400 ? status : undefined;
}

const unavailable = (cause: unknown): Problem =>
  new Problem('dependency_unavailable', { cause, headers: { 'retry-after': RETRY_AFTER_SECONDS } });
