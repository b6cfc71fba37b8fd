import { Logger as PinoNestLogger, PinoLogger, type Params } from 'nestjs-pino';
import type { Logger } from 'pino';

/** NestJS reports every module and route that it wires: of use only when wiring goes wrong. */
const WIRING_CONTEXTS = new Set([
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestFactory',
  'NestApplication',
]);

/** nestjs-pino over our logger. No middleware: the request line comes from a Fastify hook, which costs a fraction. */
export const loggerParams = (logger: Logger): Params => ({ pinoHttp: { logger, autoLogging: false }, forRoutes: [] });

/** What NestJS's own `Logger` writes to; makes its wiring reports `debug`. */
export class NestLogger extends PinoNestLogger {
  constructor(logger: Logger) {
    super(new PinoLogger(loggerParams(logger)), {});
  }

  override log(message: unknown, ...optionalParams: unknown[]): void {
    const context = optionalParams.at(-1);
    if (typeof context === 'string' && WIRING_CONTEXTS.has(context)) this.debug(message, ...optionalParams);
    else super.log(message, ...optionalParams);
  }
}
