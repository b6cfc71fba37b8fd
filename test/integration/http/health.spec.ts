import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startRedis, type TestRedis } from '../../support/redis.js';
import { startRole, type TestApplication } from './running.js';

let database: TestDatabase;
let redis: TestRedis;
beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startRedis()]);
});
afterAll(async () => {
  await redis.stop();
  await database.drop();
});

/** Lets nobody into the database, and throws out whoever is in. */
async function closeDatabase(open: boolean): Promise<void> {
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${open}`);
  if (!open) await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  await client.end();
}

describe.each(['api', 'worker'] as const)('the %s', (role) => {
  let app: TestApplication;
  beforeAll(async () => {
    app = await startRole(role, database.url, redis.url);
  });
  afterAll(() => app.stop());

  it('is alive and ready, without a token', async () => {
    expect((await app.get('/health/live')).body).toEqual({ status: 'ok' });
    const ready = await app.get('/health/ready');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ok', checks: { database: 'up', queue: 'up' } }]);
  });

  it('tells that the queue is down, and that it is back', async () => {
    await redis.kill();
    await eventually(async () => {
      const { status, body } = await app.get('/health/ready');
      expect([status, body]).toEqual([503, { status: 'unavailable', checks: { database: 'up', queue: 'down' } }]);
    });
    expect((await app.get('/health/live')).status).toBe(200);
    await redis.restart();
    await eventually(async () => expect((await app.get('/health/ready')).status).toBe(200));
  });

  it('tells that the database is down, and that it is back', async () => {
    await closeDatabase(false);
    await eventually(async () => {
      const { status, body } = await app.get('/health/ready');
      expect([status, body]).toEqual([503, { status: 'unavailable', checks: { database: 'down', queue: 'up' } }]);
    });
    await closeDatabase(true);
    await eventually(async () => expect((await app.get('/health/ready')).status).toBe(200));
  });

  it('gives its metrics to Prometheus', async () => {
    const { status, headers, text } = await app.get('/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toMatch(/http_request_duration_seconds_count\{method="GET",route="\/health\/live",status="200"\}/);
    expect(text).toContain('queue_jobs');
  });
});

describe('an application that stops', () => {
  it('answers what is in flight, is not ready any more, and takes no new connection', async () => {
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

  it('breaks off what does not end when it is told to', async () => {
    const app = await startRole('api', database.url);
    const request = await openConnection(app, TOKEN_REQUEST);
    const stopped = app.stop();
    app.abort();
    expect(await request.finish('')).toBe('');
    await stopped;
  });
});

/** A request whose body lacks its last byte. */
const TOKEN_REQUEST =
  'POST /auth/token HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';

/** Sends `text` and waits until the server has read it. `finish` sends the rest and reads until the server closes. */
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
