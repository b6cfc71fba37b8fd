import { type DestinationStream, pino, type Logger } from 'pino';
import type { LogLevel } from '../config/config.js';
import { types } from 'node:util';
import { StandardOutput } from './standard-output.js';

/**
 * A value logged under one of these names is replaced: a net below the rule never to log secrets. Only at the top of a
 * line: wildcards, which reach further, cost ten times what the rest of the line does.
 */
const SECRET_NAMES = ['authorization', 'password', 'secret', 'clientSecret', 'webhookSecret', 'credentials', 'token'];

/**
 * The process's logger: one JSON object per line with `level` as a word and `time` in ISO 8601. Lines are written
 * without blocking the event loop and flushed when the process exits. `mixin`: what every line has besides its own fields,
 * which win.
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

/** As `pino.stdTimeFunctions.isoTime`, but rendered once per millisecond: it was a fifth of a line's cost. */
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

/** The process's one. */
export const standardOutput = (): StandardOutput => (output ??= new StandardOutput());

/** What of an error goes into a log line. */
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
 * Pino's serializer for `err`: type, message, code, stack and causes. Other properties stay out of the log, because
 * those of database errors hold row values and query parameters, which may be secrets or personal data. Something else
 * that was thrown is named by its type alone.
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

/** The two kinds of messages that repeat the value they are about, in quotes: PostgreSQL's and V8's of bad JSON. */
function withoutValues({ name, message }: Error, code: unknown): string {
  const isAboutValue =
    (typeof code === 'string' && DATA_EXCEPTION.test(code)) || (name === 'SyntaxError' && message.includes('JSON'));
  return isAboutValue ? message.replace(/["'][^]*["']/, '"…"') : message;
}
