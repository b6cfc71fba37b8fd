import { createHmac, generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { publicKeysOf } from './keys.js';
import { type VerificationFailure, WebhookVerificationError } from './verification-error.js';
import { verify, type VerifyOptions } from './verify.js';

interface Vector {
  description: string;
  body: string;
  headers: Record<string, string>;
  secrets: string[];
  now: number;
  expected: Record<'standard' | 'signature', VerificationFailure | null>;
}

const folder = new URL('../../vectors/', import.meta.url);
const read = (file: string): Vector => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Vector;
const vectors = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, ...read(file) }));
const { body, headers, secrets, now } = read('genuine.json');
const [secret] = secrets as [string];
const at = { now: () => now * 1_000 };
const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/** The code of the refusal; `null` for an accepted webhook. */
const codeOf = async (verifying: Promise<unknown>): Promise<VerificationFailure | null> => {
  try {
    await verifying;
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
};

describe.each(['standard', 'signature'] as const)('verify by %s', (scheme) => {
  it.each(vectors)('$file: $description', async (vector) => {
    const options: VerifyOptions = { scheme, now: () => vector.now * 1_000 };
    const verifying = verify(vector.body, vector.headers, vector.secrets, options);
    expect(await codeOf(verifying)).toBe(vector.expected[scheme]);
  });
});

describe('verify', () => {
  it('returns the event', async () => {
    expect(await verify(body, headers, secret, at)).toEqual(JSON.parse(body));
  });

  it.each([
    ['bytes', new TextEncoder().encode(body)],
    ['a Buffer', Buffer.from(body)],
    ['an ArrayBuffer', Uint8Array.from(Buffer.from(body)).buffer],
  ])('accepts a body as %s', async (_, bytes) => {
    expect(await codeOf(verify(bytes, headers, secret, at))).toBeNull();
  });

  it('accepts headers of fetch, and names in any case', async () => {
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    for (const given of [new Headers(headers), upper]) {
      expect(await codeOf(verify(body, given, secret, at))).toBeNull();
    }
  });

  it('refuses a header that came twice', async () => {
    const twice = { ...headers, 'webhook-id': ['one', 'two'] };
    expect(await codeOf(verify(body, twice, secret, at))).toBe('malformed_header');
  });

  it('reports a parsed body as re-serialized', async () => {
    const parsed: unknown = JSON.parse(body);
    expect(await codeOf(verify(parsed as string, headers, secret, at))).toBe('body_reserialized');
  });

  it('accepts a larger tolerance', async () => {
    const later = { now: () => (now + 3_600) * 1_000 };
    expect(await codeOf(verify(body, headers, secret, later))).toBe('timestamp_too_old');
    expect(await codeOf(verify(body, headers, secret, { ...later, toleranceSeconds: 3_600 }))).toBeNull();
  });

  it('ignores the time of a request without a valid signature', async () => {
    const forged = { ...headers, 'webhook-timestamp': '1' };
    expect(await codeOf(verify(body, forged, secret, at))).toBe('wrong_secret');
  });

  it('looks up the secret by the shop in the header', async () => {
    const lookup = (shopId: number): string | undefined => (shopId === 7 ? secret : undefined);
    expect(await codeOf(verify(body, headers, lookup, at))).toBeNull();
    expect(await codeOf(verify(body, { ...headers, 'webhook-shop-id': '8' }, lookup, at))).toBe('unknown_shop');
    expect(await codeOf(verify(body, { ...headers, 'webhook-shop-id': 'x' }, lookup, at))).toBe('malformed_header');
    const { 'webhook-shop-id': _, ...without } = headers;
    expect(await codeOf(verify(body, without, lookup, at))).toBe('missing_header');
  });

  it('refuses a body of another shop than the one in the header', async () => {
    const named = { ...headers, 'webhook-shop-id': '8' };
    expect(await codeOf(verify(body, named, () => secret, at))).toBe('wrong_shop');
  });

  describe('with one function for shops and standing endpoints', () => {
    const lookup = (shopId: number, endpointId?: number) =>
      endpointId === undefined ? (shopId === 7 ? otherSecret : undefined) : endpointId === 3 ? secret : undefined;
    const toEndpoint = (id: string) => ({ ...headers, 'webhook-endpoint-id': id });
    const shoplessRequest = (fields: object) => {
      const text = JSON.stringify({ event: 'flow.activated', ...fields });
      const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
      const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(content)
        .digest('base64');
      const { 'webhook-shop-id': _, ...without }: Record<string, string> = {
        ...toEndpoint('3'),
        'webhook-signature': `v1,${mac}`,
      };
      return [text, without] as const;
    };

    it('gives it the endpoint that the request names', async () => {
      expect(await codeOf(verify(body, toEndpoint('3'), lookup, at))).toBeNull();
      expect(await codeOf(verify(body, headers, lookup, at))).toBe('wrong_secret');
      expect(await codeOf(verify(body, toEndpoint('4'), lookup, at))).toBe('unknown_endpoint');
      expect(await codeOf(verify(body, toEndpoint('x'), lookup, at))).toBe('malformed_header');
    });

    it('accepts an event of no shop only from an endpoint', async () => {
      const [text, without] = shoplessRequest({ shop_id: null, data: {} });
      expect(await codeOf(verify(text, without, lookup, at))).toBeNull();
      expect(await codeOf(verify(...shoplessRequest({ shop_id: 7 }), lookup, at))).toBe('wrong_shop');
      const { 'webhook-endpoint-id': _, ...fromNobody } = without;
      expect(await codeOf(verify(text, fromNobody, lookup, at))).toBe('missing_header');
    });

    it('refuses an event of another shop that a shop signs as an endpoint', async () => {
      const lookupByShop = (shopId: number) => (shopId === 8 ? secret : undefined);
      const forged = { ...toEndpoint('3'), 'webhook-shop-id': '8' };
      expect(await codeOf(verify(body, forged, lookupByShop, at))).toBe('wrong_shop');
    });
  });

  describe('at an address that receives from shops and standing endpoints', () => {
    const lookups = {
      shop: (id: number) => (id === 8 ? secret : undefined),
      endpoint: (id: number) => (id === 3 ? secret : undefined),
    };
    const toEndpoint = (id: string) => ({ ...headers, 'webhook-endpoint-id': id });

    it('looks up the secret by the endpoint in the header, for events of any shop', async () => {
      expect(await codeOf(verify(body, toEndpoint('3'), lookups, at))).toBeNull();
      expect(await codeOf(verify(body, toEndpoint('4'), lookups, at))).toBe('unknown_endpoint');
      expect(await codeOf(verify(body, toEndpoint('x'), lookups, at))).toBe('malformed_header');
    });

    it('looks up the secret by the shop in a request to a payment address', async () => {
      expect(await codeOf(verify(body, headers, lookups, at))).toBe('unknown_shop');
      expect(await codeOf(verify(body, headers, { endpoint: lookups.endpoint }, at))).toBe('missing_header');
      const named = { ...headers, 'webhook-shop-id': '8' };
      expect(await codeOf(verify(body, named, lookups, at))).toBe('wrong_shop');
    });

    it('refuses the secret of a shop for an endpoint', async () => {
      const other = { ...lookups, endpoint: () => `whsec_${Buffer.alloc(32, 9).toString('base64')}` };
      expect(await codeOf(verify(body, toEndpoint('3'), other, at))).toBe('wrong_secret');
    });

    it('looks up by shop although a header names an endpoint', async () => {
      const forged = { ...toEndpoint('3'), 'webhook-shop-id': '8' };
      expect(await codeOf(verify(body, forged, () => secret, at))).toBe('wrong_shop');
    });
  });

  it.each<[string | string[]]>([[''], [[]], [['']]])('throws for %j as the secrets', async (none) => {
    await expect(verify(body, headers, none, at)).rejects.toThrow(TypeError);
  });

  it.each([[NaN], [Number(undefined)], [Infinity], [-Infinity], [-1], ['300' as never], [null as never]])(
    'throws for a tolerance of %p',
    async (toleranceSeconds) => {
      const later = { now: () => (now + 31_536_000) * 1_000, toleranceSeconds };
      await expect(verify(body, headers, secret, later)).rejects.toThrow(/^toleranceSeconds: got /);
    },
  );

  it('throws for a clock that returns no time', async () => {
    await expect(verify(body, headers, secret, { now: () => NaN })).rejects.toThrow(TypeError);
  });

  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const jwk = publicKey.export({ format: 'jwk' });
  const bytes = (length: number) => Buffer.alloc(length, 7).toString('base64');
  const noSecrets: [string, unknown, string][] = [
    ['a public key as PEM', pem, 'PEM'],
    ['a public key as PEM in one line', pem.replaceAll('\n', ''), 'PEM'],
    [
      'a private key as PEM',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
      'PEM',
    ],
    ['a public key as DER', publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), 'DER'],
    ['a JWK', JSON.stringify(jwk), 'JSON'],
    ['a JWKS', JSON.stringify({ keys: [jwk] }, null, 2), 'JSON'],
    ['a JWK as an object', jwk, 'object'],
    ['the x of a JWK', jwk.x, 'publicKeysOf'],
    ['whsec_ without more', 'whsec_', '0 bytes'],
    ['whsec_ with too few bytes', `whsec_${bytes(23)}`, '23 bytes|= is missing'],
    ['whsec_ without its final =', `whsec_${bytes(32)}`.slice(0, -1), '= is missing at its end'],
    ['whsec_ without its final ==', `whsec_${bytes(25)}`.slice(0, -2), '== is missing at its end'],
    ['whsec_ with invalid base64', 'whsec_this-is-no-base64-at-all-but-long', 'base64'],
    ['whsec_ with a newline', `whsec_${bytes(32)}\n`, 'base64'],
    ['whpk_ without more', 'whpk_', '32 bytes'],
    ['an empty text', '', 'is empty'],
    ['white space', ' \n', 'is empty'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['bytes', Buffer.alloc(32, 7), 'object'],
    ['a few characters', 'secret', '24 to 200'],
  ];
  it.each(noSecrets)('refuses %s as a secret, also among others', async (_, given, message) => {
    const forged = createHmac('sha256', Buffer.from(typeof given === 'string' ? given : ''));
    const id = headers['webhook-id'];
    const signature = `v1,${forged.update(`${id}.${now}.${body}`).digest('base64')}`;
    const withSignature = { ...headers, 'webhook-signature': signature };
    for (const secrets of [given, [given], [secret, given]]) {
      const verifying = verify(body, withSignature, secrets as never, at);
      await expect(verifying).rejects.toThrow(new RegExp(`^(the secret|secret \\d of \\d) .*(${message})`));
      await expect(verifying).rejects.toBeInstanceOf(TypeError);
    }
    if (given === undefined || given === null) return;
    const looking = verify(body, withSignature, () => given as never, at);
    await expect(looking).rejects.toThrow(new RegExp(`^the secret of shop 7 .*(${message})`));
  });

  it('reports a shop without a secret as unknown', async () => {
    for (const none of [undefined, null as never]) {
      expect(await codeOf(verify(body, headers, () => none, at))).toBe('unknown_shop');
    }
  });

  it('accepts a marked secret that looks like a key of a JWKS', async () => {
    const own = jwk.x!;
    const id = headers['webhook-id'];
    const mac = createHmac('sha256', own).update(`${id}.${now}.${body}`).digest('base64');
    const withSignature = { ...headers, 'webhook-signature': `v1,${mac}` };
    expect(await codeOf(verify(body, withSignature, { hmac: own }, at))).toBeNull();
    expect(await codeOf(verify(body, withSignature, [{ hmac: own }, secret], at))).toBeNull();
  });

  it('checks three signatures of secrets and two of keys', async () => {
    const genuine = headers['webhook-signature']!;
    const [v1, v1a] = [`v1,${bytes(32)}`, `v1a,${bytes(64)}`];
    const signed = (...signatures: string[]) => ({ ...headers, 'webhook-signature': signatures.join(' ') });
    expect(await codeOf(verify(body, signed(v1, v1, genuine), secret, at))).toBeNull();
    expect(await codeOf(verify(body, signed(...Array<string>(20).fill(v1a), genuine), secret, at))).toBeNull();
    expect(await codeOf(verify(body, signed(v1, v1, v1, genuine), secret, at))).toBe('wrong_secret');
    const checks = jest.spyOn(crypto.subtle, 'verify');
    const keys = [1, 2].map((fill) => `whpk_${Buffer.alloc(32, fill).toString('base64')}`);
    await codeOf(verify(`${body} `, signed(...Array<string>(20).fill(v1a)), keys, at));
    // two checks per key: the received body and the re-serialized one
    expect(checks.mock.calls.length).toBeLessThanOrEqual(2 * keys.length * 2);
  });

  it('names no secret in its messages', async () => {
    const failure = await verify(`${body} `, headers, 'another-secret-of-ones-own', at).catch(
      (error: unknown) => error,
    );
    expect((failure as WebhookVerificationError).message).toBe(
      'No secret matches the signature. Check for the secret of another shop or endpoint, an old secret, or a proxy that changes the body.',
    );
  });
});

describe('publicKeysOf', () => {
  it('reads the ed25519 keys from a JWKS', () => {
    const jwks = { keys: [{ kty: 'RSA' }, { crv: 'Ed25519', x: '-_8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }] };
    expect(publicKeysOf(jwks)).toEqual(['whpk_+/8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=']);
  });
});
