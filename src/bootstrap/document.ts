import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import '../openapi/operations.js';
import { SCOPE_MEANINGS } from '../access/scopes.js';
import { ApiModule } from '../api.module.js';
import { CONDITION_SCHEMAS } from '../flows/definition/condition-openapi.js';
import { REASONING_SCHEMAS } from '../flows/routing/reasoning-openapi.js';
import { loadConfig } from '../platform/config/config.js';
import { buildOpenApi, type DocumentParts } from '../openapi/openapi.js';
import { WEBHOOK_SCHEMAS, WEBHOOKS } from '../webhooks/deliveries/webhook-openapi.js';

/** What the features add to the OpenAPI document. */
export const DOCUMENT_PARTS: DocumentParts = {
  webhooks: WEBHOOKS,
  schemas: { ...CONDITION_SCHEMAS, ...REASONING_SCHEMAS, ...WEBHOOK_SCHEMAS },
  scopes: SCOPE_MEANINGS,
};

/** Nobody connects to it, and nothing is sealed or signed. */
const SETTINGS = {
  DATABASE_URL: 'postgres://nobody@localhost/none',
  JWT_SECRET: 'nothing is signed with this one: 0123456789',
  ENCRYPTION_KEY: Buffer.from('nothing is sealed with this one!').toString('base64'),
};

/** The OpenAPI document as the API serves it, without a database: Nest's preview makes the routes and no providers. */
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
