import { createSocket, type RemoteInfo } from 'node:dgram';
import { isIP } from 'node:net';

/** The answer of a name server for a name: its addresses, an error, or none. */
export type HostileAnswer = string[] | 'nxdomain' | 'servfail' | 'silence';

export interface HostileDns {
  /** `address:port`, for a resolver. */
  server: string;
  /** All questions so far, such as `A name.test`. */
  questions: string[];
  close(): void;
}

const RCODES = { nxdomain: 3, servfail: 2 } as const;
const TYPES: Record<number, { name: string; version: number }> = {
  1: { name: 'A', version: 4 },
  28: { name: 'AAAA', version: 6 },
};

/** A DNS server (RFC 1035, UDP on loopback) that answers each question with `answerOf`. */
export async function startHostileDns(answerOf: (name: string, type: string) => HostileAnswer): Promise<HostileDns> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type, end } = questionOf(query);
    questions.push(`${TYPES[type]?.name ?? type} ${name}`);
    const answer = answerOf(name, TYPES[type]?.name ?? '');
    if (answer !== 'silence') socket.send(reply(query, type, end, answer), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}`, questions, close: () => socket.close() };
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function reply(query: Buffer, type: number, end: number, answer: Exclude<HostileAnswer, 'silence'>): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2); // the question's id
  header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? RCODES[answer] : 0), 2);
  header.writeUInt16BE(1, 4);
  const addresses =
    typeof answer === 'string' ? [] : answer.filter((address) => isIP(address) === TYPES[type]?.version);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([header, query.subarray(12, end), ...addresses.map((address) => record(type, address))]);
}

function record(type: number, address: string): Buffer {
  const data = type === 1 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]); // the question's name, IN, TTL 0
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1); // IPv4 in the tail becomes hexadecimal
  const [head = '', tail] = canonical.split('::');
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'));
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0');
  const bytes = Buffer.alloc(16);
  [...groups(head), ...zeros, ...groups(tail)].forEach((group, i) => bytes.writeUInt16BE(parseInt(group, 16), i * 2));
  return bytes;
}
