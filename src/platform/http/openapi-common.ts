import type { OpenAPIObject } from '@nestjs/swagger';
import type { ProblemCode } from '../../shared/problem.js';
import { byStatus, PROBLEM_SCHEMA, problemResponse } from './api-problems.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
interface ResponseObject {
  description: string;
  content?: Record<string, { examples?: object }>;
  headers?: object;
}
type Responses = Record<string, ResponseObject | { $ref: string }>;

/** Probes answer plainly, without the envelope: their paths are spared. */
const PROBES = /^\/(health|metrics)/;

const REQUEST_ID_HEADER = {
  'X-Request-Id': {
    description: 'The id of this request: yours when you sent one of up to 128 plain characters.',
    schema: { type: 'string' },
  },
};

/** Adds to every operation what every route of its kind answers, so that no controller has to repeat it. */
export function describeCommonAnswers(document: OpenAPIObject): void {
  const components = (document.components ??= {});
  components.schemas = { Problem: PROBLEM_SCHEMA as object, ...components.schemas };
  const shared: Record<string, ResponseObject> = {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) describe(operation, PROBES.test(path) ? [] : commonProblems(operation), shared);
    }
  }
  components.responses = shared as typeof components.responses;
}

function commonProblems(operation: Operation): ProblemCode[] {
  const isSecured = (operation.security ?? []).some((requirement) => 'bearer' in requirement);
  const takes = (place: string): boolean =>
    (operation.parameters ?? []).some((parameter) => 'in' in parameter && parameter.in === place);
  const takesPath = takes('path');
  return [
    ...(takesPath ? (['uri_too_long'] as const) : []),
    // the query counts as one of the headers
    ...(takes('query') ? (['headers_too_large'] as const) : []),
    ...(isSecured ? (['unauthorized', 'insufficient_scope'] as const) : []),
    ...(takesPath || takes('query') ? (['malformed_request'] as const) : []),
    // the routes without a bearer token have rules of their own for their bodies
    ...(operation.requestBody && isSecured ? (['malformed_json', 'validation_failed'] as const) : []),
    ...(operation.requestBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    'too_many_requests',
    'internal_error',
    'dependency_unavailable',
  ];
}

/** Where a route says nothing of its own for a status it refers to a response in `shared`. */
function describe(operation: Operation, common: ProblemCode[], shared: Record<string, ResponseObject>): void {
  const responses = operation.responses as Responses;
  for (const response of Object.values(responses)) addRequestId(response);
  for (const [status, codes] of byStatus(common)) {
    const own = responses[status];
    const response = problemResponse(codes);
    if (own && !('$ref' in own)) responses[status] = merged(own, response);
    else responses[status] = { $ref: `#/components/responses/${share(shared, codes, response)}` };
  }
}

function share(shared: Record<string, ResponseObject>, codes: ProblemCode[], response: ResponseObject): string {
  const name = codes.join('_or_');
  if (!shared[name]) addRequestId((shared[name] = response));
  return name;
}

function addRequestId(response: Responses[string]): void {
  if (!('$ref' in response)) response.headers = { ...REQUEST_ID_HEADER, ...response.headers };
}

/** The route's own words win; examples of both are kept. */
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
