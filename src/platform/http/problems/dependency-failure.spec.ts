import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { isDependencyFailure } from './dependency-failure.js';

const rejectionOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);
const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('isDependencyFailure', () => {
  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    '57P01',
    '57P03',
    '08006',
    '53300',
    '40P01',
    '25006',
    '25P03',
    '57014',
    '58030',
    '28P01',
    '3D000',
    'EMFILE',
    'ENFILE',
    'EADDRNOTAVAIL',
  ])('returns true for the code %s', (code) => expect(isDependencyFailure(coded(code))).toBe(true));

  it.each(['23505', '22021', '42601', 'ENOENT', 'ERR_ASSERTION'])('returns false for the code %s', (code) =>
    expect(isDependencyFailure(coded(code))).toBe(false),
  );

  it('checks causes, driver errors and aggregates', () => {
    expect(isDependencyFailure(new Error('a', { cause: coded('ECONNREFUSED') }))).toBe(true);
    expect(isDependencyFailure(Object.assign(new Error('a'), { driverError: coded('57P01') }))).toBe(true);
    expect(isDependencyFailure(new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]))).toBe(true);
  });

  it('recognises messages of pg and ioredis without a code', () => {
    expect(isDependencyFailure(new Error('timeout exceeded when trying to connect'))).toBe(true);
    expect(isDependencyFailure(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isDependencyFailure(new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'))).toBe(
      true,
    );
    for (const text of [
      'LOADING Redis is loading the dataset in memory',
      'MISCONF Redis cannot save',
      'NOAUTH',
      'NOPERM',
    ]) {
      const reply = Object.assign(new Error(`${text} `), { name: 'ReplyError' });
      expect([text, isDependencyFailure(reply)]).toEqual([text, true]);
    }
    expect(isDependencyFailure(Object.assign(new Error('WRONGTYPE'), { name: 'ReplyError' }))).toBe(false);
  });

  it('recognises messages of ioredis about sentinels and clusters that cannot serve', async () => {
    const unreachableNode = { host: '127.0.0.1', port: 1 };
    const cluster = new Cluster([unreachableNode], { clusterRetryStrategy: () => null, enableOfflineQueue: false });
    const sentinels = new Redis({
      sentinels: [unreachableNode],
      name: 'payments',
      sentinelRetryStrategy: () => null,
      lazyConnect: true,
    });
    sentinels.on('error', () => undefined);
    const [unreachable] = (await once(cluster, 'error')) as [Error];
    const outages = [unreachable, await rejectionOf(cluster.get('a')), await rejectionOf(sentinels.connect())];
    expect(outages.map((error) => isDependencyFailure(error))).toEqual([true, true, true]);
    expect(isDependencyFailure(new Error('Too many Cluster redirections. Last error: Error: CLUSTERDOWN'))).toBe(true);
  });

  it('accepts anything that can be thrown, also an error that is its own cause', () => {
    const round = new Error('round');
    round.cause = round;
    for (const thrown of [round, undefined, null, 'text', 7]) expect(isDependencyFailure(thrown)).toBe(false);
  });
});
