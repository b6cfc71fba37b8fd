import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { connectionTo } from './connection.js';

/** AuthenticationSASL, then AuthenticationSASLContinue. https://www.postgresql.org/docs/18/protocol-message-formats.html */
const ASKS_FOR_PASSWORD = [
  Buffer.from('R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0', 'latin1'),
  Buffer.from('R\0\0\0\x0b\0\0\0\x0br=x', 'latin1'),
];

describe('connectionTo', () => {
  let server: Server;
  beforeEach(async () => {
    server = createServer((socket) => {
      const answers = [...ASKS_FOR_PASSWORD];
      socket.on('data', () => answers.length > 0 && socket.write(answers.shift()!));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => void server.close());

  it.each(['', '?target_session_attrs=read-write'])(
    'closes a connection whose login pg itself breaks off, with %j appended to the URL',
    async (parameters) => {
      const { port } = server.address() as AddressInfo;
      const accepted = once(server, 'connection') as Promise<[Socket]>;
      const pool = new pg.Pool(connectionTo(`postgres://app@127.0.0.1:${port}/app${parameters}`));
      const refused = expect(pool.connect()).rejects.toThrow('SASL');
      const [socket] = await accepted;
      const closed = once(socket, 'close');
      await refused;
      await closed;
      await pool.end();
    },
  );
});
