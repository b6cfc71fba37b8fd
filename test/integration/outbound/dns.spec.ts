import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemHostResolver } from '../../../src/platform/addresses/host-resolver.js';
import type { OutboundHttp } from '../../../src/platform/outbound/outbound-http.service.js';
import type { OutboundResult } from '../../../src/platform/outbound/outbound-result.js';
import { eventually } from '../../support/eventually.js';
import { startHostileDns, type HostileAnswer, type HostileDns } from '../../support/hostile/hostile-dns.js';
import { outboundTo, ScriptedResolver } from '../../support/hostile/hostile-outbound.js';
import { answerOk, startRawReceiver, type RawReceiver } from '../../support/hostile/hostile-receivers.js';

/** For posts that must not end by their time-out. */
const LONG_MS = 50_000;

describe('OutboundHttp and names', () => {
  let receiver: RawReceiver;
  let outbound: OutboundHttp;

  beforeAll(async () => {
    receiver = await startRawReceiver(answerOk);
  });
  afterEach(() => outbound.onApplicationShutdown());
  afterAll(() => receiver.close());

  const post = (host: string, timeoutMs = LONG_MS): Promise<OutboundResult> =>
    outbound.post({ url: `http://${host}:${receiver.port}/${host}`, body: '{}', headers: {}, timeoutMs });
  const requestsFor = (host: string) =>
    receiver.requests.filter((request) => request.startsWith(`POST /${host} `)).length;

  describe('from a resolver that rebinds', () => {
    // 127.0.0.1 is allowed and represents a public address, 127.0.0.2 a private one; the receiver listens on the first.
    it('connects to the address that was checked, with a single look-up', async () => {
      const resolver = new ScriptedResolver((_host, time) => [time === 1 ? '127.0.0.1' : '127.0.0.2']);
      outbound = outboundTo({}, resolver);
      expect(await post('first.test')).toMatchObject({ statusCode: 200 });
      expect(resolver.asked).toEqual(['first.test']);
    });

    it('refuses the next connection when the name has a forbidden address by then', async () => {
      outbound = outboundTo({}, new ScriptedResolver((_host, time) => [time === 1 ? '127.0.0.1' : '127.0.0.2']));
      expect(await post('second.test')).toMatchObject({ statusCode: 200 });
      outbound.onApplicationShutdown(); // closes the connection that is kept
      outbound = outboundTo({}, new ScriptedResolver(() => ['127.0.0.2']));
      expect(await post('second.test')).toMatchObject({ statusCode: null, error: 'forbidden_address' });
      expect(requestsFor('second.test')).toBe(1);
    });

    it.each([
      [['127.0.0.1', '127.0.0.2']],
      [['127.0.0.2', '127.0.0.1']],
      [['127.0.0.1', '::1']],
      [['127.0.0.1', '::ffff:127.0.0.2']],
    ])('refuses a name with any forbidden address: %j', async (addresses) => {
      outbound = outboundTo({}, new ScriptedResolver(() => addresses));
      expect(await post('mixed.test')).toMatchObject({ statusCode: null, error: 'forbidden_address' });
      expect(requestsFor('mixed.test')).toBe(0);
    });

    it('tries the next address when one does not respond', async () => {
      outbound = outboundTo({}, new ScriptedResolver(() => ['127.0.0.3', '127.0.0.1']));
      expect(await post('twice.test')).toMatchObject({ statusCode: 200 });
    });

    it('never connects after a time-out of the look-up', async () => {
      let answer: (addresses: string[]) => void = () => undefined;
      outbound = outboundTo({}, new ScriptedResolver(() => new Promise((resolve) => (answer = resolve))));
      const before = receiver.connections;
      expect(await post('late.test', 100)).toMatchObject({ statusCode: null, error: 'dns_timeout' });
      answer(['127.0.0.1']);
      const later = outboundTo();
      outbound.onApplicationShutdown();
      outbound = later;
      expect(await post('127.0.0.1')).toMatchObject({ statusCode: 200 });
      expect([requestsFor('late.test'), receiver.connections]).toEqual([0, before + 1]);
    });
  });

  describe('from a DNS server', () => {
    let dns: HostileDns;
    const zone: Record<string, HostileAnswer> = {
      'good.test': ['127.0.0.1'],
      'many.test': ['127.0.0.1'],
      'private.test': ['10.0.0.1'],
      'mapped.test': ['::ffff:127.0.0.2'],
      'empty.test': [],
      'broken.test': 'servfail',
      'only4.test': ['127.0.0.1'],
    };
    const answerOf = (name: string, type: string): HostileAnswer => {
      if (name.startsWith('silent')) return 'silence';
      if (name === 'only4.test' && type === 'AAAA') return 'silence';
      return zone[name] ?? 'nxdomain';
    };

    beforeAll(async () => {
      dns = await startHostileDns(answerOf);
    });
    afterAll(() => dns.close());
    const questionsFor = (host: string) => dns.questions.filter((question) => question.endsWith(` ${host}`));
    const withDns = () => (outbound = outboundTo({}, new SystemHostResolver([dns.server])));

    it.each([
      ['good.test', 200],
      ['good.test.', 200],
      ['only4.test', 200], // the server never answers for AAAA
      ['localhost.localdomain.test', 'dns_failed'],
      ['private.test', 'forbidden_address'],
      ['mapped.test', 'forbidden_address'],
      ['empty.test', 'dns_failed'],
      ['broken.test', 'dns_failed'],
      ['silent.test', 'dns_timeout'],
    ])('returns for %s: %s', async (host, expected) => {
      withDns();
      const result = await post(host, expected === 'dns_timeout' ? 600 : LONG_MS);
      expect(result.error ?? result.statusCode).toBe(expected);
    });

    it('asks once for many concurrent posts', async () => {
      withDns();
      const results = await Promise.all(Array.from({ length: 50 }, () => post('many.test')));
      expect(results.every((result) => result.statusCode === 200)).toBe(true);
      expect(questionsFor('many.test').sort()).toEqual(['A many.test', 'AAAA many.test']);
    });

    it('resolves a name while look-ups of others hang', async () => {
      withDns();
      const hanging = Array.from({ length: 200 }, (_, i) => post(`silent${i}.test`, 600));
      await eventually(() => expect(dns.questions.length).toBeGreaterThan(200));
      expect(await post('good.test')).toMatchObject({ statusCode: 200 });
      expect(new Set((await Promise.all(hanging)).map((result) => result.error))).toEqual(new Set(['dns_timeout']));
    });

    it('resolves localhost without a DNS server', async () => {
      withDns();
      // The entries of the machine's hosts file: 127.0.0.1, which is allowed here, and perhaps ::1, which is not.
      expect([null, 'forbidden_address']).toContain((await post('localhost')).error);
      expect(questionsFor('localhost')).toEqual([]);
    });
  });
});
