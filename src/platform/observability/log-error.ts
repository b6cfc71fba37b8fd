import { types } from 'node:util';

/** What of an error goes into a log line. */
export interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
}

const MAX_DEPTH = 4;

/**
 * Pino's serializer for `err`: type, message, code, stack and causes. Other properties stay out of the log, because
 * those of database errors hold row values and query parameters, which may be secrets or personal data. Something else
 * that was thrown is named by its type alone.
 */
export function logError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error) && !types.isNativeError(error)) return { type: typeof error, message: 'no error' };
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const goesDeeper = depth < MAX_DEPTH;
  const message = withoutValues(error, code);
  return {
    type: error.constructor.name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: error.stack.replace(error.message, () => message) }),
    ...(cause !== undefined && goesDeeper && { cause: logError(cause, depth + 1) }),
    ...(Array.isArray(errors) && goesDeeper && { errors: errors.map((inner) => logError(inner, depth + 1)) }),
  };
}

/** SQLSTATEs of data exceptions. https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DATA_EXCEPTION = /^22[0-9A-Z]{3}$/;

/** The two kinds of messages that repeat the value they are about, in quotes: PostgreSQL's and V8's of bad JSON. */
function withoutValues({ name, message }: Error, code: unknown): string {
  const isAboutValue =
    (typeof code === 'string' && DATA_EXCEPTION.test(code)) || (name === 'SyntaxError' && message.includes('JSON'));
  return isAboutValue ? message.replace(/["'][^]*["']/, '"…"') : message;
}
