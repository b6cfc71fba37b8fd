import {
  type Authority,
  createAuthority,
  daysFromNow,
  selfSigned,
  type Certificate,
} from '../servers/hostile-certificates.js';
import { startHostileDns } from './hostile-dns.js';
import { answerOk, misbehavingReceivers, startRawReceiver, type RawReceiver } from './hostile-receivers.js';
import type { OutboundErrorCode } from '../../../src/platform/outbound/outbound-result.js';

/** The URL of a receiver, and the result that an attempt must have. */
export interface MisbehavingEndpoint {
  name: string;
  url: string;
  result: OutboundErrorCode | number;
}

/** Printed by the process when all receivers listen. */
export interface MisbehavingReceivers {
  endpoints: MisbehavingEndpoint[];
  /** A receiver that answers 200 at once. */
  healthy: string;
  /** `address:port` of the name server for the names in `endpoints`. */
  dns: string;
  /** PEM of the authority that the worker must trust. */
  ca: string;
}

async function startMisbehaving(): Promise<MisbehavingReceivers> {
  const authority = createAuthority('Authority of the tests');
  const healthy = await startRawReceiver(answerOk);
  const dns = await startHostileDns(addressesOf);
  const endpoints = [...(await overTcp()), ...(await overTls(authority)), ...byName(healthy)];
  return { endpoints, healthy: `http://127.0.0.1:${healthy.port}`, dns: dns.server, ca: authority.cert };
}

async function overTcp(): Promise<MisbehavingEndpoint[]> {
  const endpoints: MisbehavingEndpoint[] = [];
  for (const { name, behave, onConnect, result } of misbehavingReceivers()) {
    const { port } = await startRawReceiver(behave, { onConnect });
    endpoints.push({ name, url: `http://127.0.0.1:${port}`, result });
  }
  return endpoints;
}

async function overTls(authority: Authority): Promise<MisbehavingEndpoint[]> {
  const name = 'receiver.test';
  const certificates: [string, Certificate, OutboundErrorCode | number][] = [
    ['has a good certificate', authority.issue({ names: [name] }), 200],
    [
      'has an expired certificate',
      authority.issue({ names: [name], notBefore: daysFromNow(-2), notAfter: daysFromNow(-1) }),
      'tls_invalid',
    ],
    ['has a self-signed certificate', selfSigned({ names: [name] }), 'tls_invalid'],
    ['has a certificate for another name', authority.issue({ names: ['other.test'] }), 'tls_invalid'],
  ];
  const endpoints: MisbehavingEndpoint[] = [];
  for (const [what, tls, result] of certificates) {
    endpoints.push(httpsTo(name, what, await startRawReceiver(answerOk, { tls }), result));
  }
  const plain = await startRawReceiver(answerOk, {
    onConnect: (socket) => void socket.write('HTTP/1.1 400 Bad\r\n\r\n'),
  });
  const mute = await startRawReceiver(answerOk);
  return [
    ...endpoints,
    httpsTo(name, 'answers HTTP instead of TLS', plain, 'tls_failed'),
    httpsTo(name, 'never ends its handshake', mute, 'connect_timeout'),
  ];
}

const httpsTo = (
  host: string,
  name: string,
  { port }: RawReceiver,
  result: MisbehavingEndpoint['result'],
): MisbehavingEndpoint => ({ name, url: `https://${host}:${port}`, result });

const NAMES: Record<string, OutboundErrorCode> = {
  'silent.test': 'dns_timeout',
  'broken.test': 'dns_failed',
  'unknown.test': 'dns_failed',
  'private.test': 'forbidden_address',
};

const byName = (healthy: RawReceiver): MisbehavingEndpoint[] =>
  Object.entries(NAMES).map(([host, result]) => httpsTo(host, `is called ${host}`, healthy, result));

function addressesOf(name: string): string[] | 'nxdomain' | 'servfail' | 'silence' {
  if (name === 'receiver.test') return ['127.0.0.1'];
  if (name === 'private.test') return ['10.0.0.1'];
  if (name === 'silent.test') return 'silence';
  return name === 'broken.test' ? 'servfail' : 'nxdomain';
}

// A separate process, so that its CPU time is not the worker's; it exits at the end of its stdin.
process.stdin.resume().once('end', () => process.exit(0));
process.stdout.write(`${JSON.stringify(await startMisbehaving())}\n`);
