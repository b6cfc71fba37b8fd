import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AuthModule } from '../../../src/auth/auth.module.js';
import type { IssuedCredentials } from '../../../src/auth/api-clients.service.js';
import type { Scope } from '../../../src/access/scopes.js';
import type { HttpOptions } from '../../../src/platform/http/server-limits.js';
import { RateLimitModule } from '../../../src/platform/rate-limit/rate-limits.service.js';
import { Clock } from '../../../src/shared/clock.js';
import {
  type Answer,
  featuresModule,
  type Request,
  startApplication,
  type TestApplication,
  testConfig,
} from '../../support/app/application.js';
import type { TestDatabase } from '../../support/servers/database.js';
import { insertClient } from '../../support/app/insert-client.js';
import { SETTINGS } from '../../support/app/settings.js';

interface AuthorizedRequest extends Request {
  token?: string | undefined;
}

export interface MerchantClient extends IssuedCredentials {
  merchantId: number;
}

/** One API process with the given feature modules behind the token check, and a database. */
export interface AuthApplication extends Omit<TestApplication, 'call' | 'lines'> {
  /** All log lines of this process since this application started. */
  logs(): string;
  call<T = Record<string, unknown>>(request: AuthorizedRequest): Promise<Answer<T>>;
  /** A client of the given merchant; default: of a new one. */
  aClient(scopes?: readonly Scope[], merchantId?: number): Promise<MerchantClient>;
  /** A token of the given client; default: of a new client of a new merchant. */
  token(client?: IssuedCredentials, scope?: string): Promise<string>;
}

export interface AuthOptions {
  env?: Record<string, string>;
  imports?: Type[];
  controllers?: Type[];
  clock?: Clock;
  http?: HttpOptions;
}

export const { JWT_SECRET } = SETTINGS;

export async function startAuth(database: TestDatabase, options: AuthOptions = {}): Promise<AuthApplication> {
  const { env, imports = [], controllers, clock, http } = options;
  const secret = env?.['JWT_PRIVATE_KEY'] === undefined ? JWT_SECRET : undefined;
  const config = testConfig({ DATABASE_URL: database.url, JWT_SECRET: secret, ...env });
  const limits = RateLimitModule.forRoot({ redis: config.redis, databaseUrl: database.url });
  const root = featuresModule(config, database.url, [limits, AuthModule, ...imports], controllers);
  const prepare = (app: NestFastifyApplication): void => {
    if (clock) Object.assign(app.get(Clock), { now: () => clock.now() });
  };
  return withClients(await startApplication(root, { http, logLevel: 'trace', prepare }), database);
}

function withClients(application: TestApplication, database: TestDatabase): AuthApplication {
  const call = <T>({ token, headers, ...request }: AuthorizedRequest): Promise<Answer<T>> => {
    const authorization = token !== undefined && { authorization: `Bearer ${token}` };
    return application.call<T>({ ...request, headers: { ...authorization, ...headers } });
  };
  const aClient = async (scopes?: readonly Scope[], of?: number): Promise<MerchantClient> => {
    const { merchantId, id, secret } = await insertClient(database, of === undefined ? {} : { merchantId: of }, scopes);
    return { merchantId, clientId: id, clientSecret: secret };
  };
  const token = async (client?: IssuedCredentials, scope?: string): Promise<string> => {
    const { clientId, clientSecret } = client ?? (await aClient());
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope };
    const answer = await call<{ access_token: string }>({ method: 'POST', url: '/auth/token', body });
    if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
    return answer.body.access_token;
  };
  const logs = (): string =>
    application
      .lines()
      .map((line) => JSON.stringify(line))
      .join('\n');
  return { ...application, call, logs, aClient, token };
}
