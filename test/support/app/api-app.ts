import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiModule } from '../../../src/api.module.js';
import { ApiClientsService } from '../../../src/auth/api-clients.service.js';
import { MerchantsService } from '../../../src/auth/merchants.service.js';
import { SCOPES } from '../../../src/access/scopes.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { createHttpApplication } from '../../../src/platform/http/http-application.js';
import { httpOptions } from '../../../src/platform/http/server-limits.js';
import { createLogger } from '../../../src/platform/observability/logger.js';
import { ApiClient } from './api-client.js';
import { createTestDatabase, type TestDatabase } from '../servers/database.js';
import { HIGH_LIMITS } from './settings.js';

const BOOTSTRAP = { id: 'merchant-one', secret: 'secret-of-merchant-one' };

export interface TestApi {
  url: string;
  database: TestDatabase;
  /** A provider of the application, by its class. */
  get<T>(type: Type<T>): T;
  /** The first merchant's client, with all scopes or these, space-separated. */
  login(scope?: string): Promise<ApiClient>;
  /** A client of a merchant that nobody else uses. */
  loginAsAnotherMerchant(): Promise<ApiClient>;
  deliveriesOf(paymentId: number): Promise<{ id: number; payment_status: string; request_body: string }[]>;
  stop(): Promise<void>;
}

/** The API in this process, listening on a free port, on a database of its own; the queue lives in that database. */
export async function startApi(env: Record<string, string> = {}): Promise<TestApi> {
  const database = await createTestDatabase();
  const config = loadConfig({
    DATABASE_URL: database.url,
    JWT_SECRET: 'a-secret-for-the-tokens-of-the-tests',
    ENCRYPTION_KEY: Buffer.from('an encryption key for the tests!').toString('base64'),
    BOOTSTRAP_CLIENT_ID: BOOTSTRAP.id,
    BOOTSTRAP_CLIENT_SECRET: BOOTSTRAP.secret,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'fatal',
    ...HIGH_LIMITS,
    ...env,
  });
  const logger = createLogger(config.logLevel);
  const root = ApiModule.forRoot(config, database.url);
  const app: NestFastifyApplication = await createHttpApplication(root, logger, httpOptions(config));
  await app.listen(0, '127.0.0.1');
  const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
  const get = <T>(type: Type<T>): T => app.get<T>(type, { strict: false });
  return {
    url,
    database,
    get,
    login: (scope) => ApiClient.login(url, BOOTSTRAP.id, BOOTSTRAP.secret, scope),
    async loginAsAnotherMerchant() {
      const merchant = await get(MerchantsService).create('another merchant');
      const client = { merchantId: merchant.id, name: 'tests', scopes: SCOPES };
      const { clientId, clientSecret } = await get(ApiClientsService).create(client);
      return ApiClient.login(url, clientId, clientSecret);
    },
    async deliveriesOf(paymentId) {
      const { rows } = await database.pool.query<{ id: number; payment_status: string; request_body: string }>(
        'SELECT id, payment_status, request_body FROM all_deliveries WHERE payment_id = $1 ORDER BY id',
        [paymentId],
      );
      return rows;
    },
    async stop() {
      await app.close();
      await database.drop();
    },
  };
}
