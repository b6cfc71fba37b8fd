import type { components } from './schema.js';

/** The body of every error of the API: `application/problem+json` (RFC 9457). */
export type Problem = components['schemas']['Problem'];
export type ProblemCode = components['schemas']['ProblemCode'];

/** The API refused the request. Decide by `code`, which is permanent; `message` is for people. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly status: number;
  /** Which fields are wrong, and why; empty when it is about none. */
  readonly fields: NonNullable<Problem['errors']>;
  /** Quote it when you ask for help. */
  readonly requestId: string;

  constructor(
    /** The whole body. */
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

/** What answered is not the API: a proxy, or another service at that address. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';

  constructor(
    readonly status: number,
    /** The first thousand characters. */
    readonly body: string,
  ) {
    super(`answered ${status} with a body that the API does not send: ${body.slice(0, 200)}`);
  }
}

/** No answer came, in time or at all; `cause` says why. Whether the request was carried out is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(
    readonly request: string,
    /** How often it was sent. */
    readonly tries: number,
    cause: unknown,
  ) {
    super(`${request}: no answer after ${tries} ${tries === 1 ? 'try' : 'tries'}`, { cause });
  }
}

/** The client's credentials do not give a token (RFC 6749 §5.2), such as `invalid_client`. */
export class TokenError extends Error {
  override readonly name = 'TokenError';

  constructor(
    readonly code: components['schemas']['TokenErrorCode'],
    description: string,
  ) {
    super(`${code}: ${description}`);
  }
}

/** The error that a refusal's body stands for. */
export function errorOf(response: Response, body: unknown): ProblemError | UnexpectedAnswerError {
  const problem = body as Partial<Problem> | null;
  if (typeof problem === 'object' && typeof problem?.code === 'string' && problem.success === false) {
    return new ProblemError(problem as Problem, response);
  }
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
  return new UnexpectedAnswerError(response.status, text.slice(0, 1_000));
}
