import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { createHttpServer } from './http-server.js';
import type { HttpOptions } from './server-limits.js';
import { ValidationPipe } from './validation/validation.pipe.js';

/**
 * Same contract as {@link createHttpServer}, for routes with bodies or queries, which it validates. Loads the
 * validators.
 */
export async function createHttpApplication(
  root: DynamicModule | Type,
  logger: Logger,
  options: HttpOptions = {},
): Promise<NestFastifyApplication> {
  const app = await createHttpServer(root, logger, options);
  app.useGlobalPipes(new ValidationPipe());
  return app;
}
