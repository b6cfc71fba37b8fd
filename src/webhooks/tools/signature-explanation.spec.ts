import { createHmac, generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { signBody, signStandard, standardKey } from '@payment-orchestrator/receiver/signing';
import { explainSignature, type Explanation, type Known } from './signature-explanation.js';

interface Vector {
  body: string;
  headers: Record<string, string>;
  secrets: string[];
  now: number;
  expected: { standard: string | null };
}

const VECTORS = new URL('../../../packages/vectors/', import.meta.url);
const NOW = 1_795_309_323;
const [CURRENT, OLDER, UNKNOWN] = [1, 2, 3].map((fill) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`) as [
  string,
  string,
  string,
];
const OTHER_SHOP_SECRET = 'the-secret-of-another-shop';
const BODY =
  '{"event":"payment.status_changed","payment":{"id":4711,"amount":49.9},"customer":{"first_name":"Zoë"},"shop":{"id":7}}';
const known: Known = {
  current: [CURRENT],
  signingKeys: [],
  others: [OLDER],
  otherSenders: [{ sender: 'shop 8', header: 'webhook-shop-id', secret: OTHER_SHOP_SECRET }],
  sentBodies: [],
  now: NOW,
};

const hexOnly = (body = BODY, secret = CURRENT) => ({ Signature: signBody(secret, Buffer.from(body)) });
const standard = (body = BODY, secret = CURRENT, timestamp = NOW) => ({
  'webhook-id': 'whd_1',
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signStandard([secret], 'whd_1', timestamp, Buffer.from(body)),
});

function explain(body: string, headers: Record<string, string>, also: Partial<Known> = {}): Explanation {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const steps = explainSignature({ body, headers: named }, { ...known, ...also });
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
const reasonOf = (...given: Parameters<typeof explain>) => explain(...given).reason;

/** Webhooks with only one of the two signature headers. */
const signatures = [
  { name: 'Signature', sign: hexOnly },
  { name: 'webhook-signature', sign: standard },
];

describe('explainSignature', () => {
  it('accepts a genuine webhook', () => {
    const right = { valid: true, reason: null, advice: null };
    for (const headers of [hexOnly(), standard(), { ...hexOnly(), ...standard() }]) {
      expect(explain(BODY, headers)).toEqual(right);
    }
  });

  it.each<Record<string, string>>([{}, { 'webhook-id': 'whd_1', 'webhook-signature': 'v1,xx' }])(
    'reports missing headers in %j',
    (headers) => {
      expect(reasonOf(BODY, headers)).toBe('missing_header');
    },
  );

  describe.each(signatures)('with $name', ({ sign }) => {
    it.each([
      [JSON.stringify(JSON.parse(BODY), null, 2), 'reserialized_body'],
      [BODY.replaceAll(':', ': ').replace('ë', '\\u00eb'), 'reserialized_body'],
      [`${BODY}\n`, 'changed_whitespace'],
      [`  ${BODY}`, 'changed_whitespace'],
      [Buffer.from(BODY, 'utf8').toString('latin1'), 'wrong_encoding'],
      [BODY.slice(0, -1), 'changed_body'],
      [BODY.replace('49.9', '49.90'), 'reserialized_body'],
    ])('explains the received body %j with %s', (received, reason) => {
      expect(reasonOf(received, sign())).toBe(reason);
    });

    it('recognises a trimmed newline and changed line ends', () => {
      expect(reasonOf(BODY, sign(`${BODY}\n`))).toBe('changed_whitespace');
      expect(reasonOf('{\r\n"a": 1}', sign('{\n"a": 1}'))).toBe('changed_whitespace');
    });

    it('distinguishes an earlier secret of the shop from a secret of another shop', () => {
      expect(reasonOf(BODY, sign(BODY, OLDER))).toBe('previous_secret');
      const { reason, advice } = explain(BODY, sign(BODY, OTHER_SHOP_SECRET));
      expect([reason, advice]).toEqual(['wrong_secret', expect.stringContaining('shop 8')]);
      expect(reasonOf(BODY, sign(BODY, UNKNOWN))).toBe('wrong_secret');
    });

    it('compares with the sent bodies, if they are known', () => {
      const sentBodies = ['{"payment":{"id":4711}}', BODY];
      const changed = explain(BODY.replace('49.9', '99.9'), sign(), { sentBodies });
      expect([changed.reason, changed.advice]).toEqual([
        'changed_body',
        expect.stringContaining(`character ${BODY.indexOf('49.9')} on`),
      ]);
      const { shop, ...rest } = JSON.parse(BODY) as { shop: object };
      expect(reasonOf(JSON.stringify({ shop, ...rest }), sign(), { sentBodies })).toBe('reserialized_body');
    });
  });

  const mac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content).digest();
  const content = `whd_1.${NOW}.${BODY}`;
  const inStandard = (signature: string) => ({ ...standard(), 'webhook-signature': signature });
  it.each([
    ['upper case', { Signature: hexOnly().Signature.toUpperCase() }],
    ['base64 for hex', { Signature: mac(CURRENT, BODY).toString('base64') }],
    ['the decoded secret', { Signature: mac(standardKey(CURRENT), BODY).toString('hex') }],
    ['hex for base64', inStandard(`v1,${mac(standardKey(CURRENT), content).toString('hex')}`)],
    ['no version', inStandard(mac(standardKey(CURRENT), content).toString('base64'))],
    ['the complete secret', inStandard(`v1,${mac(CURRENT, content).toString('base64')}`)],
    ['only the body', inStandard(`v1,${mac(standardKey(CURRENT), BODY).toString('base64')}`)],
  ])('recognises %s', (_, headers) => {
    expect(reasonOf(BODY, headers)).toBe('wrong_encoding');
  });

  it('explains the wrong header if the other one is right', () => {
    const { advice } = explain(BODY, { ...hexOnly(), ...standard(BODY, OLDER) });
    expect(advice).toMatch(/^webhook-signature /);
  });

  it.each([
    [301, 'stale_timestamp'],
    [-301, 'stale_timestamp'],
    [300, null],
  ])('judges a signature that is %i s old as %s', (age, reason) => {
    expect(reasonOf(BODY, standard(BODY, CURRENT, NOW - age))).toBe(reason);
  });

  it('verifies a webhook that is signed only with the key of the shop', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const sign = (body: string) => inStandard(signStandard([], 'whd_1', NOW, Buffer.from(body), [privateKey]));
    expect(explain(BODY, sign(BODY), { signingKeys: [privateKey] }).valid).toBe(true);
    expect(reasonOf(`${BODY} `, sign(BODY), { signingKeys: [privateKey] })).toBe('changed_whitespace');
    expect(reasonOf(BODY, sign(BODY))).toBe('wrong_secret');
  });

  it('checks three signatures of secrets and two of keys', () => {
    const genuine = standard()['webhook-signature'];
    const [v1, v1a] = [`v1,${Buffer.alloc(32).toString('base64')}`, `v1a,${Buffer.alloc(64).toString('base64')}`];
    const signed = (...each: string[]) => inStandard(each.join(' '));
    expect(explain(BODY, signed(v1, v1, genuine)).valid).toBe(true);
    expect(explain(BODY, signed(...Array<string>(20).fill(v1a), genuine)).valid).toBe(true);
    expect(explain(BODY, signed(v1, v1, v1, genuine)).valid).toBe(false);
  });

  it('checks signatures of keys once per body, regardless of the number of secrets', () => {
    const keys = [1, 2].map(() => generateKeyPairSync('ed25519').privateKey);
    const signature = Array.from({ length: 8 }, (_, fill) => `v1a,${Buffer.alloc(64, fill).toString('base64')}`).join(
      ' ',
    );
    const otherSenders = Array.from({ length: 100 }, (_, shopId) => ({
      sender: `shop ${shopId}`,
      header: 'webhook-shop-id',
      secret: `the-secret-of-shop-${shopId}-of-many`,
    }));
    const made: Buffer[] = [];
    const concat = jest.spyOn(Buffer, 'concat');
    explain(BODY, inStandard(signature), { signingKeys: keys, otherSenders });
    for (const { value } of concat.mock.results) made.push(value as Buffer);
    // the received body, and bodies that it may have been changed from
    expect(new Set(made.map(String)).size).toBeGreaterThan(1);
    expect(made.length).toBeLessThanOrEqual(9);
  });

  const vectors = readdirSync(VECTORS)
    .filter((file) => file.includes('timestamp'))
    .map((file) => ({ file, ...(JSON.parse(readFileSync(new URL(file, VECTORS), 'utf8')) as Vector) }));
  it.each(vectors)('agrees with the receiver package about $file', ({ body, headers, secrets, now, expected }) => {
    const codes: Record<string, string> = {
      timestamp_too_old: 'stale_timestamp',
      timestamp_too_new: 'stale_timestamp',
    };
    const { standard: code } = expected;
    expect(reasonOf(body, headers, { current: secrets, now })).toBe(code === null ? null : (codes[code] ?? code));
  });

  it.each(['', ' 1795309323', '-1795309323', '0x6b02a00b', 'NaN', '1795309323 ', '١٧٩٥٣٠٩٣٢٣'])(
    'reports the malformed timestamp %p even with a valid Signature',
    (timestamp) => {
      const { reason, advice } = explain(BODY, { ...hexOnly(), 'webhook-timestamp': timestamp });
      expect([reason, advice]).toEqual(['malformed_header', expect.not.stringContaining('NaN')]);
    },
  );

  it('reveals no secret in its advice', () => {
    const all = [OLDER, OTHER_SHOP_SECRET, UNKNOWN].map((secret) => explain(BODY, hexOnly(BODY, secret)).advice);
    expect(all.join(' ')).not.toMatch(/whsec_[A-Za-z0-9]|the-secret-of/);
  });
});
