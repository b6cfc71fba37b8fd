import type { OpenAPIObject } from '@nestjs/swagger';
import type { ProblemCode } from '../../shared/problem.js';
import { PROBLEM_SCHEMA, problemResponses } from './api-problems.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Responses = Record<
  string,
  { content?: Record<string, { examples?: object }>; headers?: object; description: string }
>;

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
  document.components ??= {};
  document.components.schemas = { Problem: PROBLEM_SCHEMA as object, ...document.components.schemas };
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation) describe(operation, PROBES.test(path) ? [] : commonProblems(operation));
    }
  }
}

function commonProblems(operation: Operation): ProblemCode[] {
  const isSecured = (operation.security ?? []).some((requirement) => 'bearer' in requirement);
  const takesParameters = (operation.parameters ?? []).some(
    (parameter) => 'in' in parameter && (parameter.in === 'path' || parameter.in === 'query'),
  );
  return [
    ...(isSecured ? (['unauthorized', 'insufficient_scope'] as const) : []),
    ...(takesParameters ? (['malformed_request'] as const) : []),
    ...(operation.requestBody ? (['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    'too_many_requests',
    'internal_error',
    'dependency_unavailable',
  ];
}

function describe(operation: Operation, common: ProblemCode[]): void {
  const responses = operation.responses as Responses;
  for (const [status, response] of problemResponses(common)) {
    const own = responses[status];
    responses[status] = own ? merged(own, response) : response;
  }
  for (const response of Object.values(responses)) response.headers = { ...REQUEST_ID_HEADER, ...response.headers };
}

/** The route's own words win; examples of both are kept. */
function merged(own: Responses[string], common: Responses[string]): Responses[string] {
  const content = { ...common.content, ...own.content };
  for (const [mediaType, { examples }] of Object.entries(common.content ?? {})) {
    content[mediaType] = { ...content[mediaType], examples: { ...examples, ...own.content?.[mediaType]?.examples } };
  }
  const description = own.description.includes(common.description)
    ? own.description
    : [own.description, common.description].filter(Boolean).join('; ');
  return { ...own, description, content };
}
