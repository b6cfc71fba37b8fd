import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ApiClientsService } from '../../../src/auth/api-clients.service.js';
import { BootstrapService, FIRST_CLIENT_LOCK } from '../../../src/auth/bootstrap.service.js';
import { MerchantsService } from '../../../src/auth/merchants.service.js';
import { SCOPES } from '../../../src/access/scopes.js';
import { Database } from '../../../src/platform/database/database.js';
import { insertClient } from '../../support/app/insert-client.js';
import type { ClientCredentials } from '../../support/app/settings.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { type AuthApplication, startAuth } from './auth-harness.js';

const FIRST = { id: 'first', secret: 'the-secret-of-the-first-client' };
let made = 0;
const another = (): ClientCredentials => ({ id: `first-${(made += 1)}`, secret: FIRST.secret });

describe('the first client', () => {
  let database: TestDatabase;
  let application: AuthApplication;

  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { BOOTSTRAP_CLIENT_ID: FIRST.id, BOOTSTRAP_CLIENT_SECRET: FIRST.secret };
    application = await startAuth(database, { env });
  });
  afterAll(async () => {
    await application.close();
    await database.drop();
  });

  const rowsOf = async (clientId: string) => {
    const { rows } = await database.pool.query<{ merchant: string; client: string; scopes: string[]; hash: string }>(
      `SELECT m.name AS merchant, c.client_id AS client, c.scopes, c.secret_hash AS hash
       FROM merchants m JOIN api_clients c ON c.merchant_id = m.id WHERE c.client_id = $1`,
      [clientId],
    );
    return rows;
  };
  /** Does what a process with this client in its settings does at its start; returns what it logs. */
  const start = async (bootstrapClient: ClientCredentials | undefined): Promise<string> => {
    const before = application.logs().length;
    const { app } = application;
    const settings = { bootstrapClient, databaseUrl: database.url };
    await new BootstrapService(
      settings,
      app.get(Database),
      app.get(MerchantsService),
      app.get(ApiClientsService),
    ).onApplicationBootstrap();
    return application.logs().slice(before);
  };
  const login = ({ id, secret }: ClientCredentials) => application.token({ clientId: id, clientSecret: secret });

  it('appears at the first start, with a merchant and all scopes', async () => {
    expect(await rowsOf(FIRST.id)).toEqual([
      { merchant: 'Bootstrap merchant', client: FIRST.id, scopes: [...SCOPES], hash: expect.any(String) },
    ]);
    await login(FIRST);
    expect(await database.dump()).not.toContain(FIRST.secret);
    expect(application.logs()).not.toContain(FIRST.secret);
  });

  it('appears once when processes start concurrently', async () => {
    const client = another();
    const logs = await Promise.all([start(client), start(client)]);
    expect(await rowsOf(client.id)).toHaveLength(1);
    expect(logs.join('\n')).toContain(`created the bootstrap client '${client.id}'`);
    const { rows } = await database.pool.query(
      `SELECT FROM merchants m WHERE NOT EXISTS (SELECT FROM api_clients c WHERE c.merchant_id = m.id)`,
    );
    expect(rows).toEqual([]);
  });

  it('waits for a process that takes long to create it', async () => {
    const client = another();
    const held = await database.pool.connect();
    await held.query('BEGIN');
    await held.query(`SELECT pg_advisory_xact_lock($1)`, [FIRST_CLIENT_LOCK]);
    const starting = start(client);
    // longer than any other lock wait
    await eventually(async () => {
      const { rows: waiting } = await database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
         AND clock_timestamp() - query_start > interval '600 ms'`,
      );
      expect(waiting).toHaveLength(1);
    });
    await held.query('COMMIT');
    held.release();
    await starting;
    expect(await rowsOf(client.id)).toHaveLength(1);
  });

  it('allows a longer idle transaction than usual, because its secret is hashed meanwhile', async () => {
    const bounds: unknown[] = [];
    const create = jest.spyOn(MerchantsService.prototype, 'create').mockImplementation(async (name, on) => {
      bounds.push(await on!.query({ name: 'test.bound', text: 'SHOW idle_in_transaction_session_timeout' }));
      const text = 'INSERT INTO merchants (name) VALUES ($1) RETURNING id';
      return (await on!.query<{ id: number }>({ name: 'test.merchant', text }, [name]))[0]!;
    });
    await start(another());
    create.mockRestore();
    expect(bounds).toEqual([[{ idle_in_transaction_session_timeout: '1min' }]]);
  });

  it('stays unchanged for any configured secret, which is no longer needed; a difference is logged', async () => {
    const client = await insertClient(database, another());
    const before = await rowsOf(client.id);
    const logs = await start({ ...client, secret: 'another-secret-of-the-client' });
    expect(await rowsOf(client.id)).toEqual(before);
    expect(logs).toContain(`BOOTSTRAP_CLIENT_SECRET is not the secret of '${client.id}'`);
    await login(client);
    const same = await start(client);
    expect(same).not.toContain('is not the secret of');
    const warning = 'BOOTSTRAP_CLIENT_SECRET is no longer needed, because the client';
    expect(same).toContain(`${warning} '${client.id}' exists`);
    expect(same).not.toContain(client.secret);
    expect(application.logs()).not.toContain(`${warning} '${FIRST.id}' exists`);
    expect(await start(undefined)).toBe('');
  });

  it('stays revoked', async () => {
    const client = await insertClient(database, another());
    await application.app.get(ApiClientsService).revoke(client.id);
    expect(await start(client)).toContain(`the bootstrap client '${client.id}' is revoked`);
    await expect(login(client)).rejects.toThrow('invalid_client');
  });
});

describe('a client for a demo', () => {
  it('exists only if no other client exists; without settings there is none', async () => {
    const database = await createTestDatabase();
    const application = await startAuth(database);
    const clients = async () => (await database.pool.query<object>('SELECT scopes FROM api_clients')).rows;
    expect(await clients()).toEqual([]);
    const bootstrap = application.app.get(BootstrapService);
    const demo = await Promise.all([bootstrap.createDemoClient(), bootstrap.createDemoClient()]);
    const credentials = demo.filter((one) => one !== null);
    expect(credentials).toEqual([
      {
        clientId: expect.stringMatching(/^client_[\w-]{22}$/),
        clientSecret: expect.stringMatching(/^secret_[\w-]{43}$/),
      },
    ]);
    await application.token(credentials[0]);
    expect(await clients()).toEqual([{ scopes: [...SCOPES] }]);
    expect((await database.pool.query('SELECT name FROM merchants')).rows).toEqual([{ name: 'Demo merchant' }]);
    expect(await bootstrap.createDemoClient()).toBeNull();
    await application.close();
    await database.drop();
  });
});
