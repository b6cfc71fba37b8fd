// Explains why a signature does not match. It tries to undo common mistakes with the body, the secret or the encoding. If
// the signature then matches, that mistake is the reason. So each reason is verified, except the fallback at the end.
// The functions are generators: a step costs about one HMAC over the body, and other work runs between the steps.
import type { KeyObject } from 'node:crypto';
import { parseJsonBody } from '../../platform/http/body/json-body.js';
import { canonicalJson } from '../../shared/json.js';
import { type Claim, claimsOf } from './signature-claims.js';

/** Reasons of `POST /webhooks/verify`. */
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

/** `reason` and `advice` are `null` for a valid webhook. */
export interface Explanation {
  valid: boolean;
  reason: SignatureFault | null;
  advice: string | null;
}

export interface GivenWebhook {
  body: string;
  /** Headers by their names in lower case. */
  headers: ReadonlyMap<string, string>;
}

/** Secrets, keys and bodies that a signature may be based on. */
export interface Known {
  /** Secrets that sign now; more than one during a rotation. */
  current: readonly string[];
  signingKeys: readonly KeyObject[];
  /** Secrets of the sender, a shop or a standing endpoint, that no longer sign, or do not sign yet. */
  others: readonly string[];
  /** Secrets of other senders of the merchant, each with the header that names its sender. */
  otherSenders: readonly { sender: string; header: string; secret: string }[];
  /** Bodies that were sent for the payment, if they are still stored. */
  sentBodies: readonly string[];
  /** The current time in seconds since 1970. */
  now: number;
}

// The receiver package has the same tolerance and grammar; packages/vectors tests both.
const TOLERANCE_SECONDS = 300;
const TIMESTAMP = /^\d{1,12}$/;

const fault = (reason: SignatureFault, advice: string): Explanation => ({ valid: false, reason, advice });

export function* explainSignature(given: GivenWebhook, known: Known): Generator<void, Explanation> {
  const claims = claimsOf(given.headers, known.signingKeys);
  if (claims.length === 0) {
    return fault(
      'missing_header',
      'The webhook has neither Signature nor all of webhook-id, webhook-timestamp and webhook-signature.',
    );
  }
  const timestamp = given.headers.get('webhook-timestamp');
  if (timestamp !== undefined && !TIMESTAMP.test(timestamp)) {
    const advice = 'webhook-timestamp is not a whole number of seconds since 1970 (1 to 12 digits without a sign).';
    return fault('malformed_header', advice);
  }
  const body = Buffer.from(given.body, 'utf8');
  for (const claim of claims) {
    yield;
    if (known.current.some((secret) => claim.matches(secret, body))) continue;
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
    fallback(claim, text)
  );
}

function* findEncoding(claim: Claim, body: Buffer, { current }: Known): Generator<void, Explanation | undefined> {
  for (const secret of current) {
    yield;
    const advice = claim.encodingAdvice(secret, body);
    if (advice !== undefined) return fault('wrong_encoding', advice);
  }
  return undefined;
}

function* findSecret(claim: Claim, body: Buffer, known: Known): Generator<void, Explanation | undefined> {
  for (const secret of known.others) {
    yield;
    if (claim.matches(secret, body)) {
      const advice = `${claim.header} was made with a secret of the sender that does not sign now: a secret from before a rotation, or an announced one. Accept both during a rotation.`;
      return fault('previous_secret', advice);
    }
  }
  for (const { sender, header, secret } of known.otherSenders) {
    yield;
    if (claim.matches(secret, body)) {
      const advice = `${claim.header} was made with the secret of ${sender}. Select the secret by the header ${header}.`;
      return fault('wrong_secret', advice);
    }
  }
  return undefined;
}

/** Yields bodies that may have been signed and then changed to `text`, each with the reason and the advice. */
function* rewritings(text: string): Generator<[Buffer, SignatureFault, string]> {
  const utf8 = (body: string): Buffer => Buffer.from(body, 'utf8');
  const trimmed = text.trim();
  const whitespace = 'White space or line ends were changed. Verify the received bytes.';
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
      'The body was parsed and serialized again. Verify the received bytes before a JSON parser changes them.';
    yield [utf8(JSON.stringify(parsed)), 'reserialized_body', advice];
  }
  const charset = 'The body was read in another character set; its bytes are UTF-8. Verify the bytes, not a text.';
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
      if (claim.matches(secret, body)) return fault(reason, advice);
    }
  }
  return undefined;
}

/** Looks for a stored body that the signature matches. */
function* findSentBody(claim: Claim, text: string, known: Known): Generator<void, Explanation | undefined> {
  for (const sent of known.sentBodies) {
    const body = Buffer.from(sent, 'utf8');
    for (const secret of [...known.current, ...known.others]) {
      yield;
      if (!claim.matches(secret, body)) continue;
      return isSameJson(sent, text)
        ? fault('reserialized_body', 'The body was parsed and serialized again, with its fields in another order.')
        : fault(
            'changed_body',
            `The body differs from the body that was sent, from character ${differsAt(sent, text)} on.`,
          );
    }
  }
  return undefined;
}

/** Returns the probable reason: a body in the form that the service writes was probably not changed on its way. */
function fallback(claim: Claim, text: string): Explanation {
  const parsed = parsedOrNothing(text);
  const isAsWritten = parsed !== undefined && JSON.stringify(parsed) === text;
  if (isAsWritten) {
    const advice = `No secret of the merchant gives this ${claim.header} for this body: it was made with an unknown secret, or the body was changed.`;
    return fault('wrong_secret', advice);
  }
  const what =
    parsed === undefined
      ? 'The body is incomplete, or is not JSON.'
      : 'The body does not have the form that the service writes.';
  return fault('changed_body', `${what} Verify the received bytes.`);
}

function explainTime(timestamp: string | undefined, now: number): Explanation {
  const age = timestamp === undefined ? 0 : now - Number(timestamp);
  if (Math.abs(age) <= TOLERANCE_SECONDS) return { valid: true, reason: null, advice: null };
  const when = age > 0 ? `${age} s ago` : `${-age} s from now`;
  const advice = `The signature is valid, but was made ${when}: receivers refuse more than ${TOLERANCE_SECONDS} s. If this happens with all webhooks, the clock of the receiver is wrong.`;
  return fault('stale_timestamp', advice);
}

/** Parses with the limits of a request body, so that parsing is never slow. */
function parsedOrNothing(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text, 'utf8'));
  } catch {
    return undefined;
  }
}

const isSameJson = (one: string, other: string): boolean =>
  canonicalJson(parsedOrNothing(one)) === canonicalJson(parsedOrNothing(other));

function differsAt(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
