// Why a signature does not match, found by trying: what is wrong with a body, a secret or an encoding is undone, and when
// the signature matches then, that was it. Nothing is told that is not proven so, but for the last resort at the end.
// A generator: each step costs about one HMAC over the body, and others have their turn in between.
import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { parseJsonBody } from '../../platform/http/body/json-body.js';
import { signBody, standardKey } from '../engine/signature.js';

/** The reasons that `POST /webhooks/verify` knows. */
export const SIGNATURE_FAULTS = [
  'reserialized_body',
  'changed_whitespace',
  'wrong_secret',
  'previous_secret',
  'wrong_encoding',
  'stale_timestamp',
  'missing_header',
  'changed_body',
] as const;
export type SignatureFault = (typeof SIGNATURE_FAULTS)[number];

/** `reason` and `advice` are `null` for a webhook that is right. */
export interface Explanation {
  valid: boolean;
  reason: SignatureFault | null;
  advice: string | null;
}

export interface GivenWebhook {
  body: string;
  /** By names in lower case. */
  headers: ReadonlyMap<string, string>;
}

/** What a signature may have been made with. */
export interface Known {
  /** Sign now; more than one while a rotation is under way. */
  current: readonly string[];
  signingKeys: readonly KeyObject[];
  /** No longer, or not yet. */
  others: readonly string[];
  /** Of other shops of the merchant. */
  ofShops: readonly { shopId: number; secret: string }[];
  /** What was sent of the payment, as far as it is kept. */
  sentBodies: readonly string[];
  /** Seconds since 1970. */
  now: number;
}

const TOLERANCE_SECONDS = 300;

const fault = (reason: SignatureFault, advice: string): Explanation => ({ valid: false, reason, advice });

/** One of the two signatures of a webhook. */
interface Claim {
  header: string;
  /** Whether it is of `body`, in its right encoding. */
  isOf(secret: string, body: Buffer): boolean;
  /** Whether it is of `body` in another encoding or with the key read otherwise; the advice then. */
  isOddlyOf(secret: string, body: Buffer): string | undefined;
}

export function* explainSignature(given: GivenWebhook, known: Known): Generator<void, Explanation> {
  const claims = claimsOf(given.headers, known.signingKeys);
  if (claims.length === 0) {
    return fault('missing_header', 'Neither Signature nor all of webhook-id, webhook-timestamp and webhook-signature.');
  }
  const body = Buffer.from(given.body, 'utf8');
  for (const claim of claims) {
    yield;
    if (known.current.some((secret) => claim.isOf(secret, body))) continue;
    return yield* explainClaim(claim, given.body, known);
  }
  return explainTime(given.headers.get('webhook-timestamp'), known.now);
}

function* explainClaim(claim: Claim, text: string, known: Known): Generator<void, Explanation> {
  const body = Buffer.from(text, 'utf8');
  return (
    (yield* findEncoding(claim, body, known)) ??
    (yield* findSecret(claim, body, known)) ??
    (yield* findRewriting(claim, text, known)) ??
    (yield* findSentBody(claim, text, known)) ??
    lastResort(claim, text)
  );
}

function* findEncoding(claim: Claim, body: Buffer, { current }: Known): Generator<void, Explanation | undefined> {
  for (const secret of current) {
    yield;
    const advice = claim.isOddlyOf(secret, body);
    if (advice !== undefined) return fault('wrong_encoding', advice);
  }
  return undefined;
}

function* findSecret(claim: Claim, body: Buffer, known: Known): Generator<void, Explanation | undefined> {
  for (const secret of known.others) {
    yield;
    if (claim.isOf(secret, body)) {
      const advice = `${claim.header} is of a secret of the shop that does not sign now: one from before a rotation, or one that is announced. Know both while a rotation is under way.`;
      return fault('previous_secret', advice);
    }
  }
  for (const { shopId, secret } of known.ofShops) {
    yield;
    if (claim.isOf(secret, body)) {
      const advice = `${claim.header} is of the secret of shop ${shopId}. Pick the secret by the header webhook-shop-id.`;
      return fault('wrong_secret', advice);
    }
  }
  return undefined;
}

/** Bodies that may have been signed before somebody made `text` of them, and what that was. */
function* rewritings(text: string): Generator<[Buffer, SignatureFault, string]> {
  const utf8 = (body: string): Buffer => Buffer.from(body, 'utf8');
  const trimmed = text.trim();
  const whitespace = 'White space or line ends were changed. Verify the bytes as received.';
  for (const body of [
    trimmed,
    `${trimmed}\n`,
    `${trimmed}\r\n`,
    text.replaceAll('\r\n', '\n'),
    text.replaceAll(/\r?\n/g, '\r\n'),
  ]) {
    yield [utf8(body), 'changed_whitespace', whitespace];
  }
  const parsed = parsedOrNothing(text);
  if (parsed !== undefined) {
    const advice =
      'The body was parsed and written again. Verify the bytes as received, before a JSON parser has touched them.';
    yield [utf8(JSON.stringify(parsed)), 'reserialized_body', advice];
  }
  const charset = 'The body was read in another character set: its bytes are UTF-8. Verify the bytes, not a text.';
  yield [Buffer.from(text, 'latin1'), 'wrong_encoding', charset];
}

function* findRewriting(
  claim: Claim,
  text: string,
  { current, others }: Known,
): Generator<void, Explanation | undefined> {
  for (const [body, reason, advice] of rewritings(text)) {
    for (const secret of [...current, ...others]) {
      yield;
      if (claim.isOf(secret, body)) return fault(reason, advice);
    }
  }
  return undefined;
}

/** By what was really sent, when the signature is of that. */
function* findSentBody(claim: Claim, text: string, known: Known): Generator<void, Explanation | undefined> {
  for (const sent of known.sentBodies) {
    for (const secret of [...known.current, ...known.others]) {
      yield;
      if (!claim.isOf(secret, Buffer.from(sent, 'utf8'))) continue;
      return isSameJson(sent, text)
        ? fault('reserialized_body', 'The body was parsed and written again, with its fields in another order.')
        : fault(
            'changed_body',
            `The body is not the one that was sent: they differ from character ${differsAt(sent, text)} on.`,
          );
    }
  }
  return undefined;
}

/** Not proven: a body in the service's own way of writing was hardly rewritten on its way. */
function lastResort(claim: Claim, text: string): Explanation {
  const parsed = parsedOrNothing(text);
  const isAsWritten = parsed !== undefined && JSON.stringify(parsed) === text;
  if (isAsWritten) {
    const advice = `No secret of the merchant's shops makes this ${claim.header} of this body: it is of a stranger's secret, or the body was changed.`;
    return fault('wrong_secret', advice);
  }
  const what =
    parsed === undefined
      ? 'The body is cut off, or no JSON at all.'
      : 'The body is not written as the service writes it.';
  return fault('changed_body', `${what} Verify the bytes as received.`);
}

function explainTime(timestamp: string | undefined, now: number): Explanation {
  const age = timestamp === undefined ? 0 : now - Number(timestamp);
  if (Math.abs(age) <= TOLERANCE_SECONDS) return { valid: true, reason: null, advice: null };
  const when = age > 0 ? `${age} s ago` : `${-age} s from now`;
  const advice = `The signature is right, and was made ${when}: receivers refuse what is more than ${TOLERANCE_SECONDS} s away. If that is so for all webhooks, the clock of the receiver is wrong.`;
  return fault('stale_timestamp', advice);
}

function claimsOf(headers: GivenWebhook['headers'], signingKeys: readonly KeyObject[]): Claim[] {
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
  const signatures = given.split(' ').slice(0, 8);
  const isSignedByKey = (body: Buffer): boolean =>
    signatures.some((signature) => {
      if (!signature.startsWith('v1a,')) return false;
      const [content, bytes] = [Buffer.concat([Buffer.from(prefix), body]), Buffer.from(signature.slice(4), 'base64')];
      return signingKeys.some((key) => verify(null, content, createPublicKey(key), bytes));
    });
  const hasSecrets = signatures.some((signature) => !signature.startsWith('v1a,'));
  return {
    header: 'webhook-signature',
    isOf: (secret, body) => {
      if (!hasSecrets) return isSignedByKey(body);
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

/** With the bounds of a request's own body: what would take long to parse is not. */
function parsedOrNothing(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text, 'utf8'));
  } catch {
    return undefined;
  }
}

const isSameJson = (one: string, other: string): boolean =>
  inOrder(parsedOrNothing(one)) === inOrder(parsedOrNothing(other));

/** The text of a value, its keys sorted. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([one], [other]) => (one < other ? -1 : 1)))
      : field,
  );

function differsAt(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
