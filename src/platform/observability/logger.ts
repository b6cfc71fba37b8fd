import { type DestinationStream, pino, type Logger } from 'pino';
import type { LogLevel } from '../config/config.js';
import { types } from 'node:util';
import { StandardOutput } from './standard-output.js';

/**
 * Values under these names are replaced, in case a secret is logged in spite of the rule. Only top-level fields:
 * wildcards, which reach deeper, cost ten times as much as the rest of a line.
 */
const SECRET_NAMES = ['authorization', 'password', 'secret', 'clientSecret', 'webhookSecret', 'credentials', 'token'];

/**
 * The process's logger: one JSON object per line, with `level` as a word and `time` in ISO 8601. Writing does not block
 * the event loop; lines are flushed when the process exits. `mixin`: additional fields of every line; the line's own
 * fields win.
 */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = standardOutput(),
  mixin?: () => object,
): Logger {
  return pino(
    {
      level,
      base: undefined,
      messageKey: 'msg',
      timestamp: isoTime(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: logError },
      ...(mixin && { mixin }),
      redact: { paths: SECRET_NAMES, censor: '[redacted]' },
    },
    destination,
  );
}

/**
 * Like `pino.stdTimeFunctions.isoTime`, but formatted once per millisecond: formatting was a fifth of a line's cost.
 */
function isoTime(): () => string {
  let renderedMs = NaN;
  let text = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== renderedMs) {
      renderedMs = nowMs;
      text = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return text;
  };
}

let output: StandardOutput | undefined;

/** The process's standard output. */
export const standardOutput = (): StandardOutput => (output ??= new StandardOutput());

/** The logged parts of an error. */
interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
}

const MAX_DEPTH = 4;

/**
 * Pino's serializer for `err`: type, message, code, stack and causes. Other properties are left out: those of database
 * errors contain row values and query parameters, which may be secrets or personal data. Only the type is logged of a
 * thrown value that is not an error.
 */
function logError(error: unknown, depth = 0): LoggedError {
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

/**
 * Removes the quoted value from the two kinds of messages that contain one: PostgreSQL's about invalid data, and V8's
 * about invalid JSON.
 */
function withoutValues({ name, message }: Error, code: unknown): string {
  const isAboutValue =
    (typeof code === 'string' && DATA_EXCEPTION.test(code)) || (name === 'SyntaxError' && message.includes('JSON'));
  return isAboutValue ? message.replace(/["'][^]*["']/, '"…"') : message;
}
