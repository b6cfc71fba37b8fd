import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClientsService } from '../../../src/auth/api-clients.service.js';
import { ApiClientsApiModule } from '../../../src/auth/clients/clients.controller.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { type AuthApplication, type MerchantClient, startAuth } from './auth-harness.js';

interface Client {
  client_id: string;
  client_secret: string;
  name: string;
  role: string;
  scopes: string[];
  created_by: string | null;
  created_at: string;
  revoked_at: string | null;
}

interface Listed {
  data: Client[];
  pagination: { next_cursor: string | null };
}

let database: TestDatabase;
let auth: AuthApplication;
let merchant: MerchantClient;
let clients: ApiClientsService;

beforeAll(async () => {
  database = await createTestDatabase();
  auth = await startAuth(database, { imports: [ApiClientsApiModule] });
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
    const made = await clients.create({
      merchantId,
      name: 'checkout',
      rights: { role: null, scopes: ['payments:write', 'payments:read'] },
    });
    await clients.revoke(made.clientId);
    const { body, text } = await list();
    expect(body.data.map(({ client_id: id }) => id)).toEqual([made.clientId, merchant.clientId]);
    expect(body.data[0]).toEqual({
      client_id: made.clientId,
      name: 'checkout',
      kind: 'program',
      role: 'custom',
      scopes: ['payments:read', 'payments:write'],
      created_by: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      revoked_at: expect.any(String),
    });
    expect(body.data[1]!.revoked_at).toBeNull();
    expect(text.replaceAll('webhooks:secrets', '')).not.toMatch(/secret|scrypt/);
  });

  it('lists the clients by pages', async () => {
    const own = await auth.aClient();
    for (const name of ['one', 'two'])
      await clients.create({ merchantId: own.merchantId, name, rights: { role: null, scopes: [] } });
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

describe('a client that gives rights', () => {
  const send = async (by: MerchantClient, method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: object) =>
    auth.call<{ data: Client; code: string; errors: { field: string }[] }>({
      ...{ method, url, token: await auth.token(by) },
      ...(body && { body }),
    });
  const entries = async (objectId: string) => {
    const sql = 'SELECT action, client_id, fields, details FROM audit_entries WHERE object_id = $1 ORDER BY id';
    return (await database.pool.query(sql, [objectId])).rows as object[];
  };
  const listed = async (id: string, by: MerchantClient) =>
    (await list('', by)).body.data.find(({ client_id: each }) => each === id)!;

  it('makes, changes, renews and revokes others, each with an entry of the audit log', async () => {
    const owner = await auth.aClient();
    const made = await send(owner, 'POST', '/clients', { name: 'Ada', kind: 'person', role: 'support' });
    expect(made.status).toBe(201);
    const { client_id: id, client_secret: secret, role, created_by: by } = made.body.data;
    expect([role, by, made.headers['cache-control']]).toEqual(['support', owner.clientId, 'no-store']);
    const token = await auth.token({ clientId: id, clientSecret: secret });
    const change = { name: 'Ada L', role: 'custom', scopes: ['audit:read'] };
    expect((await send(owner, 'PATCH', `/clients/${id}`, change)).status).toBe(200);
    await send(owner, 'PATCH', `/clients/${id}`, change);
    const renewed = await send(owner, 'POST', `/clients/${id}/rotate-secret`, {});
    expect(renewed.body.data.client_secret).not.toBe(secret);
    await expect(auth.token({ clientId: id, clientSecret: secret })).rejects.toThrow('invalid_client');
    expect((await send(owner, 'DELETE', `/clients/${id}`)).status).toBe(204);
    expect((await listed(id, owner)).revoked_at).not.toBeNull();
    expect((await send(owner, 'PATCH', `/clients/${id}`, change)).body.code).toBe('client_not_found');
    await eventually(async () => (await auth.call({ url: '/clients', token })).status === 401);
    expect(await entries(id)).toMatchObject([
      { action: 'client.created', client_id: owner.clientId, details: { kind: 'person', role: 'support' } },
      { action: 'client.updated', fields: ['name', 'role', 'scopes'], details: { scopes: ['audit:read'] } },
      { action: 'client.secret_rotated' },
      { action: 'client.revoked' },
    ]);
  });

  it('gives no right that it does not have, and takes no client over that has one', async () => {
    const owner = await auth.aClient();
    const hr = await auth.aClient(['clients:write', 'audit:read'], owner.merchantId);
    const tries = await Promise.all([
      send(hr, 'POST', '/clients', { name: 'x', role: 'owner' }),
      send(hr, 'POST', '/clients', { name: 'x', role: 'custom', scopes: ['audit:read', 'payments:read'] }),
      send(hr, 'PATCH', `/clients/${hr.clientId}`, { role: 'owner' }),
      send(hr, 'PATCH', `/clients/${owner.clientId}`, { name: 'x' }),
      send(hr, 'POST', `/clients/${owner.clientId}/rotate-secret`, {}),
      send(hr, 'DELETE', `/clients/${owner.clientId}`),
      send(await auth.aClient(['audit:read'], owner.merchantId), 'DELETE', `/clients/${hr.clientId}`),
    ]);
    expect(tries.map(({ body }) => body.code)).toEqual(tries.map(() => 'insufficient_scope'));
    const allowed = { name: 'x', role: 'custom', scopes: ['audit:read'] };
    expect((await send(hr, 'POST', '/clients', allowed)).status).toBe(201);
  });

  it('the last one stays, also if two go at once', async () => {
    const owner = await auth.aClient();
    const other = await auth.aClient(['clients:write'], owner.merchantId);
    const last = [
      await send(other, 'DELETE', `/clients/${other.clientId}`),
      await send(owner, 'PATCH', `/clients/${owner.clientId}`, { role: 'manager' }),
      await send(owner, 'DELETE', `/clients/${owner.clientId}`),
    ];
    expect(last.map(({ status, body }) => body?.code ?? status)).toEqual([204, 'last_owner', 'last_owner']);
    const [one, two] = [await auth.aClient(), await auth.aClient()];
    await database.pool.query('UPDATE api_clients SET merchant_id = $1 WHERE client_id = $2', [
      one.merchantId,
      two.clientId,
    ]);
    const gone = await Promise.all([one, two].map((each) => send(each, 'DELETE', `/clients/${each.clientId}`)));
    expect(gone.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('takes rights from tokens that were issued before', async () => {
    const owner = await auth.aClient();
    const reader = await auth.aClient(['audit:read', 'shops:read'], owner.merchantId);
    const token = await auth.token(reader);
    expect((await auth.call({ url: '/clients', token })).status).toBe(200);
    await send(owner, 'PATCH', `/clients/${reader.clientId}`, { role: 'custom', scopes: ['shops:read'] });
    await eventually(async () => (await auth.call({ url: '/clients', token })).status === 403);
  });

  it.each([
    [{ name: 'x' }, 'role'],
    [{ name: 'x', role: 'admin' }, 'role'],
    [{ name: 'x', role: 'custom' }, 'scopes'],
    [{ name: 'x', role: 'support', scopes: ['payments:read'] }, 'scopes'],
    [{ name: 'x', role: 'custom', scopes: ['all'] }, 'scopes'],
    [{ name: ' x', role: 'support' }, 'name'],
    [{ name: 'x', role: 'support', kind: 'robot' }, 'kind'],
  ])('names the wrong field of %j', async (body, field) => {
    const refused = await send(merchant, 'POST', '/clients', body);
    expect([refused.status, refused.body.errors[0]!.field]).toEqual([422, field]);
  });
});
