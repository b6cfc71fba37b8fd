import type { OpenAPIObject } from '@nestjs/swagger';
import type { ProblemCode } from '../shared/problem.js';
import { byStatus, PROBLEM_SCHEMAS, problemResponse } from './api-problems.js';
import { PAGINATION_SCHEMAS } from './api-success.js';
import { isSecured, type Operation, operationsOf } from './bodies.js';

interface ResponseObject {
  description: string;
  content?: Record<string, { examples?: object }>;
  headers?: object;
}
type Responses = Record<string, ResponseObject | { $ref: string }>;

/** Probes answer without the envelope, so their paths are excluded. */
const PROBES = /^\/(health|metrics)/;

const REQUEST_ID_HEADER = {
  'X-Request-Id': {
    description: 'The id of this request: the id that the request sent, if it has up to 128 plain characters.',
    schema: { type: 'string' },
  },
};

const COMMON_HEADERS = {
  RetryAfter: { description: 'Seconds to wait before the next try.', schema: { type: 'integer', examples: [1] } },
  WWWAuthenticate: {
    description: 'The missing credentials (RFC 6750): a token, a valid token, or the named scopes.',
    schema: { type: 'string', examples: ['Bearer realm="payment-orchestrator", error="invalid_token"'] },
  },
  RateLimitPolicy: {
    description:
      'The limit of this client: the number of requests, and the seconds until all of them are available again.',
    schema: { type: 'string', examples: ['400;w=2'] },
  },
  RateLimitLimit: {
    description:
      'The number of requests that the client may send at once. Like the related headers, only on answers to a ' +
      'valid token.',
    schema: { type: 'integer', examples: [400] },
  },
  RateLimitRemaining: {
    description: 'The number of requests that are left.',
    schema: { type: 'integer', examples: [399] },
  },
  RateLimitReset: {
    description: 'Seconds until all requests are available again.',
    schema: { type: 'integer', examples: [1] },
  },
} as const;

type CommonHeader = keyof typeof COMMON_HEADERS;

const headerRef = (name: CommonHeader): object => ({ $ref: `#/components/headers/${name}` });

const RATE_LIMIT_HEADERS = {
  'RateLimit-Policy': headerRef('RateLimitPolicy'),
  'RateLimit-Limit': headerRef('RateLimitLimit'),
  'RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'RateLimit-Reset': headerRef('RateLimitReset'),
};

/** Adds the common answers of its kind to every operation, so that no controller has to repeat them. */
export function describeCommonAnswers(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.schemas = { ...PROBLEM_SCHEMAS, ...PAGINATION_SCHEMAS, ...components.schemas };
  const shared: Record<string, ResponseObject> = {};
  for (const { path, method, operation } of operationsOf(document))
    describe(operation, PROBES.test(path) ? [] : commonProblems(operation, method), shared);
  components.responses = shared as typeof components.responses;
  components.headers = { ...COMMON_HEADERS };
}

function commonProblems(operation: Operation, method: string): ProblemCode[] {
  const requiresToken = isSecured(operation);
  const has = (place: string): boolean =>
    (operation.parameters ?? []).some((parameter) => 'in' in parameter && parameter.in === place);
  const hasPath = has('path');
  return [
    ...(hasPath || has('query') ? (['uri_too_long'] as const) : []),
    // for a query longer than the header limit
    ...(has('query') ? (['headers_too_large'] as const) : []),
    ...(requiresToken ? (['unauthorized', 'insufficient_scope'] as const) : []),
    // for an unknown parameter, or a body with invalid HTTP framing
    'malformed_request',
    // the routes without a bearer token have their own rules for bodies
    ...(operation.requestBody && requiresToken ? (['malformed_json', 'validation_failed'] as const) : []),
    // a body is read before the route is known to accept one
    ...(method === 'get' ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    'too_many_requests',
    'internal_error',
    'dependency_unavailable',
  ];
}

/** If a route has no own answer for a status, it refers to a response in `shared`. */
function describe(operation: Operation, common: ProblemCode[], shared: Record<string, ResponseObject>): void {
  const responses = operation.responses as Responses;
  for (const [status, response] of Object.entries(responses)) addHeaders(response, status, isSecured(operation));
  for (const [status, codes] of byStatus(common)) {
    const own = responses[status];
    const response = problemResponse(codes);
    if (own && !('$ref' in own)) responses[status] = merged(own, response);
    else responses[status] = { $ref: `#/components/responses/${share(shared, codes, String(status), response)}` };
  }
}

function share(
  shared: Record<string, ResponseObject>,
  codes: ProblemCode[],
  status: string,
  response: ResponseObject,
): string {
  const name = codes.join('_or_');
  // shared by operations with and without a token: headers are optional
  if (!shared[name]) addHeaders((shared[name] = response), status, true);
  return name;
}

/** A 401 has no known client, so it has no rate-limit headers. */
function addHeaders(response: Responses[string], status: string, requiresToken: boolean): void {
  if ('$ref' in response) return;
  response.headers = {
    ...REQUEST_ID_HEADER,
    ...(requiresToken && status !== '401' && RATE_LIMIT_HEADERS),
    ...((status === '401' || (status === '403' && requiresToken)) && {
      'WWW-Authenticate': headerRef('WWWAuthenticate'),
    }),
    ...((status === '429' || status === '503') && { 'Retry-After': headerRef('RetryAfter') }),
    ...response.headers,
  };
}

/** The route's own description has precedence; the examples of both are kept. */
function merged(own: ResponseObject, common: ResponseObject): ResponseObject {
  const content = { ...common.content, ...own.content };
  for (const [mediaType, { examples }] of Object.entries(common.content ?? {})) {
    content[mediaType] = { ...content[mediaType], examples: { ...examples, ...own.content?.[mediaType]?.examples } };
  }
  const description = own.description.includes(common.description)
    ? own.description
    : [own.description, common.description].filter(Boolean).join('; ');
  return { ...own, description, content };
}
