import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { connectionFailure, type Dialling } from './connection-failure.js';

const failureOf = (code: string, stage: Dialling['stage']): string =>
  connectionFailure(Object.assign(new Error('of Node'), { code, errno: -1 }), { stage, socket: new Socket() }).code;

describe('the failure of a connection', () => {
  it.each([
    ['EMFILE', 'connecting'],
    ['ENFILE', 'connecting'],
    ['ENOBUFS', 'connecting'],
    ['ECONNREFUSED', 'resolving'], // no name server is there, or no file descriptor to ask it with
  ] as const)('is ours with %s while %s, where nothing was sent', (code, stage) => {
    expect(failureOf(code, stage)).toBe('local_failure');
  });

  it.each([
    ['ECONNREFUSED', 'connecting', 'connect_failed'],
    ['EADDRNOTAVAIL', 'connecting', 'connect_failed'], // also an IPv6 address on a machine without IPv6
    ['ENOTFOUND', 'resolving', 'dns_failed'],
    ['ESERVFAIL', 'resolving', 'dns_failed'],
    ['EMFILE', 'open', 'connection_reset'],
  ] as const)("is the receiver's with %s while %s", (code, stage, expected) => {
    expect(failureOf(code, stage)).toBe(expected);
  });
});
