import { type DestinationStream, pino, type Logger } from 'pino';
import type { LogLevel } from '../config/config.js';
import { logError } from './log-error.js';

/** Logged under any of these names, at the top or one level down, a value is replaced: a net below "never log secrets". */
const SECRET_NAMES = ['authorization', 'password', 'secret', 'client_secret', 'clientSecret', 'webhookSecret', 'token'];

/**
 * The process's logger: one JSON object per line with `level` as a word and `time` in ISO 8601. Lines are written
 * without blocking the event loop and flushed when the process exits.
 */
export function createLogger(level: LogLevel, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      base: undefined,
      messageKey: 'msg',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: logError },
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    },
    destination,
  );
}

/** Lines that are written while an earlier write is under way go out together with the next one. */
export const standardOutput = (): ReturnType<typeof pino.destination> =>
  pino.destination({ fd: 1, sync: false, minLength: 0 });
