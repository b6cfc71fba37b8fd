import { afterAll, beforeAll, expect } from '@jest/globals';
import { ShopsApiModule } from '../../../src/shops/api/shops.controller.js';
import { ShopsService } from '../../../src/shops/shops.service.js';
import { Receivers } from '../../../src/webhooks/endpoint/secrets/receivers.service.js';
import { ReceiversApiModule } from '../../../src/webhooks/endpoint/secrets/shop-secrets.controller.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type AuthApplication, type MerchantClient, startAuth } from '../auth/auth-harness.js';

export interface Shop {
  id: number;
  name: string;
  provider: string;
  enabled: boolean;
  created_at: string;
  updated_at: string;
  fees: object[];
  webhook_secret: string;
  webhook_secret_active_from: string;
  previous_webhook_secret_expires_at: string | null;
}

export interface Body<T = Shop> {
  data: T;
  code: string;
  errors: { field: string; message: string }[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

/** The common fields of a shop in an answer. */
export const SHOP = {
  id: expect.any(Number),
  name: expect.any(String),
  provider: 'sandbox',
  provider_account: 'default',
  enabled: true,
  available: true,
  webhook_signing: 'shared_secret',
  fees: [],
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  updated_at: expect.any(String),
};

interface Running {
  database: TestDatabase;
  auth: AuthApplication;
  shops: ShopsService;
  receivers: Receivers;
  merchant: MerchantClient;
  /** A token of the merchant's client, with all scopes; the default of the calls below. */
  token: string;
}

/** The shops feature behind the token check, for all tests of the file; `running` is set before the first of them. */
export function useShops() {
  const running = {} as Running;
  let names = 0;

  beforeAll(async () => {
    const database = await createTestDatabase();
    const auth = await startAuth(database, { imports: [ShopsApiModule, ReceiversApiModule] });
    const merchant = await auth.aClient();
    const token = await auth.token(merchant);
    const [shops, receivers] = [auth.app.get(ShopsService), auth.app.get(Receivers)];
    Object.assign(running, { database, auth, merchant, token, shops, receivers });
  });

  afterAll(async () => {
    await running.auth.close();
    await running.database.drop();
  });

  const call = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown, token = running.token) =>
    running.auth.call<Body>({ method, url, token, body });
  const aName = () => `Shop ${(names += 1)}`;
  return {
    running,
    aName,
    get: (url: string) => call('GET', url),
    post: (url: string, body?: unknown, token?: string) => call('POST', url, body, token),
    patch: (url: string, body: unknown) => call('PATCH', url, body),
    aShop: async (fields: object = {}, token?: string) =>
      (await call('POST', '/shops', { name: aName(), ...fields }, token)).body.data,
    credentialsOf: async (shopId: number) => (await running.shops.providerAccount(shopId))?.credentials,
    secretsOf: async (shopId: number) => (await running.receivers.secretsOfShops([shopId])).get(shopId),
  };
}
