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
 * those of database errors hold row values and query parameters, which may be secrets or personal data.
 */
export function logError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error) && !types.isNativeError(error)) return { type: typeof error, message: String(error) };
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  const goesDeeper = depth < MAX_DEPTH;
  return {
    type: error.constructor.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(cause !== undefined && goesDeeper && { cause: logError(cause, depth + 1) }),
    ...(Array.isArray(errors) && goesDeeper && { errors: errors.map((inner) => logError(inner, depth + 1)) }),
  };
}
