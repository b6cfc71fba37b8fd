import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { Module } from '@nestjs/common';
import { FlowsApiModule } from '../../../src/flows/flows-api.module.js';
import { FlowRoutingService } from '../../../src/flows/routing/routing.service.js';
import { FlowsService } from '../../../src/flows/management/flows.service.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { EncryptionModule } from '../../../src/platform/encryption/encryption.js';
import { createHttpApplication } from '../../../src/platform/http/http-application.js';
import { ObservabilityModule } from '../../../src/platform/observability/observability.module.js';
import type { TestDatabase } from '../../support/servers/database.js';

interface Answer<T = Record<string, unknown>> {
  status: number;
  contentType: string;
  text: string;
  body: T;
}

/** The flows feature on a database, with its own connection pool, as one process of the service has it. */
export interface FlowsApplication {
  flows: FlowsService;
  routing: FlowRoutingService;
  /** Calls the API as `merchantId`, behind the token check. */
  as(merchantId: number): Caller;
  close(): Promise<void>;
}

export type Caller = <T = Record<string, unknown>>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
) => Promise<Answer<T>>;

export async function startFlows(database: TestDatabase): Promise<FlowsApplication> {
  const config = loadConfig({
    DATABASE_URL: database.url,
    JWT_SECRET: 'a-secret-for-the-tokens-of-the-tests',
    ENCRYPTION_KEY: Buffer.from('an encryption key for the tests!').toString('base64'),
    LOG_LEVEL: 'silent',
  });
  const logger = pino({ level: 'silent' });
  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule,
      DatabaseModule.forRoot(database.url, config.databasePoolSize),
      EncryptionModule,
      FlowsApiModule,
    ],
  })
  class FlowsTestModule {}
  const app = await createHttpApplication(FlowsTestModule, logger);
  const fastify = app.getHttpAdapter().getInstance();
  // stands in for the token check, which has its own tests
  fastify.addHook('onRequest', (request, _reply, done) => {
    Object.assign(request, {
      user: { merchantId: Number(request.headers['x-merchant']), clientId: 'test', scopes: [] },
    });
    done();
  });
  await app.init();
  await fastify.ready();
  return {
    flows: app.get(FlowsService),
    routing: app.get(FlowRoutingService),
    as: (merchantId) => caller(app, merchantId),
    close: () => app.close(),
  };
}

const caller =
  (app: NestFastifyApplication, merchantId: number): Caller =>
  async <T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) => {
    const response = await app.inject({
      method,
      url,
      headers: {
        'x-merchant': String(merchantId),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return {
      status: response.statusCode,
      contentType: String(response.headers['content-type'] ?? ''),
      text: response.body,
      body: (response.body === '' ? undefined : JSON.parse(response.body)) as T,
    };
  };

export async function aMerchant({ pool }: TestDatabase, name = 'Merchant'): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('INSERT INTO merchants (name) VALUES ($1) RETURNING id', [name]);
  return rows[0]!.id;
}

/** A shop with the given name; its secrets are of no use. */
export async function aShop({ pool }: TestDatabase, merchantId: number, name: string, enabled = true): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO shops (merchant_id, name, provider, enabled, provider_credentials, webhook_secret)
     VALUES ($1, $2, 'sandbox', $3, '', '') RETURNING id`,
    [merchantId, name, enabled],
  );
  return rows[0]!.id;
}

export async function aPayment({ pool }: TestDatabase, flowId: number, status: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
       currency, status, created_at, updated_at, expires_at)
     VALUES (1, 1, $1, 1, 'ps_test', 'sandbox', 100, 'USD', $2, now(), now(), now()) RETURNING id`,
    [flowId, status],
  );
  return rows[0]!.id;
}

/** How many payments the flow has counted, as stored. */
export async function storedCounter({ pool }: TestDatabase, flowId: number): Promise<number> {
  const { rows } = await pool.query<{ counter: number }>('SELECT counter FROM flow_counters WHERE flow_id = $1', [
    flowId,
  ]);
  return rows[0]!.counter;
}
