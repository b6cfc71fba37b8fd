import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiModule } from '../../../src/bootstrap/api.module.js';
import { Drain } from '../../../src/platform/http/drain.js';
import { httpOptions } from '../../../src/platform/http/server-limits.js';
import { ApiClient } from './api-client.js';
import { type ApplicationOptions, startApplication, testConfig } from './application.js';
import { createTestDatabase, type TestDatabase } from '../servers/database.js';
import { insertClient } from './insert-client.js';
import { ProviderFunctions, sharedApp } from './shared-apps.js';

const FIRST = { id: 'merchant-one', secret: 'secret-of-merchant-one' };

export interface TestApi {
  app: NestFastifyApplication;
  url: string;
  database: TestDatabase;
  /** A provider of the application, by its class. */
  get<T>(type: Type<T>): T;
  /** The first merchant's client, with all scopes or with the given ones, space-separated. */
  login(scope?: string): Promise<ApiClient>;
  /** A client of a new merchant. */
  loginAsAnotherMerchant(): Promise<ApiClient>;
  deliveriesOf(paymentId: number): Promise<{ id: number; payment_status: string; request_body: string }[]>;
  stop(): Promise<void>;
}

/**
 * An API that test files of this worker share, with its database, which also stores the queue. Files isolate themselves
 * by merchants: `login` gives a client of a merchant that only this call's owner has. So a test may not count rows of
 * other merchants, nor change what all merchants share (tables without a merchant, the clock, settings): it starts its
 * own. `stop` restores the functions of the API's providers that the file has replaced.
 */
export async function sharedApi(): Promise<TestApi> {
  const { api, providers } = await sharedApp('api', async () => {
    const started = await startApi();
    return { api: started, providers: new ProviderFunctions(started.app), stop: () => started.stop() };
  });
  const { database } = api;
  const first = await insertClient(database);
  return {
    ...api,
    login: (scope) => ApiClient.login(api.url, first.id, first.secret, scope),
    stop: () => Promise.resolve(providers.restore()),
  };
}

/**
 * The API in this process, listening on a free port, with its own database, which also stores the queue. `other`: another
 * one, as a second process on the same database.
 */
export async function startApi(
  env: Record<string, string> = {},
  { other, ...options }: Pick<ApplicationOptions, 'lockTimeoutMs'> & { other?: TestApi } = {},
): Promise<TestApi> {
  const database = other?.database ?? (await createTestDatabase());
  if (!other) await insertClient(database, FIRST);
  const config = testConfig({ DATABASE_URL: database.url, ...env });
  const root = ApiModule.forRoot(config, database.url);
  const { app, get, close } = await startApplication(root, {
    ...options,
    http: httpOptions(config),
    logLevel: 'fatal',
    listen: true,
    prepare: (created) => created.get(Drain).attach(),
  });
  const url = await app.getUrl();
  return {
    app,
    url,
    database,
    get,
    login: (scope) => ApiClient.login(url, FIRST.id, FIRST.secret, scope),
    async loginAsAnotherMerchant() {
      const { id, secret } = await insertClient(database);
      return ApiClient.login(url, id, secret);
    },
    async deliveriesOf(paymentId) {
      const { rows } = await database.pool.query<{ id: number; payment_status: string; request_body: string }>(
        'SELECT id, payment_status, request_body FROM all_deliveries WHERE payment_id = $1 ORDER BY id',
        [paymentId],
      );
      return rows;
    },
    async stop() {
      // as in production; otherwise `close` would wait for a connection that a client has opened and not used yet
      await Promise.all([get(Drain).start(), close()]);
      if (!other) await database.drop();
    },
  };
}
