import type { components } from './schema.js';

/** The body of every error of the API: `application/problem+json` (RFC 9457). */
export type Problem = components['schemas']['Problem'];
export type ProblemCode = components['schemas']['ProblemCode'];

/** The API refused the request. Programs use `code`, which never changes; `message` is for people. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly status: number;
  /** The invalid fields with a message each; empty if the problem is not about fields. */
  readonly fields: NonNullable<Problem['errors']>;
  /** Id of the request, for support. */
  readonly requestId: string;

  constructor(
    /** The whole body of the answer. */
    readonly problem: Problem,
    readonly response: Response,
  ) {
    super([problem.title, problem.detail].filter(Boolean).join(': '));
    this.code = problem.code;
    this.status = problem.status;
    this.fields = problem.errors ?? [];
    this.requestId = problem.request_id;
  }
}

/** The answer is not from the API, but from a proxy or another service at that address. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';

  constructor(
    readonly status: number,
    /** The first 1,000 characters of the body. */
    readonly body: string,
  ) {
    super(`got status ${status} with a body that is not from the API: ${body.slice(0, 200)}`);
  }
}

/** There was no answer in time; `cause` is the reason. It is unknown whether the request was executed. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    readonly request: string,
    /** How often the request was sent. */
    readonly tries: number,
    cause: unknown,
  ) {
    super(`${request}: no answer after ${tries} ${tries === 1 ? 'try' : 'tries'}`, { cause });
  }
}

/** The API refused the client's credentials (RFC 6749 §5.2), for example with `invalid_client`. */
export class TokenError extends Error {
  override readonly name = 'TokenError';

  constructor(
    readonly code: components['schemas']['TokenErrorCode'],
    description: string,
  ) {
    super(`${code}: ${description}`);
  }
}

/** Converts the body of a refusal to an error. */
export function errorOf(response: Response, body: unknown): ProblemError | UnexpectedAnswerError {
  const problem = body as Partial<Problem> | null;
  if (typeof problem === 'object' && typeof problem?.code === 'string' && problem.success === false) {
    return new ProblemError(problem as Problem, response);
  }
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return new UnexpectedAnswerError(response.status, text.slice(0, 1_000));
}
