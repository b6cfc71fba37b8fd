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

/** Documents the problems of a route, in addition to those of every route of its kind (see `openapi.ts`). */
export const ApiProblems = (...codes: ProblemCode[]): MethodDecorator =>
  applyDecorators(
    ...[...byStatus(codes.flatMap(withArchived))].map(([status, group]) =>
      ApiResponse({ status, ...problemResponse(group) }),
    ),
  );

/** A payment that was archived is not there either. */
const withArchived = (code: ProblemCode): ProblemCode[] =>
  code === 'payment_not_found' ? [code, 'payment_archived'] : [code];

export function byStatus(codes: Iterable<ProblemCode>): Map<number, ProblemCode[]> {
  const groups = new Map<number, ProblemCode[]>();
  for (const code of new Set(codes)) {
    const { status } = PROBLEMS[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

/** An OpenAPI response with an example for each code; all codes have the same status. */
export function problemResponse(codes: ProblemCode[]): ProblemResponse {
  const examples = codes.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleOf(code) }] as const);
  const descriptions = codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`)${ADVICE[code] ?? ''}`);
  return {
    description: descriptions.join('; '),
    ...(codes.some((code) => WITH_RETRY_AFTER.includes(code)) && {
      headers: { 'Retry-After': { $ref: RETRY_AFTER_REF } },
    }),
    content: {
      [PROBLEM_MEDIA_TYPE]: { schema: { $ref: PROBLEM_REF }, examples: Object.fromEntries(examples) },
    },
  };
}

/** Codes with `Retry-After`, in addition to statuses that always have it. */
const WITH_RETRY_AFTER: readonly ProblemCode[] = ['idempotency_key_in_flight', 'delivery_in_progress'];

/** Advice for problems whose title does not contain it. */
const ADVICE: Partial<Record<ProblemCode, string>> = {
  idempotency_key_in_flight:
    ': send the same request with the same key again after `Retry-After` seconds, until the answer is ' +
    'different. A key is held while its request is processed. If the process dies, the key is held for 20 ' +
    'seconds (10 more than `PROVIDER_TIMEOUT_MS`) after the latest call of a provider: retry for a minute, then ' +
    'query `GET /payments?payment_session_id=`',
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
  description:
    'RFC 9457, extended by `success`, `code`, `request_id` and `errors`. `code` is permanent: programs should use it.',
  required: ['type', 'title', 'status', 'success', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', examples: ['urn:problem:shop_not_found'] },
    title: { type: 'string', examples: [PROBLEMS.shop_not_found.title] },
    status: { type: 'integer', examples: [404] },
    detail: { type: 'string', description: 'What was received and what is allowed, for people.' },
    instance: { type: 'string', description: 'The path of the request.', examples: ['/shops/7'] },
    success: { type: 'boolean', description: 'Always `false`.' },
    code: { $ref: '#/components/schemas/ProblemCode' },
    request_id: {
      type: 'string',
      description: 'The same as the header `X-Request-Id`; include it in support requests.',
    },
    errors: {
      type: 'array',
      description: 'At most 50.',
      maxItems: MAX_FIELD_ERRORS,
      items: { $ref: '#/components/schemas/FieldError' },
    },
  },
};

/** The schemas of problems: RFC 9457 with extensions. */
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
