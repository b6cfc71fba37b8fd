import type { FieldError, Problem } from '../../../shared/problem.js';
import { MAX_FIELD_ERRORS } from '../validation/field-errors.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** What callers send comes back in names and messages: of each so many characters, and of all together so many bytes. */
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
 * At most 64 KiB as JSON, whatever the request was: at most 50 errors, and long texts are cut. `path` is the request's
 * path without its query, which may hold what must not be repeated.
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

/** The challenge that RFC 9110 §11.6.1 asks for with a 401, and whatever the problem brings along. */
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

/** `toWellFormed`: the cut may go through a character of two units. */
const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;

/** The errors themselves say what is wrong. */
function summaryOf(count: number, shown: number): string | undefined {
  if (count === 0) return undefined;
  if (count > shown) return `more than ${shown} fields are invalid: the first of them are in errors`;
  return count === 1 ? 'a field is invalid: see errors' : `${count} fields are invalid: see errors`;
}
