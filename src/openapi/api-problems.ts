import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { PROBLEMS, type ProblemCode } from '../shared/problem.js';
import { MAX_FIELD_ERRORS } from '../platform/http/validation/field-errors.js';
import { PROBLEM_MEDIA_TYPE } from '../platform/http/problems/problem-body.js';

const PROBLEM_REF = '#/components/schemas/Problem';
const RETRY_AFTER_REF = '#/components/headers/RetryAfter';

interface ProblemResponse {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content: Record<string, { schema: { $ref: string }; examples: Record<string, { summary: string; value: object }> }>;
}

/** Documents the problems that a route may answer, besides those that every route of its kind may (see `openapi.ts`). */
export const ApiProblems = (...codes: ProblemCode[]): MethodDecorator =>
  applyDecorators(...[...byStatus(codes)].map(([status, group]) => ApiResponse({ status, ...problemResponse(group) })));

export function byStatus(codes: Iterable<ProblemCode>): Map<number, ProblemCode[]> {
  const groups = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const { status } = PROBLEMS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

/** An OpenAPI response with an example for each code; all of them have the same status. */
export function problemResponse(codes: ProblemCode[]): ProblemResponse {
  const examples = codes.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleOf(code) }] as const);
  const words = codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`)${ADVICE[code] ?? ''}`);
  return {
    description: words.join('; '),
    ...(codes.some((code) => SAY_WHEN.includes(code)) && { headers: { 'Retry-After': { $ref: RETRY_AFTER_REF } } }),
    content: {
      [PROBLEM_MEDIA_TYPE]: { schema: { $ref: PROBLEM_REF }, examples: Object.fromEntries(examples) },
    },
  };
}

/** Besides those of a status that always says when to try again. */
const SAY_WHEN: readonly ProblemCode[] = ['idempotency_key_in_flight', 'delivery_in_progress'];

/** What to do, where the title does not say it. */
const ADVICE: Partial<Record<ProblemCode, string>> = {
  idempotency_key_in_flight:
    ': send the same request with the same key again after `Retry-After` seconds, until the answer is another one. A key ' +
    'is held for as long as its request works, and when that died for 20 seconds (10 more than `PROVIDER_TIMEOUT_MS`) ' +
    'after its latest call of a provider: go on for a minute, then ask `GET /payments?payment_session_id=`',
};

function exampleOf(code: ProblemCode): object {
  const { status, title } = PROBLEMS[code];
  const errors = FIELD_ERRORS[code];
  return {
    type: `urn:problem:${code}`,
    title,
    status,
    ...(errors && { detail: 'a field is invalid: see errors' }),
    success: false,
    code,
    request_id: '0b5f5c1e-6d5e-4f6e-9d53-0b8a0e0f2a11',
    ...(errors && { errors }),
  };
}

const FIELD_ERRORS: Partial<Record<ProblemCode, { field: string; message: string }[]>> = {
  validation_failed: [{ field: 'shops[0].weight', message: 'must not be less than 1, got 0' }],
  flow_assertion_violated: [
    { field: 'assertions[0]', message: 'must never go to shop 3, but {"amount":100,"currency":"EUR"} can' },
  ],
  malformed_request: [{ field: 'limit', message: 'must not be greater than 100, got 1000' }],
};

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457, extended by `success`, `code`, `request_id` and `errors`. `code` is permanent: decide by it.',
  required: ['type', 'title', 'status', 'success', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', examples: ['urn:problem:shop_not_found'] },
    title: { type: 'string', examples: [PROBLEMS.shop_not_found.title] },
    status: { type: 'integer', examples: [404] },
    detail: { type: 'string', description: 'What was got and what is taken; for a person to read.' },
    instance: { type: 'string', description: 'The path of the request.', examples: ['/shops/7'] },
    success: { type: 'boolean', description: 'Always `false`.' },
    code: { $ref: '#/components/schemas/ProblemCode' },
    request_id: {
      type: 'string',
      description: 'The same as the header `X-Request-Id`; quote it when you ask for help.',
    },
    errors: {
      type: 'array',
      description: 'At most 50.',
      maxItems: MAX_FIELD_ERRORS,
      items: { $ref: '#/components/schemas/FieldError' },
    },
  },
};

/** What is behind every problem: RFC 9457 with our extensions. */
export const PROBLEM_SCHEMAS: Record<string, object> = {
  Problem: PROBLEM_SCHEMA,
  ProblemCode: { type: 'string', enum: Object.keys(PROBLEMS) },
  FieldError: {
    type: 'object',
    required: ['field', 'message'],
    properties: {
      field: { type: 'string', examples: ['shops[0].weight'] },
      message: { type: 'string', examples: ['must not be less than 1, got 0'] },
    },
  },
};
