import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { connectionFailure, type SocketState } from './connection-failure.js';

const failureOf = (code: string, stage: SocketState['stage']): string =>
  connectionFailure(Object.assign(new Error('of Node'), { code, errno: -1 }), { stage, socket: new Socket() }).code;

describe('connectionFailure', () => {
  it.each([
    ['EMFILE', 'connecting'],
    ['ENFILE', 'connecting'],
    ['ENOBUFS', 'connecting'],
    ['ECONNREFUSED', 'resolving'], // no name server is listening, or no file descriptor is left
  ] as const)('reports a local failure for %s while %s, before anything was sent', (code, stage) => {
    expect(failureOf(code, stage)).toBe('local_failure');
  });

  it.each([
    ['ECONNREFUSED', 'connecting', 'connect_failed'],
    ['EADDRNOTAVAIL', 'connecting', 'connect_failed'], // also an IPv6 address on a machine without IPv6
    ['ENOTFOUND', 'resolving', 'dns_failed'],
    ['ESERVFAIL', 'resolving', 'dns_failed'],
    ['EMFILE', 'open', 'connection_reset'],
  ] as const)("reports the receiver's failure for %s while %s", (code, stage, expected) => {
    expect(failureOf(code, stage)).toBe(expected);
  });
});
