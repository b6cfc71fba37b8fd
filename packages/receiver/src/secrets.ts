// Invalid secrets are refused before any verification. If a public key were used as a secret, anyone who knows the key could
// sign.
import { fromBase64, PUBLIC_PREFIX, SECRET_PREFIX } from './keys.js';

/**
 * A webhook secret (`whsec_…` or your own), or a public key (`whpk_…`). Use `{ hmac }` for your own secret if it looks like the
 * `x` of a JWKS: 43 characters of base64url.
 */
export type Secret = string | { readonly hmac: string };

/** One or several secrets; a signature by any of them is valid. */
export type Secrets = Secret | readonly Secret[];

/** Returns the secrets of a sender by its id; `undefined` for an unknown one. */
export type SecretLookup = (id: number) => Secrets | undefined | Promise<Secrets | undefined>;

/**
 * Returns the secrets of a request to one address by the shop in `webhook-shop-id` (0: the event is of no shop) and the standing
 * endpoint in `webhook-endpoint-id` (`undefined`: the request is to the address of a payment).
 */
export type SenderLookup = (shopId: number, endpointId?: number) => Secrets | undefined | Promise<Secrets | undefined>;

/**
 * The secrets, a function that returns those of the shop and the standing endpoint that a request names, or functions for one address that receives from
 * both: `shop` for webhooks to the address of a payment, `endpoint` for those to the standing endpoint in
 * `webhook-endpoint-id`.
 */
export type SecretSource = Secrets | SenderLookup | { readonly shop?: SecretLookup; readonly endpoint: SecretLookup };

/** The form of your own secret, as in `POST /shops`. */
const OWN_SECRET = /^[\x21-\x7e]{24,200}$/;
/** The first 12 of the 44 bytes of an ed25519 public key in DER. */
const DER_PREFIX = 'MCowBQYDK2VwAyEA';
const MIN_BYTES = 24;
const USE_PUBLIC_KEYS = 'publicKeysOf(jwks) returns the public keys of a shop as whpk_…';

/**
 * The texts of the secrets. Throws `TypeError` for an invalid secret, named by its position and by `owner`, such as
 * ` of shop 7`.
 */
export function textsOf(secrets: Secrets, owner = ''): string[] {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (all.length === 0) throw new TypeError('no secret was given to verify the webhook with');
  return all.map((secret, index) => {
    const text = isMarked(secret) ? secret.hmac : secret;
    const wrong = errorOf(text) ?? (isMarked(secret) ? undefined : likenessOf(text as string));
    if (wrong === undefined) return text as string;
    const name = all.length === 1 ? `the secret${owner}` : `secret ${index + 1} of ${all.length}${owner}`;
    throw new TypeError(`${name} ${wrong}`);
  });
}

const isMarked = (secret: unknown): secret is { hmac: unknown } =>
  typeof secret === 'object' && secret !== null && 'hmac' in secret;

/** The reason why a secret is invalid, without the secret itself. */
function errorOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return `is ${text === null ? 'null' : typeof text}, not a text`;
  if (text.trim() === '') return 'is empty';
  if (/-----BEGIN /.test(text) || text.startsWith(DER_PREFIX)) return `is a key as PEM or DER: ${USE_PUBLIC_KEYS}`;
  if (/^\s*[[{]/.test(text)) return `is JSON: ${USE_PUBLIC_KEYS}`;
  if (text.startsWith(SECRET_PREFIX)) return encodingError(text.slice(SECRET_PREFIX.length));
  if (text.startsWith(PUBLIC_PREFIX)) {
    return fromBase64(text.slice(PUBLIC_PREFIX.length))?.length === 32
      ? undefined
      : 'begins with whpk_, but the rest is not the base64 of 32 bytes';
  }
  return OWN_SECRET.test(text)
    ? undefined
    : 'must be whsec_ and base64, or 24 to 200 printable ASCII characters without spaces';
}

function encodingError(encoded: string): string | undefined {
  const bytes = fromBase64(encoded);
  if (bytes && bytes.length >= MIN_BYTES) return undefined;
  const lacks = ['=', '=='].find((end) => (fromBase64(encoded + end)?.length ?? 0) >= MIN_BYTES);
  const why = lacks ? `: ${lacks} is missing at its end` : bytes ? `: it has ${bytes.length} bytes` : '';
  return `begins with whsec_, but the rest is not the base64 of at least ${MIN_BYTES} bytes${why}`;
}

const likenessOf = (text: string): string | undefined =>
  /^[A-Za-z0-9_-]{43}$/.test(text)
    ? `looks like the x of a JWKS, which is public: ${USE_PUBLIC_KEYS}; if it is your own secret, pass { hmac: secret }`
    : undefined;
