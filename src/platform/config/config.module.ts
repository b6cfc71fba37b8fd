import { type DynamicModule, Global, Inject, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../../shared/clock.js';
import { Random, SystemRandom } from '../../shared/random.js';
import type { Config } from './config.js';

/** For factories of providers. */
export const CONFIG = Symbol('Config');

/** Injects the frozen settings: `@InjectConfig() private readonly config: Config`. */
export const InjectConfig = (): ParameterDecorator => Inject(CONFIG);

/** Settings, time and randomness, for every module. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: Config): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: CONFIG, useValue: config },
        SystemClock,
        { provide: Clock, useExisting: SystemClock },
        { provide: Random, useClass: SystemRandom },
      ],
      exports: [CONFIG, Clock, SystemClock, Random],
    };
  }
}
