import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import '../openapi/operations.js';
import { SCOPE_MEANINGS } from '../access/scopes.js';
import { ApiModule } from './api.module.js';
import { CONDITION_SCHEMAS } from '../flows/definition/condition-openapi.js';
import { REASONING_SCHEMAS } from '../flows/routing/reasoning-openapi.js';
import { loadConfig } from '../platform/config/config.js';
import { buildOpenApi, type DocumentParts } from '../openapi/openapi.js';
import { EVENT_SCHEMAS, WEBHOOKS } from '../webhooks/event-types/event-openapi.js';

/** The parts of the OpenAPI document that features add. */
export const DOCUMENT_PARTS: DocumentParts = {
  webhooks: WEBHOOKS,
  schemas: { ...CONDITION_SCHEMAS, ...REASONING_SCHEMAS, ...EVENT_SCHEMAS },
  scopes: SCOPE_MEANINGS,
};

/** Stand-ins: no connection is opened, and nothing is encrypted or signed. */
const SETTINGS = {
  DATABASE_URL: 'postgres://none@localhost/none',
  JWT_SECRET: 'nothing is signed with this one: 0123456789',
  ENCRYPTION_KEY: Buffer.from('nothing is encoded with this one').toString('base64'),
};

/**
 * The OpenAPI document that the API serves, without a database: Nest's preview mode creates the routes but no
 * providers.
 */
export async function openApiDocument(): Promise<OpenAPIObject> {
  const config = loadConfig(SETTINGS);
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.forRoot(config, SETTINGS.DATABASE_URL),
    new FastifyAdapter(),
    { preview: true, logger: false, abortOnError: false },
  );
  try {
    return buildOpenApi(app, DOCUMENT_PARTS);
  } finally {
    await app.close();
  }
}
