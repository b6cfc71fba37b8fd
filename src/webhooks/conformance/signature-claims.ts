import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { signBody, standardKey } from '../delivery/signature.js';

/**
 * How many signatures of a header are looked at: as many as the service sends, of three secrets and of two keys, as in the
 * receiver package. A check of ed25519 is dear.
 */
const MAX_SIGNATURES = { v1: 3, v1a: 2 };

/** One of the two signatures of a webhook. */
export interface Claim {
  header: string;
  /** Whether it is of `body`, in its right encoding. Signatures of keys alone are of no secret: they are checked once for a body. */
  isOf(secret: string, body: Buffer): boolean;
  /** Whether it is of `body` in another encoding or with the key read otherwise; the advice then. */
  isOddlyOf(secret: string, body: Buffer): string | undefined;
}

/** What a webhook claims by its headers; none when they are incomplete. */
export function claimsOf(headers: ReadonlyMap<string, string>, signingKeys: readonly KeyObject[]): Claim[] {
  const signature = headers.get('signature');
  const [id, timestamp, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headers.get(name),
  );
  return [
    ...(signature === undefined ? [] : [hexClaim(signature)]),
    ...(id === undefined || timestamp === undefined || given === undefined
      ? []
      : [standardClaim(`${id}.${timestamp}.`, given, signingKeys)]),
  ];
}

const hmac = (key: string | Buffer, ...parts: (string | Buffer)[]): Buffer =>
  parts.reduce((mac, part) => mac.update(part), createHmac('sha256', key)).digest();

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const hexClaim = (signature: string): Claim => ({
  header: 'Signature',
  isOf: (secret, body) => isSame(signature, signBody(secret, body)),
  isOddlyOf: (secret, body) => {
    const right = hmac(secret, body);
    if (isSame(signature.toLowerCase(), right.toString('hex'))) {
      return 'Signature is lower-case hexadecimal. Decode it to bytes and compare those.';
    }
    if (isSame(signature, right.toString('base64')) || isSame(signature, right.toString('base64url'))) {
      return 'Signature is hexadecimal, and this is base64.';
    }
    if (isSame(signature.toLowerCase(), hmac(standardKey(secret), body).toString('hex'))) {
      return 'This was made with the decoded secret. The key of Signature is the secret as it stands, whsec_ included.';
    }
    return undefined;
  },
});

function standardClaim(prefix: string, given: string, signingKeys: readonly KeyObject[]): Claim {
  const all = given.split(' ');
  const ofKeys = all.filter((signature) => signature.startsWith('v1a,'));
  const signatures = all.filter((signature) => !signature.startsWith('v1a,')).slice(0, MAX_SIGNATURES.v1);
  const isSignedByKey = checkOfKeys(prefix, ofKeys.slice(0, MAX_SIGNATURES.v1a), signingKeys);
  return {
    header: 'webhook-signature',
    isOf: (secret, body) => {
      if (signatures.length === 0) return isSignedByKey(body);
      const expected = `v1,${hmac(standardKey(secret), prefix, body).toString('base64')}`;
      return signatures.some((signature) => isSame(signature, expected));
    },
    isOddlyOf: (secret, body) => {
      const right = hmac(standardKey(secret), prefix, body);
      const isOneOf = (...wrong: string[]): boolean => wrong.includes(given.replace(/^v1,/, ''));
      if (isOneOf(right.toString('hex'), right.toString('base64url')))
        return 'webhook-signature holds base64 of signatures.';
      if (isOneOf(right.toString('base64'))) return 'A signature in webhook-signature begins with v1 and a comma.';
      if (isOneOf(hmac(secret, prefix, body).toString('base64'))) {
        return 'This was made with the secret as it stands. The key of webhook-signature is what follows whsec_, base64-decoded.';
      }
      return isOneOf(hmac(standardKey(secret), body).toString('base64'))
        ? 'This is of the body alone. webhook-signature is of webhook-id, webhook-timestamp and the body, joined by dots.'
        : undefined;
    },
  };
}

/** Whether one of the keys has made one of the signatures of a body. */
function checkOfKeys(
  prefix: string,
  signatures: readonly string[],
  signingKeys: readonly KeyObject[],
): (body: Buffer) => boolean {
  const keys = signingKeys.map((key) => createPublicKey(key));
  const made = signatures.map((signature) => Buffer.from(signature.slice('v1a,'.length), 'base64'));
  const known = new WeakMap<Buffer, boolean>();
  return (body) => {
    const before = known.get(body);
    if (before !== undefined) return before;
    const content = Buffer.concat([Buffer.from(prefix), body]);
    const isSigned = made.some((bytes) => keys.some((key) => verify(null, content, key, bytes)));
    known.set(body, isSigned);
    return isSigned;
  };
}
