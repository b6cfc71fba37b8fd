import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DatabaseGauges } from '../../../src/platform/database/database-gauges.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { startRedis, type TestRedis } from '../../support/servers/redis.js';
import { CuttableProxy } from './cuttable-proxy.js';
import { startRole, type TestApplication } from './running.js';

let database: TestDatabase;
let redis: TestRedis;
beforeAll(async () => {
  jest.spyOn(DatabaseGauges.prototype, 'freshMs', 'get').mockReturnValue(50);
  [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
});
afterAll(async () => {
  await redis.stop();
  await database.drop();
});

describe.each(['api', 'worker'] as const)('The %s', (role) => {
  let app: TestApplication;
  let proxy: CuttableProxy;
  beforeAll(async () => {
    proxy = await CuttableProxy.before(new URL(database.url));
    app = await startRole(role, proxy.through(database.url), redis.url);
  });
  afterAll(async () => {
    await app.stop();
    await proxy.cut();
  });

  it('reports alive and ready, without a token', async () => {
    expect((await app.get('/health/live')).body).toEqual({ status: 'ok' });
    // a database that responds late on a busy machine counts as down
    await eventually(async () => {
      const ready = await app.get('/health/ready');
      expect([ready.status, ready.body]).toEqual([200, { status: 'ok', checks: { database: 'up', queue: 'up' } }]);
    });
  });

  it('stays ready, degraded, while the queue is down, and reports that in its metrics', async () => {
    await redis.kill();
    await eventually(async () => {
      const { status, body } = await app.get('/health/ready');
      expect([status, body]).toEqual([200, { status: 'degraded', checks: { database: 'up', queue: 'down' } }]);
    });
    expect((await app.get('/health/live')).status).toBe(200);
    expect((await app.get('/metrics')).text).toMatch(/^queue_up 0$/m);
    await redis.restart();
    await eventually(async () => {
      expect((await app.get('/health/ready')).body).toEqual({ status: 'ok', checks: { database: 'up', queue: 'up' } });
    });
    await eventually(async () => expect((await app.get('/metrics')).text).toMatch(/^queue_up 1$/m));
  });

  it('reports not ready while the database is down, and ready when it is back', async () => {
    await proxy.cut();
    await eventually(async () => {
      const { status, body } = await app.get('/health/ready');
      expect([status, body]).toEqual([503, { status: 'unavailable', checks: { database: 'down', queue: 'up' } }]);
    });
    if (role === 'api') await expectOutage(app);
    // results from before the outage are reused for a moment
    await eventually(async () => {
      const { status, text } = await app.get('/metrics');
      expect([status, ROW_GAUGES.filter((name) => hasValue(text, name))]).toEqual([200, []]);
    });
    await proxy.restore();
    await eventually(async () => expect((await app.get('/health/ready')).status).toBe(200));
    await eventually(async () => {
      const { text } = await app.get('/metrics');
      expect(ROW_GAUGES.filter((name) => !hasValue(text, name))).toEqual([]);
    });
  });

  it('serves metrics for Prometheus', async () => {
    await app.get('/health/live');
    const { status, headers, text } = await app.get('/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/health\/live",status="200"\}/);
    expect(text).toContain('queue_jobs');
  });
});

const ROW_GAUGES = [
  'database_oldest_snapshot_seconds',
  'provider_notifications_oldest_waiting_seconds',
  'provider_notifications_waiting',
  'provider_operations_oldest_seconds',
  'provider_operations_open',
  'shops_unhealthy',
  'webhook_deliveries_pending',
  'webhook_endpoints_failing',
  'webhook_lanes_due',
  'webhook_oldest_due_seconds',
];
const hasValue = (metrics: string, name: string): boolean => new RegExp(`^${name}[ {]`, 'm').test(metrics);

/** Requests that need the database are refused with `Retry-After`. */
async function expectOutage({ address }: TestApplication): Promise<void> {
  const body = { grant_type: 'client_credentials', client_id: 'unknown', client_secret: 'something' };
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${address}/auth/token`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await answer.json()).toMatchObject({ code: 'dependency_unavailable', success: false });
}

describe('A stopping application', () => {
  it('answers requests in flight, reports not ready, and accepts no new connections', async () => {
    const app = await startRole('api', database.url);
    const request = await openConnection(app, TOKEN_REQUEST);
    const readiness = await openConnection(app, 'GET /health/ready HTTP/1.1\r\nhost: a\r\n');
    const silent = await openConnection(app, '');
    const stopped = app.stop();

    await eventually(() => expect(fetch(`${app.address}/health/live`)).rejects.toThrow());
    expect(await readiness.finish('\r\n')).toMatch(/^HTTP\/1.1 503 [^]*"status":"shutting_down"/);
    expect(await request.finish('}')).toMatch(/^HTTP\/1.1 400 [^]*"error":"invalid_request"/);
    expect(await silent.finish('')).toBe('');
    await stopped;
  });

  it('cuts off no request on keep-alive connections, and asks their clients to close them', async () => {
    const app = await startRole('api', database.url);
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const { hostname, port } = new URL(app.address);
    const ask = () =>
      new Promise<string>((resolve, reject) => {
        const request = get({ agent, hostname, port, path: '/health/live' }, (answer) => {
          answer.resume().once('end', () => resolve(answer.headers.connection ?? ''));
        });
        request.once('error', reject);
      });
    const askUntilClosed = async (): Promise<string> => {
      for (;;) if ((await ask()) === 'close') return 'notified';
    };
    expect(await Promise.all(Array.from({ length: CLIENTS }, ask))).not.toContain('close');
    const clients = Promise.all(Array.from({ length: CLIENTS }, askUntilClosed));
    await app.stop();
    expect(new Set(await clients)).toEqual(new Set(['notified']));
    agent.destroy();
  });

  it('cuts off requests that do not end when it is aborted', async () => {
    const app = await startRole('api', database.url);
    const request = await openConnection(app, TOKEN_REQUEST);
    const stopped = app.stop();
    app.abort();
    expect(await request.finish('')).toBe('');
    await stopped;
  });
});

const CLIENTS = 8;

/** A request without the last byte of its body. */
const TOKEN_REQUEST =
  'POST /auth/token HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';

/**
 * Sends `text` and waits until the server has read it. `finish` sends the rest and reads until the server closes the
 * connection.
 */
async function openConnection(app: TestApplication, text: string): Promise<{ finish(rest: string): Promise<string> }> {
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const socket = connect(Number(new URL(app.address).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString())).on('error', () => undefined);
  const closed = once(socket, 'close');
  if (text !== '') socket.write(text);
  const [serverSide] = await accepted;
  await eventually(() => serverSide.bytesRead === text.length);
  return {
    finish: async (rest) => {
      if (rest !== '') socket.write(rest);
      await closed;
      return received;
    },
  };
}
