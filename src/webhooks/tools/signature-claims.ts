import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { signBody, standardKey } from '@payment-orchestrator/receiver/signing';

/**
 * Maximum signatures of a header that are checked: the number that the service sends (three secrets, two keys), as in the
 * receiver package. A check of ed25519 is expensive.
 */
const MAX_SIGNATURES = { v1: 3, v1a: 2 };

/** One of the two signatures of a webhook. */
export interface Claim {
  header: string;
  /** Returns whether it is a correct signature of `body`. If it has signatures of keys only, `secret` does not matter. */
  matches(secret: string, body: Buffer): boolean;
  /** Returns advice if it is a signature of `body` with a wrong encoding, key or content. */
  encodingAdvice(secret: string, body: Buffer): string | undefined;
}

/** Returns the signatures in the headers of a webhook; none if the headers are incomplete. */
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
  matches: (secret, body) => isSame(signature, signBody(secret, body)),
  encodingAdvice: (secret, body) => {
    const right = hmac(secret, body);
    if (isSame(signature.toLowerCase(), right.toString('hex'))) {
      return 'Signature is lower-case hexadecimal. Decode it to bytes and compare these.';
    }
    if (isSame(signature, right.toString('base64')) || isSame(signature, right.toString('base64url'))) {
      return 'Signature must be hexadecimal, but this is base64.';
    }
    if (isSame(signature.toLowerCase(), hmac(standardKey(secret), body).toString('hex'))) {
      return 'This was made with the decoded secret. The key of Signature is the complete secret, including whsec_.';
    }
    return undefined;
  },
});

function standardClaim(prefix: string, given: string, signingKeys: readonly KeyObject[]): Claim {
  const all = given.split(' ');
  const keySignatures = all.filter((signature) => signature.startsWith('v1a,'));
  const signatures = all.filter((signature) => !signature.startsWith('v1a,')).slice(0, MAX_SIGNATURES.v1);
  const isSignedByKey = keyChecker(prefix, keySignatures.slice(0, MAX_SIGNATURES.v1a), signingKeys);
  return {
    header: 'webhook-signature',
    matches: (secret, body) => {
      if (signatures.length === 0) return isSignedByKey(body);
      const expected = `v1,${hmac(standardKey(secret), prefix, body).toString('base64')}`;
      return signatures.some((signature) => isSame(signature, expected));
    },
    encodingAdvice: (secret, body) => {
      const right = hmac(standardKey(secret), prefix, body);
      const isOneOf = (...wrong: string[]): boolean => wrong.includes(given.replace(/^v1,/, ''));
      if (isOneOf(right.toString('hex'), right.toString('base64url')))
        return 'Signatures in webhook-signature must be base64.';
      if (isOneOf(right.toString('base64'))) return 'A signature in webhook-signature must begin with v1 and a comma.';
      if (isOneOf(hmac(secret, prefix, body).toString('base64'))) {
        return 'This was made with the complete secret. The key of webhook-signature is the base64-decoded part after whsec_.';
      }
      return isOneOf(hmac(standardKey(secret), body).toString('base64'))
        ? 'This signs only the body. webhook-signature signs webhook-id, webhook-timestamp and the body, joined by dots.'
        : undefined;
    },
  };
}

/** Returns a function that checks whether one of the keys made one of the signatures of a body. Each body is checked once. */
function keyChecker(
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
