import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClientsService } from '../../../src/auth/api-clients.service.js';
import { ApiClientListModule } from '../../../src/auth/clients/clients.controller.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type AuthApplication, type MerchantClient, startAuth } from './auth-harness.js';

interface Listed {
  data: { client_id: string; name: string; scopes: string[]; created_at: string; revoked_at: string | null }[];
  pagination: { next_cursor: string | null };
}

let database: TestDatabase;
let auth: AuthApplication;
let merchant: MerchantClient;
let clients: ApiClientsService;

beforeAll(async () => {
  database = await createTestDatabase();
  auth = await startAuth(database, { imports: [ApiClientListModule] });
  merchant = await auth.aClient();
  clients = auth.get(ApiClientsService);
});
afterAll(async () => {
  await auth?.close();
  await database?.drop();
});

const list = async (query = '', client = merchant, scope?: string) =>
  auth.call<Listed>({ url: `/clients${query}`, token: await auth.token(client, scope) });

describe('GET /clients', () => {
  it("lists the merchant's clients, newest first, with scopes and revocation, without secrets", async () => {
    const { merchantId } = merchant;
    const made = await clients.create({ merchantId, name: 'checkout', scopes: ['payments:write', 'payments:read'] });
    await clients.revoke(made.clientId);
    const { body, text } = await list();
    expect(body.data.map(({ client_id: id }) => id)).toEqual([made.clientId, merchant.clientId]);
    expect(body.data[0]).toEqual({
      client_id: made.clientId,
      name: 'checkout',
      scopes: ['payments:read', 'payments:write'],
      created_at: expect.any(String),
      revoked_at: expect.any(String),
    });
    expect(body.data[1]!.revoked_at).toBeNull();
    expect(text.replaceAll('webhooks:secrets', '')).not.toMatch(/secret|scrypt/);
  });

  it('lists the clients by pages', async () => {
    const own = await auth.aClient();
    for (const name of ['one', 'two']) await clients.create({ merchantId: own.merchantId, name, scopes: [] });
    const first = await list('?limit=2', own);
    const second = await list(`?limit=2&cursor=${first.body.pagination.next_cursor}`, own);
    expect([...first.body.data, ...second.body.data].map(({ name }) => name)).toEqual(['two', 'one', 'A client']);
    expect(second.body.pagination.next_cursor).toBeNull();
  });

  it('lists no clients of another merchant', async () => {
    const { body } = await list('', await auth.aClient());
    expect(body.data).toHaveLength(1);
    expect(JSON.stringify(body)).not.toContain(merchant.clientId);
  });

  it('requires only the scope audit:read', async () => {
    expect((await list('', merchant, 'audit:read')).status).toBe(200);
    expect((await list('', merchant, 'shops:read')).status).toBe(403);
  });
});
