import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
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

/** The code it is refused with; `null`: it is not. */
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
  it('answers the event', async () => {
    expect(await verify(body, headers, secret, at)).toEqual(JSON.parse(body));
  });

  it.each([
    ['bytes', new TextEncoder().encode(body)],
    ['a Buffer', Buffer.from(body)],
    ['an ArrayBuffer', Uint8Array.from(Buffer.from(body)).buffer],
  ])('takes %s', async (_, bytes) => {
    expect(await codeOf(verify(bytes, headers, secret, at))).toBeNull();
  });

  it('takes headers of fetch, and names in any case', async () => {
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    for (const given of [new Headers(headers), upper]) {
      expect(await codeOf(verify(body, given, secret, at))).toBeNull();
    }
  });

  it('refuses a header that came twice', async () => {
    const twice = { ...headers, 'webhook-id': ['one', 'two'] };
    expect(await codeOf(verify(body, twice, secret, at))).toBe('malformed_header');
  });

  it('says that a parsed body was re-serialised', async () => {
    const parsed: unknown = JSON.parse(body);
    expect(await codeOf(verify(parsed as string, headers, secret, at))).toBe('body_reserialized');
  });

  it('takes a wider tolerance', async () => {
    const later = { now: () => (now + 3_600) * 1_000 };
    expect(await codeOf(verify(body, headers, secret, later))).toBe('timestamp_too_old');
    expect(await codeOf(verify(body, headers, secret, { ...later, toleranceSeconds: 3_600 }))).toBeNull();
  });

  it('does not believe the time of a request that nobody signed', async () => {
    const forged = { ...headers, 'webhook-timestamp': '1' };
    expect(await codeOf(verify(body, forged, secret, at))).toBe('wrong_secret');
  });

  it('picks the secret by the shop that the header names', async () => {
    const lookup = (shopId: number): string | undefined => (shopId === 7 ? secret : undefined);
    expect(await codeOf(verify(body, headers, lookup, at))).toBeNull();
    expect(await codeOf(verify(body, { ...headers, 'webhook-shop-id': '8' }, lookup, at))).toBe('unknown_shop');
    expect(await codeOf(verify(body, { ...headers, 'webhook-shop-id': 'x' }, lookup, at))).toBe('malformed_header');
    const { 'webhook-shop-id': _, ...without } = headers;
    expect(await codeOf(verify(body, without, lookup, at))).toBe('missing_header');
  });

  it('does not let the secret of one shop speak for another', async () => {
    const named = { ...headers, 'webhook-shop-id': '8' };
    expect(await codeOf(verify(body, named, () => secret, at))).toBe('wrong_shop');
  });

  it.each<[string | string[]]>([[''], [[]], [['']]])('does not verify with %j', async (none) => {
    await expect(verify(body, headers, none, at)).rejects.toThrow(TypeError);
  });

  it('names no secret in its messages', async () => {
    const failure = await verify(`${body} `, headers, 'another secret', at).catch((error: unknown) => error);
    expect((failure as WebhookVerificationError).message).toBe(
      'No secret matches the signature. Another shop’s secret, one from before a rotation, or a body that was changed on its way.',
    );
  });
});

describe('publicKeysOf', () => {
  it('reads the keys of ed25519 from a JWKS', () => {
    const jwks = { keys: [{ kty: 'RSA' }, { crv: 'Ed25519', x: '-_8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }] };
    expect(publicKeysOf(jwks)).toEqual(['whpk_+/8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=']);
  });
});
