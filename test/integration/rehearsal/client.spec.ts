import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AnswerRecord, ApiClient } from '../../../bench/chaos/client.js';

let server: Server;
let client: ApiClient;
let journal: AnswerRecord[];
let logins: number;
let valid: string;

beforeEach(async () => {
  logins = 0;
  valid = 'token-1';
  journal = [];
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/auth/token') {
      logins += 1;
      response.end(JSON.stringify({ access_token: valid }));
    } else {
      const isKnown = request.headers.authorization === `Bearer ${valid}`;
      response.writeHead(isKnown ? 200 : 401).end(JSON.stringify({ code: isKnown ? 'fine' : 'invalid_token' }));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const onAnswer = (record: AnswerRecord) => journal.push(record);
  client = new ApiClient(`http://127.0.0.1:${port}`, { onAnswer, renewsToken: true });
  await client.login();
});
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await once(server.close(), 'close');
});

describe('the client of a rehearsal', () => {
  it('asks for one new token when several calls are refused at once', async () => {
    valid = 'token-2';
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.call('list', 'GET', '/shops')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(logins).toBe(2);
    expect(client.unexpectedAnswers).toEqual([]);
  });

  it('reports an unexpected answer when the new token is refused as well', async () => {
    client.token = 'stale';
    server.removeAllListeners('request').on('request', (_request, response) => response.writeHead(401).end('{}'));
    expect((await client.call('list', 'GET', '/shops')).status).toBe(401);
    expect(client.unexpectedCount).toBeGreaterThan(0);
  });

  it('records every answer, including refusals', async () => {
    valid = 'token-2';
    await client.call('list', 'GET', '/shops');
    const seen = journal.map(({ name, answer }) => `${name} ${answer}`);
    expect(seen).toEqual(['login 200', 'list 401 invalid_token', 'login 200', 'list 200']);
  });
});
