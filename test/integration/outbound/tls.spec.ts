import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { OutboundResult } from '../../../src/platform/outbound/outbound-result.js';
import {
  createAuthority,
  daysFromNow,
  selfSigned,
  type Certificate,
} from '../../support/servers/hostile-certificates.js';
import { outboundTo, ScriptedResolver } from '../../support/hostile/hostile-outbound.js';
import { answerOk, startRawReceiver, type RawReceiver } from '../../support/hostile/hostile-receivers.js';

const NAME = 'receiver.test';
const authority = createAuthority('Test authority');
const good = authority.issue({ names: [NAME] });

describe('OutboundHttp with https', () => {
  const outbound = outboundTo({ ca: authority.cert }, new ScriptedResolver(() => ['127.0.0.1']));
  const receivers: RawReceiver[] = [];

  const start = async (certificate: Certificate, onConnect?: (socket: Socket) => void) => {
    const receiver = await startRawReceiver(answerOk, { tls: certificate, onConnect });
    receivers.push(receiver);
    return receiver;
  };
  const post = (receiver: RawReceiver, host = NAME, timeoutMs = 1_500): Promise<OutboundResult> =>
    outbound.post({ url: `https://${host}:${receiver.port}/hook`, body: '{}', headers: {}, timeoutMs });

  afterEach(async () => {
    for (const receiver of receivers.splice(0)) await receiver.close();
  });
  afterAll(() => outbound.onApplicationShutdown());

  it.each([NAME, `${NAME}.`])('posts to %s with its name in SNI, and keeps the connection', async (host) => {
    const names: unknown[] = [];
    const receiver = await start(good, (socket) => names.push((socket as TLSSocket).servername));
    for (let i = 0; i < 3; i += 1) expect(await post(receiver, host)).toMatchObject({ statusCode: 200, error: null });
    expect(names).toEqual([NAME]);
    expect(receiver.requests[0]).toContain(`host: ${NAME}:${receiver.port}\r\n`);
  });

  it.each<[string, Certificate]>([
    ['self-signed', selfSigned({ names: [NAME] })],
    ['expired', authority.issue({ names: [NAME], notBefore: daysFromNow(-2), notAfter: daysFromNow(-1) })],
    ['not yet valid', authority.issue({ names: [NAME], notBefore: daysFromNow(1), notAfter: daysFromNow(2) })],
    ['for another name', authority.issue({ names: ['other.test'] })],
    ['for no name', authority.issue({ names: [] })],
    ['from an unknown authority', createAuthority('Other authority').issue({ names: [NAME] })],
    ['from another authority with the same name', createAuthority('Test authority').issue({ names: [NAME] })],
  ])('refuses a certificate that is %s, and sends nothing', async (_what, certificate) => {
    const receiver = await start(certificate);
    expect(await post(receiver)).toMatchObject({ statusCode: null, error: 'tls_invalid' });
    expect(await post(receiver)).toMatchObject({ statusCode: null, error: 'tls_invalid' });
    expect(receiver.requests).toEqual([]);
  });

  it('refuses a certificate for a host name when the URL has its address', async () => {
    const receiver = await start(good);
    expect(await post(receiver, '127.0.0.1')).toMatchObject({ error: 'tls_invalid' });
    expect(receiver.requests).toEqual([]);
  });

  it('verifies certificates also when the environment disables it', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await post(await start(selfSigned({ names: [NAME] })))).toMatchObject({ error: 'tls_invalid' });
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });

  it('reports a failed handshake', async () => {
    const receiver = await startRawReceiver(answerOk, {
      onConnect: (socket) => socket.write('HTTP/1.1 400 Bad\r\n\r\n'),
    });
    receivers.push(receiver);
    expect(await post(receiver)).toMatchObject({ statusCode: null, error: 'tls_failed' });
  });

  it('reports a handshake that the receiver aborts', async () => {
    const receiver = await startRawReceiver(answerOk, { onConnect: (socket) => socket.end() });
    receivers.push(receiver);
    expect(await post(receiver)).toMatchObject({ statusCode: null, error: 'tls_failed' });
  });

  it('refuses outdated TLS', async () => {
    const outdated = {
      ...good,
      minVersion: 'TLSv1' as const,
      maxVersion: 'TLSv1.1' as const,
      ciphers: 'ALL:@SECLEVEL=0',
    };
    expect(await post(await start(outdated))).toMatchObject({ statusCode: null, error: 'tls_failed' });
  });

  it('ends a handshake that does not finish', async () => {
    const receiver = await startRawReceiver(answerOk);
    receivers.push(receiver);
    expect(await post(receiver, NAME, 300)).toMatchObject({ statusCode: null, error: 'connect_timeout' });
  });
});
