// Why a signature does not match, found by trying: what is wrong with a body, a secret or an encoding is undone, and when
// the signature matches then, that was it. Nothing is told that is not proven so, but for the last resort at the end.
// A generator: each step costs about one HMAC over the body, and others have their turn in between.
import type { KeyObject } from 'node:crypto';
import { parseJsonBody } from '../../platform/http/body/json-body.js';
import { type Claim, claimsOf } from './signature-claims.js';

/** The reasons that `POST /webhooks/verify` knows. */
export const SIGNATURE_FAULTS = [
  'reserialized_body',
  'changed_whitespace',
  'wrong_secret',
  'previous_secret',
  'wrong_encoding',
  'stale_timestamp',
  'missing_header',
  'malformed_header',
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

// The receiver package has the same tolerance and grammar; packages/vectors hold for both.
const TOLERANCE_SECONDS = 300;
const TIMESTAMP = /^\d{1,12}$/;

const fault = (reason: SignatureFault, advice: string): Explanation => ({ valid: false, reason, advice });

export function* explainSignature(given: GivenWebhook, known: Known): Generator<void, Explanation> {
  const claims = claimsOf(given.headers, known.signingKeys);
  if (claims.length === 0) {
    return fault('missing_header', 'Neither Signature nor all of webhook-id, webhook-timestamp and webhook-signature.');
  }
  const timestamp = given.headers.get('webhook-timestamp');
  if (timestamp !== undefined && !TIMESTAMP.test(timestamp)) {
    const advice = 'webhook-timestamp is not a whole number of seconds since 1970, 1 to 12 digits without a sign.';
    return fault('malformed_header', advice);
  }
  const body = Buffer.from(given.body, 'utf8');
  for (const claim of claims) {
    yield;
    if (known.current.some((secret) => claim.isOf(secret, body))) continue;
    return yield* explainClaim(claim, given.body, body, known);
  }
  return explainTime(timestamp, known.now);
}

function* explainClaim(claim: Claim, text: string, body: Buffer, known: Known): Generator<void, Explanation> {
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
    const body = Buffer.from(sent, 'utf8');
    for (const secret of [...known.current, ...known.others]) {
      yield;
      if (!claim.isOf(secret, body)) continue;
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
