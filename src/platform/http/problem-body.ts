import type { FieldError, Problem } from '../../shared/problem.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** RFC 9457, with our extensions `success`, `code`, `request_id` and `errors`. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail?: string;
  instance?: string;
  success: false;
  code: string;
  request_id: string;
  errors?: FieldError[];
}

/** `path` is the request's path without its query, which may hold what must not be repeated. */
export function problemBody(problem: Problem, requestId: string, path?: string): ProblemBody {
  const detail = problem.detail ?? summaryOf(problem.errors);
  return {
    type: `urn:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    ...(detail !== undefined && { detail }),
    ...(path !== undefined && { instance: path }),
    success: false,
    code: problem.code,
    request_id: requestId,
    ...(problem.errors !== undefined && { errors: problem.errors }),
  };
}

/** The challenge that RFC 9110 §11.6.1 asks for with a 401, and whatever the problem brings along. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const challenge = problem.code === 'invalid_signature' ? 'Signature' : 'Bearer';
  return { ...(problem.status === 401 && { 'www-authenticate': challenge }), ...problem.headers };
}

const summaryOf = (errors: FieldError[] | undefined): string | undefined =>
  errors?.length ? errors.map(({ field, message }) => `${field}: ${message}`).join('; ') : undefined;
