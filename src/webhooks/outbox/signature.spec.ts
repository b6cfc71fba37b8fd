import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { parseSigningKey } from '../../shops/signing-key.js';
import { signBody, signStandard, standardKey } from '@payment-orchestrator/receiver/signing';

const body = Buffer.from('{"test": 2432232314}');

describe('signBody', () => {
  // RFC 4231, test case 2
  it('returns the hex HMAC-SHA256 keyed with the given secret', () => {
    expect(signBody('Jefe', Buffer.from('what do ya want for nothing?'))).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  // computed with Python's hmac
  it('uses the whole secret string as key, including its prefix', () => {
    expect(signBody('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', body)).toBe(
      '80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c',
    );
  });

  it('signs the bytes, not the characters', () => {
    expect(signBody('key', Buffer.from('ü', 'utf8'))).not.toBe(signBody('key', Buffer.from('ü', 'latin1')));
  });
});

describe('signStandard', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

  // the test vector of the Standard Webhooks reference libraries
  it('reproduces the published test vector', () => {
    expect(signStandard([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('returns a signature that the standardwebhooks package accepts with either of two secrets', () => {
    const older = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const now = Math.floor(Date.now() / 1_000);
    const headers = {
      'webhook-id': '17',
      'webhook-timestamp': String(now),
      'webhook-signature': signStandard([secret, older], '17', now, body),
    };
    for (const known of [secret, older]) {
      expect(new Webhook(known).verify(body.toString(), headers)).toEqual({ test: 2432232314 });
    }
  });

  it("signs with the raw bytes of a merchant's own secret", () => {
    const own = 'my own secret, no base64';
    const now = Math.floor(Date.now() / 1_000);
    const headers = {
      'webhook-id': '17',
      'webhook-timestamp': String(now),
      'webhook-signature': signStandard([own], '17', now, body),
    };
    expect(() => new Webhook(own, { format: 'raw' }).verify(body.toString(), headers)).not.toThrow();
  });
});

describe('the test vectors of packages/vectors', () => {
  const folder = new URL('../../../packages/vectors/', import.meta.url);
  const genuine = readdirSync(folder)
    .filter((file) => /^(genuine|own-secret|unusual-json|empty-optional-parts|unknown-event)\.json$/.test(file))
    .map((file) => ({ file, ...read(file) }));

  function read(file: string) {
    const text = readFileSync(new URL(file, folder), 'utf8');
    return JSON.parse(text) as { body: string; secrets: [string]; headers: Record<string, string> };
  }

  const signed = ({ body, headers }: ReturnType<typeof read>) =>
    [headers['webhook-id']!, Number(headers['webhook-timestamp']), Buffer.from(body)] as const;

  it.each(genuine)('match the signatures of the service: $file', (vector) => {
    const { body, headers, secrets } = vector;
    expect(signBody(secrets[0], Buffer.from(body))).toBe(headers['Signature']);
    expect(signStandard(secrets, ...signed(vector))).toBe(headers['webhook-signature']);
  });

  it('include ed25519.json, whose signature by Python’s cryptography the service reproduces', () => {
    const seed = Buffer.from(Array.from({ length: 32 }, (_, index) => 96 + index));
    const vector = read('ed25519.json');
    const key = parseSigningKey(`whsk_${seed.toString('base64')}`);
    expect(signStandard(read('genuine.json').secrets, ...signed(vector), [key])).toBe(
      vector.headers['webhook-signature'],
    );
  });
});

describe('standardKey', () => {
  it.each([
    ['whsec_AQID', Buffer.from([1, 2, 3])],
    ['whsec_AQI=', Buffer.from([1, 2])],
    ['whsec_', Buffer.from('whsec_')],
    ['whsec_not base64', Buffer.from('whsec_not base64')],
    ['whsec_AQI', Buffer.from('whsec_AQI')],
    ['AQID', Buffer.from('AQID')],
  ])('returns the key bytes of %s', (secret, key) => {
    expect(standardKey(secret)).toEqual(key);
  });
});
