import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { startServiceInProcess } from '../../support/app/in-process-service.js';
import { eventually } from '../../support/eventually.js';
import { startRole, type TestApplication } from './running.js';

const MAX_CONNECTIONS = 20;
const PROBES = ['/health/live', '/health/ready', '/metrics'];

let database: TestDatabase;
let app: TestApplication;
beforeAll(async () => {
  database = await createTestDatabase();
  app = await startRole('api', database.url, undefined, {
    MANAGEMENT_PORT: '0',
    HTTP_MAX_CONNECTIONS: String(MAX_CONNECTIONS),
  });
});
afterAll(async () => {
  await app?.stop();
  await database?.drop();
});

const status = async (url: string, method = 'GET'): Promise<number> => (await fetch(url, { method })).status;

describe('The management port', () => {
  it.each(PROBES)('answers %s, and the main port does not', async (path) => {
    expect(await status(app.managementAddress + path)).toBe(200);
    expect(await status(`${app.managementAddress}${path}?x=1`)).toBe(200);
    expect(await status(app.address + path)).toBe(404);
    expect(await status(app.address + path.replace('l', '%6C'))).toBe(404);
    expect(await status(app.address + path, 'DELETE')).toBe(404);
  });

  it.each(['/shops', '/auth/token', '/docs', '/openapi.json', '/nothing'])('answers 404 for %s', async (path) => {
    expect(await status(app.managementAddress + path)).toBe(404);
    expect(await status(app.managementAddress + path, 'POST')).toBe(404);
  });

  it('answers invalid HTTP like the main port', async () => {
    const socket = connect(Number(new URL(app.managementAddress!).port), '127.0.0.1');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.write('HELLO\r\n\r\n');
    await once(socket, 'close');
    expect(received).toContain('"code":"malformed_request"');
  });

  it('answers while all connections of the main port are in use', async () => {
    const sockets: Socket[] = [];
    let requests = 0;
    app.server.on('request', () => (requests += 1));
    for (let i = 0; i < MAX_CONNECTIONS; i += 1) {
      const socket = connect(Number(new URL(app.address).port), '127.0.0.1').on('error', () => undefined);
      socket.write(
        'POST /auth/token HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{',
      );
      sockets.push(socket);
    }
    // connections of the tests above are idle, and are closed for new ones
    await eventually(() => requests >= MAX_CONNECTIONS);
    await expect(fetch(`${app.address}/shops`)).rejects.toThrow();
    for (const path of PROBES) expect(await status(app.managementAddress + path)).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('logs the addresses on which both ports listen, not addresses for clients', async () => {
    const env = { HOST: '0.0.0.0', MANAGEMENT_PORT: '0', LOG_LEVEL: 'info' };
    const other = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env });
    const anywhere = expect.stringMatching(/^http:\/\/0\.0\.0\.0:\d+$/);
    const line = other
      .logs()
      .split('\n')
      .find((each) => each.includes('"msg":"listening"'));
    expect(JSON.parse(line!)).toMatchObject({ address: anywhere, managementAddress: anywhere });
    await other.stop();
  });

  it('answers not ready while the process stops, and closes with it', async () => {
    const other = await startRole('api', database.url, undefined, { MANAGEMENT_PORT: '0' });
    const body = 'POST /auth/token HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{';
    const socket = connect(Number(new URL(other.address).port), '127.0.0.1').on('error', () => undefined);
    socket.write(body);
    await once(other.server, 'request');
    const stopped = other.stop();
    await eventually(async () => expect(await status(`${other.managementAddress}/health/ready`)).toBe(503));
    socket.end('}');
    await stopped;
    socket.destroy();
    await expect(fetch(`${other.managementAddress}/health/live`)).rejects.toThrow();
  });

  it('makes the start fail, and is named, when it is in use', async () => {
    const { port } = new URL(app.managementAddress!);
    const start = startRole('api', database.url, undefined, { MANAGEMENT_PORT: port });
    await expect(start).rejects.toThrow(`MANAGEMENT_PORT: got ${port} (EADDRINUSE on 127.0.0.1)`);
  });
});
