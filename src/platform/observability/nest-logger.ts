import type { LoggerService } from '@nestjs/common';
import type { Level, Logger } from 'pino';

/** NestJS logs every module and route that it sets up, which is useful only when that fails. */
const WIRING_CONTEXTS = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);

/**
 * Warns about two applications in one process, each with a connection pool of its own, which is how `main-all` works.
 */
const DATA_SOURCE_CONTEXT = 'DataSourceNameRegistry';

/** Report a failed start or listen, which the code that starts the application also reports. */
const START_FAILURE_CONTEXTS = new Set(['ExceptionHandler', 'NestApplication']);

/**
 * The target of NestJS's `Logger`, for the framework and our classes. `logger.warn({ msg: '…', shopId, err })` becomes
 * one line with these fields; the class name is its `context`.
 *
 * Why not nestjs-pino: it adds a request logger and a context per request; `request-log.ts` writes one line per request
 * instead.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write(WIRING_CONTEXTS.has(contextOf(rest) ?? '') ? 'debug' : 'info', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write(contextOf(rest) === DATA_SOURCE_CONTEXT ? 'debug' : 'warn', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write(START_FAILURE_CONTEXTS.has(contextOf(rest) ?? '') ? 'debug' : 'error', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(level: Level, message: unknown, rest: unknown[]): void {
    if (!this.logger.isLevelEnabled(level)) return;
    const context = contextOf(rest);
    if (message instanceof Error) this.logger[level]({ context, err: message });
    else if (typeof message === 'object') this.logger[level]({ context, ...message });
    // a text may have a stack, as in Nest's `error(message, stack)`
    else if (rest.length > 1) this.logger[level]({ context, details: rest.slice(0, -1) }, '%s', message);
    else this.logger[level]({ context }, '%s', message);
  }
}

/** Nest appends the context, usually a class name, to the parameters. */
function contextOf(rest: unknown[]): string | undefined {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
}
