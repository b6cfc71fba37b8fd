// What cannot be a secret is refused before anything is verified with it: a public key that is taken for a secret would
// let everybody who knows the key sign.
import { fromBase64, PUBLIC_PREFIX, SECRET_PREFIX } from './keys.js';

/**
 * A webhook secret (`whsec_…` or of your own), or a public key (`whpk_…`). `{ hmac }` is a secret of your own that looks
 * like the `x` of a JWKS, 43 characters of base64url.
 */
export type Secret = string | { readonly hmac: string };

/** One, or several of them: any may have signed. */
export type Secrets = Secret | readonly Secret[];

/** The same, or who knows the secrets of the shop that `webhook-shop-id` names; `undefined`: it is unknown. */
export type SecretSource = Secrets | ((shopId: number) => Secrets | undefined | Promise<Secrets | undefined>);

/** What `POST /shops` takes for a secret of one's own. */
const OWN = /^[\x21-\x7e]{24,200}$/;
/** The first 12 of the 44 bytes of a public key of ed25519 in DER. */
const DER_PREFIX = 'MCowBQYDK2VwAyEA';
const MIN_BYTES = 24;
const USE_PUBLIC_KEYS = 'publicKeysOf(jwks) gives the public keys of a shop as whpk_…';

/**
 * The texts of secrets; `of` says whose they are. Throws `TypeError`, which names the secret by its shop and place, for what is
 * none.
 */
export function textsOf(secrets: Secrets, of = ''): string[] {
  const all: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  if (all.length === 0) throw new TypeError('no secret was given to verify the webhook with');
  return all.map((secret, index) => {
    const text = isMarked(secret) ? secret.hmac : secret;
    const wrong = errorOf(text) ?? (isMarked(secret) ? undefined : likenessOf(text as string));
    if (wrong === undefined) return text as string;
    const name = all.length === 1 ? `the secret${of}` : `secret ${index + 1} of ${all.length}${of}`;
    throw new TypeError(`${name} ${wrong}`);
  });
}

const isMarked = (secret: unknown): secret is { hmac: unknown } =>
  typeof secret === 'object' && secret !== null && 'hmac' in secret;

/** What is wrong with a secret, without the secret. */
function errorOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return `is ${text === null ? 'null' : typeof text}, and takes a text`;
  if (text.trim() === '') return 'is empty';
  if (/-----BEGIN /.test(text) || text.startsWith(DER_PREFIX)) return `is a key as PEM or DER: ${USE_PUBLIC_KEYS}`;
  if (/^\s*[[{]/.test(text)) return `is JSON: ${USE_PUBLIC_KEYS}`;
  if (text.startsWith(SECRET_PREFIX)) return encodingError(text.slice(SECRET_PREFIX.length));
  if (text.startsWith(PUBLIC_PREFIX)) {
    return fromBase64(text.slice(PUBLIC_PREFIX.length))?.length === 32
      ? undefined
      : 'begins with whpk_, and what follows is not the base64 of 32 bytes';
  }
  return OWN.test(text)
    ? undefined
    : 'is no secret of the service: whsec_ and base64, or 24 to 200 printable ASCII characters without spaces';
}

function encodingError(encoded: string): string | undefined {
  const bytes = fromBase64(encoded);
  if (bytes && bytes.length >= MIN_BYTES) return undefined;
  const lacks = ['=', '=='].find((end) => (fromBase64(encoded + end)?.length ?? 0) >= MIN_BYTES);
  const why = lacks ? `: ${lacks} is missing at its end` : bytes ? `: it is of ${bytes.length} bytes` : '';
  return `begins with whsec_, and what follows is not the base64 of at least ${MIN_BYTES} bytes${why}`;
}

const likenessOf = (text: string): string | undefined =>
  /^[A-Za-z0-9_-]{43}$/.test(text)
    ? `looks like the x of a JWKS, which everybody knows: ${USE_PUBLIC_KEYS}; a secret that looks so is { hmac: secret }`
    : undefined;
