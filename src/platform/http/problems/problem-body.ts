import type { FieldError, Problem } from '../../../shared/problem.js';
import { MAX_FIELD_ERRORS } from '../validation/field-errors.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/**
 * Limits for names and messages of errors, in characters, and for all errors together, in bytes: they may repeat the
 * caller's input.
 */
const MAX_NAME_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 1_000;
const MAX_ERRORS_BYTES = 32 * 1024;

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

/**
 * The body of a problem, at most 64 KiB as JSON for any request: at most 50 errors, and long texts are cut. `path`: the
 * request's path without its query, which may contain values that must not be repeated.
 */
export function problemBody(problem: Problem, requestId: string, path?: string): ProblemBody {
  const errors = problem.errors && shownErrors(problem.errors);
  const detail = problem.detail ?? (errors && summaryOf(problem.errors.length, errors.length));
  return {
    type: `urn:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    ...(detail !== undefined && { detail: cut(detail, MAX_MESSAGE_LENGTH) }),
    ...(path !== undefined && { instance: path }),
    success: false,
    code: problem.code,
    request_id: requestId,
    ...(errors && { errors }),
  };
}

/** The problem's own headers, and with a 401 the challenge that RFC 9110 §11.6.1 requires. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const challenge = problem.code === 'invalid_signature' ? 'Signature' : 'Bearer';
  return { ...(problem.status === 401 && { 'www-authenticate': challenge }), ...problem.headers };
}

function shownErrors(errors: FieldError[]): FieldError[] {
  const shown: FieldError[] = [];
  let bytes = 0;
  for (const { field, message } of errors.slice(0, MAX_FIELD_ERRORS)) {
    const error = { field: cut(field, MAX_NAME_LENGTH), message: cut(message, MAX_MESSAGE_LENGTH) };
    bytes += Buffer.byteLength(JSON.stringify(error));
    if (bytes > MAX_ERRORS_BYTES) break;
    shown.push(error);
  }
  return shown;
}

/** `toWellFormed`: the cut may split a character of two units. */
const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;

/** A summary; the errors themselves have the details. */
function summaryOf(count: number, shown: number): string | undefined {
  if (count === 0) return undefined;
  if (count > shown) return `more than ${shown} fields are invalid: the first of them are in errors`;
  return count === 1 ? 'a field is invalid: see errors' : `${count} fields are invalid: see errors`;
}
