import { type DynamicModule, Global, Module } from '@nestjs/common';
import { LoggerModule } from 'nestjs-pino';
import type { Logger } from 'pino';
import { Metrics } from './metrics.js';
import { MetricsController } from './metrics.controller.js';
import { loggerParams } from './nest-logger.js';

/** Logging (`PinoLogger`, or NestJS's `Logger`) and `Metrics` for every module, and `GET /metrics`. */
@Global()
@Module({})
export class ObservabilityModule {
  static forRoot(logger: Logger): DynamicModule {
    return {
      module: ObservabilityModule,
      imports: [LoggerModule.forRoot(loggerParams(logger))],
      controllers: [MetricsController],
      providers: [Metrics],
      exports: [Metrics],
    };
  }
}
