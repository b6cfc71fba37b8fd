import { Module, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { AuthModule } from '../../../src/auth/auth.module.js';
import { ApiClientsService, type IssuedCredentials } from '../../../src/auth/api-clients.service.js';
import { MerchantsService } from '../../../src/auth/merchants.service.js';
import { type Scope, SCOPES } from '../../../src/access/scopes.js';
import { loadConfig } from '../../../src/platform/config/config.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { EncryptionModule } from '../../../src/platform/encryption/encryption.js';
import { createHttpApplication } from '../../../src/platform/http/http-application.js';
import type { HttpOptions } from '../../../src/platform/http/server-limits.js';
import { ObservabilityModule } from '../../../src/platform/observability/observability.module.js';
import { RateLimitModule } from '../../../src/platform/rate-limit/rate-limit.module.js';
import { Clock } from '../../../src/shared/clock.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { HIGH_LIMITS } from '../../support/app/settings.js';

interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Parsed JSON; `undefined` for an empty body. */
  body: T;
}

interface Request {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  /** An object is sent as JSON, text as it is. */
  body?: unknown;
}

export interface MerchantClient extends IssuedCredentials {
  merchantId: number;
}

/** One API process with the given feature modules behind the token check, on a database. */
export interface AuthApplication {
  app: NestFastifyApplication;
  /** All that was logged since this application started, by any of the test file. */
  logs(): string;
  call<T = Record<string, unknown>>(request: Request): Promise<Answer<T>>;
  aClient(scopes?: readonly Scope[]): Promise<MerchantClient>;
  /** A token of the client, or of a new one of a new merchant. */
  token(client?: IssuedCredentials, scope?: string): Promise<string>;
  close(): Promise<void>;
}

export interface AuthOptions {
  env?: Record<string, string>;
  imports?: Type[];
  controllers?: Type[];
  clock?: Clock;
  http?: HttpOptions;
}

export const JWT_SECRET = 'a-jwt-secret-of-the-integration-tests';

// One for all applications of the test file: nestjs-pino keeps the first logger of a process for Nest's own `Logger`.
let log = '';
const logger = pino({ level: 'trace' }, { write: (line) => (log += line) });

export async function startAuth(database: TestDatabase, options: AuthOptions = {}): Promise<AuthApplication> {
  const start = log.length;
  const app = await createHttpApplication(rootModule(database, options), logger, options.http);
  if (options.clock) Object.assign(app.get(Clock), { now: () => options.clock?.now() });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return new RunningApplication(app, () => log.slice(start));
}

function rootModule(database: TestDatabase, options: AuthOptions): Type {
  const jwt = options.env?.['JWT_PRIVATE_KEY'] === undefined && { JWT_SECRET };
  const ENCRYPTION_KEY = Buffer.from('an encryption key for the tests!').toString('base64');
  const config = loadConfig({ DATABASE_URL: database.url, ENCRYPTION_KEY, ...HIGH_LIMITS, ...jwt, ...options.env });
  @Module({
    imports: [
      ConfigModule.forRoot(config),
      ObservabilityModule,
      DatabaseModule.forRoot(database.url, config.databasePoolSize),
      EncryptionModule,
      RateLimitModule.forRoot({ redisUrl: config.redisUrl, databaseUrl: database.url }),
      AuthModule,
      ...(options.imports ?? []),
    ],
    controllers: options.controllers ?? [],
  })
  class AuthTestModule {}
  return AuthTestModule;
}

class RunningApplication implements AuthApplication {
  constructor(
    readonly app: NestFastifyApplication,
    readonly logs: () => string,
  ) {}

  async call<T>({ method = 'GET', url, token, headers = {}, body }: Request): Promise<Answer<T>> {
    const response = await this.app.inject({
      method,
      url,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text: response.body,
      body: (response.body === '' ? undefined : JSON.parse(response.body)) as T,
    };
  }

  async aClient(scopes: readonly Scope[] = SCOPES): Promise<MerchantClient> {
    const { id: merchantId } = await this.app.get(MerchantsService).create('A merchant');
    return { merchantId, ...(await this.app.get(ApiClientsService).create({ merchantId, name: 'A client', scopes })) };
  }

  async token(client?: IssuedCredentials, scope?: string): Promise<string> {
    const { clientId, clientSecret } = client ?? (await this.aClient());
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope };
    const answer = await this.call<{ access_token: string }>({ method: 'POST', url: '/auth/token', body });
    if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
    return answer.body.access_token;
  }

  close(): Promise<void> {
    return this.app.close();
  }
}
