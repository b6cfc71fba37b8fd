import { afterAll, beforeAll } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Scope, SCOPES } from '../../../src/access/scopes.js';
import { FlowsApiModule } from '../../../src/flows/flows-api.module.js';
import { FlowRoutingService } from '../../../src/flows/routing/routing.service.js';
import { FlowsService } from '../../../src/flows/management/flows.service.js';
import { type Answer, featuresModule, startApplication, testConfig } from '../../support/app/application.js';
import { sharedApp } from '../../support/app/shared-apps.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

/** The flows feature with a database and its own connection pool, like one process of the service. */
export interface FlowsApplication {
  flows: FlowsService;
  routing: FlowRoutingService;
  /** Calls the API as a client of `merchantId`, behind the token check; all scopes if absent. */
  as(merchantId: number, clientId?: string, scopes?: readonly Scope[]): Caller;
  close(): Promise<void>;
}

export type Caller = <T = Record<string, unknown>>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
) => Promise<Answer<T>>;

export async function startFlows(
  database: TestDatabase,
  settings: Record<string, string> = {},
): Promise<FlowsApplication> {
  const config = testConfig({ DATABASE_URL: database.url, ...settings });
  const root = featuresModule(config, database.url, [FlowsApiModule]);
  const application = await startApplication(root, { logLevel: 'silent', prepare: trustMerchantHeader });
  return {
    flows: application.get(FlowsService),
    routing: application.get(FlowRoutingService),
    as:
      (merchantId, clientId = 'test', scopes = SCOPES) =>
      (method, url, body) => {
        const headers = { 'x-merchant': String(merchantId), 'x-client': clientId, 'x-scopes': scopes.join(' ') };
        return application.call({ method, url, body, headers });
      },
    close: () => application.close(),
  };
}

/** Replaces the token check, which has its own tests. */
function trustMerchantHeader(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const merchantId = Number(request.headers['x-merchant']);
    const scopes = String(request.headers['x-scopes']).split(' ');
    Object.assign(request, { user: { merchantId, clientId: request.headers['x-client'], scopes } });
    done();
  });
}

interface FlowsFixture {
  database: TestDatabase;
  app: FlowsApplication;
  merchant: number;
  /** Calls the API as the merchant. */
  call: Caller;
  /** Shops of the merchant: Alpha, Beta, Gamma. */
  alpha: number;
  beta: number;
  gamma: number;
}

interface Started {
  database: TestDatabase;
  app: FlowsApplication;
  stop(): Promise<unknown>;
}

async function startWithDatabase(settings?: Record<string, string>): Promise<Started> {
  const database = await createTestDatabase();
  const app = await startFlows(database, settings);
  return { database, app, stop: () => app.close().then(() => database.drop()) };
}

/**
 * Flows of a new merchant with three shops, for all tests of the file or block; `use` gets the fixture before the first
 * test. Test files of a worker share application and database, unless `settings` are given, as by a test of all
 * merchants' flows.
 */
export function withFlows(use: (fixture: FlowsFixture) => void, settings?: Record<string, string>): void {
  let started: Started | undefined;

  beforeAll(async () => {
    if (settings) started = await startWithDatabase(settings);
    const { database, app } = started ?? (await sharedApp('flows', () => startWithDatabase()));
    const merchant = await aMerchant(database);
    const alpha = await aShop(database, merchant, 'Alpha');
    const beta = await aShop(database, merchant, 'Beta');
    const gamma = await aShop(database, merchant, 'Gamma');
    use({ database, app, merchant, call: app.as(merchant), alpha, beta, gamma });
  });

  afterAll(() => started?.stop());
}

export interface ProblemBody {
  code: string;
  errors: { field: string; message: string }[];
}

/** A round-robin definition over the shops. */
export const over = (...shops: number[]) => ({ strategy: 'round_robin', shops: shops.map((shop_id) => ({ shop_id })) });

export async function aMerchant({ pool }: TestDatabase, name = 'Merchant'): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('INSERT INTO merchants (name) VALUES ($1) RETURNING id', [name]);
  return rows[0]!.id;
}

/** A shop with the given name; its secrets cannot be used. */
export async function aShop({ pool }: TestDatabase, merchantId: number, name: string, enabled = true): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO shops (merchant_id, name, provider, enabled, provider_credentials, webhook_secret)
     VALUES ($1, $2, 'sandbox', $3, '', '') RETURNING id`,
    [merchantId, name, enabled],
  );
  return rows[0]!.id;
}

/** A payment that the flow gave to a shop of its merchant. */
export async function aPayment({ pool }: TestDatabase, flowId: number, status: string): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
       currency, status, created_at, updated_at, expires_at)
     SELECT f.merchant_id, (SELECT min(s.id) FROM shops s WHERE s.merchant_id = f.merchant_id), f.id, 1, 'ps_test', 'sandbox',
       100, 'USD', $2, now(), now(), now() FROM flows f WHERE f.id = $1 RETURNING id`,
    [flowId, status],
  );
  return rows[0]!.id;
}

/** The stored number of payments that the flow has counted. */
export async function storedCounter({ pool }: TestDatabase, flowId: number): Promise<number> {
  const { rows } = await pool.query<{ counter: number }>('SELECT counter FROM flow_counters WHERE flow_id = $1', [
    flowId,
  ]);
  return rows[0]!.counter;
}
