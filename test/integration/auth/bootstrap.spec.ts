import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiClientsService } from '../../../src/auth/api-clients.service.js';
import { BootstrapService, FIRST_CLIENT_LOCK } from '../../../src/auth/bootstrap.service.js';
import { MerchantsService } from '../../../src/auth/merchants.service.js';
import { SCOPES } from '../../../src/access/scopes.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { type AuthApplication, startAuth } from './auth-harness.js';

const ID = 'first';
const SECRET = 'the-secret-of-the-first-client';
const env = { BOOTSTRAP_CLIENT_ID: ID, BOOTSTRAP_CLIENT_SECRET: SECRET };

describe('the first client', () => {
  let database: TestDatabase;
  let applications: AuthApplication[];

  beforeEach(async () => {
    database = await createTestDatabase();
    applications = [];
  });

  afterEach(async () => {
    await Promise.all(applications.map((application) => application.close()));
    await database.drop();
  });

  const start = async (settings: Record<string, string> = env) => {
    const application = await startAuth(database, { env: settings });
    applications.push(application);
    return application;
  };
  const rows = async () => {
    const { rows: found } = await database.pool.query<{
      merchant: string;
      client: string;
      scopes: string[];
      hash: string;
    }>(
      `SELECT m.name AS merchant, c.client_id AS client, c.scopes, c.secret_hash AS hash
       FROM merchants m LEFT JOIN api_clients c ON c.merchant_id = m.id`,
    );
    return found;
  };
  const login = (application: AuthApplication, clientSecret = SECRET) =>
    application.token({ clientId: ID, clientSecret });

  it('appears at the first start, with a merchant and all scopes', async () => {
    const application = await start();
    expect(await rows()).toEqual([
      { merchant: 'Bootstrap merchant', client: ID, scopes: [...SCOPES], hash: expect.any(String) },
    ]);
    await login(application);
    expect(await database.dump()).not.toContain(SECRET);
    expect(application.logs()).not.toContain(SECRET);
  });

  it('appears once when processes start concurrently', async () => {
    await Promise.all([start(), start(), start(), start()]);
    expect(await rows()).toHaveLength(1);
  });

  it('waits for a process that takes long to create it', async () => {
    const held = await database.pool.connect();
    await held.query('BEGIN');
    await held.query(`SELECT pg_advisory_xact_lock($1)`, [FIRST_CLIENT_LOCK]);
    const starting = start();
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
    await login(await starting);
  });

  it('allows a longer idle transaction than usual, because its secret is hashed meanwhile', async () => {
    const bounds: unknown[] = [];
    jest.spyOn(MerchantsService.prototype, 'create').mockImplementation(async (name, on) => {
      bounds.push(await on!.query({ name: 'test.bound', text: 'SHOW idle_in_transaction_session_timeout' }));
      const text = 'INSERT INTO merchants (name) VALUES ($1) RETURNING id';
      return (await on!.query<{ id: number }>({ name: 'test.merchant', text }, [name]))[0]!;
    });
    await start();
    jest.restoreAllMocks();
    expect(bounds).toEqual([[{ idle_in_transaction_session_timeout: '1min' }]]);
  });

  it('stays unchanged for any configured secret; a difference is logged', async () => {
    await start();
    const before = await rows();
    const again = await start({ ...env, BOOTSTRAP_CLIENT_SECRET: 'another-secret-of-the-client' });
    expect(await rows()).toEqual(before);
    expect(again.logs()).toContain(`BOOTSTRAP_CLIENT_SECRET is not the secret of '${ID}'`);
    await login(again);
    const same = await start();
    expect(same.logs()).not.toContain('is not the secret of');
  });

  it('causes a warning at later starts that its secret is no longer needed', async () => {
    const warning = `BOOTSTRAP_CLIENT_SECRET is no longer needed, because the client '${ID}' exists`;
    expect((await start()).logs()).not.toContain(warning);
    const again = await start();
    expect(again.logs()).toContain(warning);
    expect(again.logs()).not.toContain(SECRET);
    expect((await start({})).logs()).not.toContain(warning);
  });

  it('stays revoked', async () => {
    const application = await start();
    await application.app.get(ApiClientsService).revoke(ID);
    const again = await start();
    expect(again.logs()).toContain(`the bootstrap client '${ID}' is revoked`);
    await expect(login(again)).rejects.toThrow('invalid_client');
  });

  it('needs its settings', async () => {
    await start({});
    expect(await rows()).toEqual([]);
  });

  it('exists for a demo only if no other client exists', async () => {
    const application = await start({});
    const bootstrap = application.app.get(BootstrapService);
    const made = await Promise.all([bootstrap.createDemoClient(), bootstrap.createDemoClient()]);
    const credentials = made.filter((one) => one !== null);
    expect(credentials).toEqual([
      {
        clientId: expect.stringMatching(/^client_[\w-]{22}$/),
        clientSecret: expect.stringMatching(/^secret_[\w-]{43}$/),
      },
    ]);
    await application.token(credentials[0]);
    expect(await rows()).toMatchObject([{ merchant: 'Demo merchant', scopes: [...SCOPES] }]);
    expect(await bootstrap.createDemoClient()).toBeNull();
  });
});
