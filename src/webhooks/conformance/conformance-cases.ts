import type { CaseRequest, CaseSigner, Misreading } from './case-signer.js';

/** What a right receiver does with the requests of a case. */
export type Expectation = 'accepts' | 'refuses';

export interface ConformanceCase {
  name: string;
  /** What is sent, for the merchant to read. */
  sent: string;
  expectation: Expectation;
  /** For a receiver that does the opposite. */
  advice: string;
  /** What no 2xx but 208 shows, and where to look for it: only the receiver knows what it did. */
  unproven?(this: void, requests: readonly CaseRequest[]): string;
  /** `earlier`: the requests of the cases before, by name. */
  make(signer: CaseSigner, earlier: ReadonlyMap<string, readonly CaseRequest[]>): CaseRequest[];
}

const LARGE_BYTES = 262_144;
const HOUR = 3_600;
const MINUTE_MS = 60_000;

/** In this order: a receiver that fails the first has no use for the others, and the last one leaves a status to look at. */
export const CASES: readonly ConformanceCase[] = [
  {
    name: 'genuine',
    sent: 'a completed payment, signed with the secret of the shop',
    expectation: 'accepts',
    advice:
      'Compute the hex HMAC-SHA256 of the body as received with the webhook secret as it stands, whsec_ included, and compare it with Signature; or verify the three headers of Standard Webhooks with one of its libraries.',
    make: (signer) => [signer.request()],
  },
  {
    name: 'repeated_id',
    sent: 'the first request once more, with the same webhook-id',
    expectation: 'accepts',
    advice:
      'Acknowledge a repetition: keep the shop and the webhook-id of what was handled, drop what has both, and answer a 2xx.',
    unproven: ([request]) =>
      `Only 208 shows that the repetition was dropped. See in the receiver that it has handled ${request!.headers['webhook-id']} once.`,
    make: (signer, earlier) => {
      const [{ body, headers }] = earlier.get('genuine') as [CaseRequest];
      return [signer.request({ body, id: headers['webhook-id']! })];
    },
  },
  {
    name: 'exact_bytes',
    sent: 'the same event written with spaces, escapes, 100.50 and a newline at its end, signed as it is written',
    expectation: 'accepts',
    advice:
      'The body is parsed and written again before it is verified. Verify the bytes as received: in Express with express.raw(), in other frameworks with their raw body.',
    make: (signer) => [signer.request({ body: unusual(signer.body()) })],
  },
  {
    name: 'tampered_body',
    sent: 'an amount that was changed after the signature was made',
    expectation: 'refuses',
    advice: 'The body is believed without its signature. Verify first, and answer 401 when it does not match.',
    make: (signer) => {
      const signedBody = signer.body();
      return [signer.request({ signedBody, body: signedBody.replace('"amount":100.5', '"amount":900.5') })];
    },
  },
  {
    name: 'wrong_secret',
    sent: 'an event that was signed with another secret',
    expectation: 'refuses',
    advice: 'Any signature is taken. Compute it with the secret of the shop, and answer 401 when it does not match.',
    make: (signer) => [signer.forged()],
  },
  {
    name: 'stale_timestamp',
    sent: 'a genuine request that was signed an hour ago',
    expectation: 'refuses',
    advice:
      'The time of the signature is ignored: whoever has seen a request can repeat it for ever. Verify webhook-signature, which covers webhook-timestamp, and refuse what is older than five minutes.',
    make: (signer) => [signer.request({ age: HOUR })],
  },
  {
    name: 'future_timestamp',
    sent: 'a genuine request whose signature has a time an hour from now',
    expectation: 'refuses',
    advice: 'Refuse a webhook-timestamp that is more than five minutes ahead as well.',
    make: (signer) => [signer.request({ age: -HOUR })],
  },
  {
    name: 'old_secret',
    sent: 'as after a rotation of which the receiver has not heard: Signature is of a new secret, webhook-signature has both',
    expectation: 'accepts',
    advice:
      'During a rotation webhooks would be lost. Verify webhook-signature, and accept it when any of its signatures matches.',
    make: (signer) => [signer.rotated()],
  },
  {
    name: 'unknown_event',
    sent: 'an event of a kind that does not exist yet',
    expectation: 'accepts',
    advice: 'Acknowledge events that are not known and ignore them: there will be more kinds.',
    make: (signer) => [
      signer.request({ body: signer.body((sample) => ({ ...sample, event: 'payment.conformance' })) }),
    ],
  },
  {
    name: 'unknown_field',
    sent: 'an event with fields that do not exist yet',
    expectation: 'accepts',
    advice: 'Ignore fields that are not known: there will be more of them.',
    make: (signer) => [
      signer.request({
        body: signer.body((sample) => ({ ...sample, payment: { ...sample.payment, conformance: 1 }, conformance: {} })),
      }),
    ],
  },
  {
    name: 'empty_optional_parts',
    sent: 'an event without customer, metadata and what else may be missing',
    expectation: 'accepts',
    advice: 'customer, country and provider_transaction_id may be null; metadata and provider_metadata may be missing.',
    make: (signer) => [signer.request({ body: signer.body(withoutOptionalParts) })],
  },
  {
    name: 'large_body',
    sent: 'an event of 256 KiB',
    expectation: 'accepts',
    advice: 'Take bodies of up to 288 KiB: in Express express.raw({ limit: "512kb" }).',
    make: (signer) => [signer.request({ body: padded(signer) })],
  },
  {
    name: 'slow_body',
    sent: 'a genuine request whose body arrives in pieces',
    expectation: 'accepts',
    advice: 'Read the body to its end: it may come in pieces, and as slowly as the timeout of a webhook allows.',
    make: (signer) => [{ ...signer.request(), isSlow: true }],
  },
  {
    name: 'out_of_order',
    sent: 'completed, and then processing of a minute before',
    expectation: 'accepts',
    advice: 'An event may overtake another. Acknowledge both, and let the one with the later timestamp count.',
    unproven: () =>
      'Only 208 shows that the older event was dropped. See in the receiver that payment 0 is still completed: where it is processing, an event undoes a newer one. Keep the timestamp of the latest event of each payment.',
    make: (signer) => {
      const earlier = (sample: Record<string, unknown>): string =>
        new Date(Date.parse(sample['timestamp'] as string) - MINUTE_MS).toISOString();
      const processing = signer.body((sample) => ({
        ...sample,
        timestamp: earlier(sample),
        payment: { ...sample.payment, status: 'processing', updated_at: earlier(sample) },
      }));
      return [signer.request(), signer.request({ body: processing })];
    },
  },
];

/** Tried when the genuine request is refused: one that is accepted tells what the receiver gets wrong. */
export const DIAGNOSES: readonly { misreading: Misreading; advice: string }[] = [
  {
    misreading: 'upperCase',
    advice:
      'It expects Signature in upper case. Signature is lower-case hex: decode it to bytes and compare those in constant time.',
  },
  {
    misreading: 'base64',
    advice: 'It expects base64 in Signature. Signature is hexadecimal; base64 is in webhook-signature.',
  },
  {
    misreading: 'decodedKey',
    advice:
      'It decodes the secret for Signature. The key of Signature is the secret as it stands, whsec_ included; what follows whsec_ is decoded for webhook-signature alone.',
  },
  {
    misreading: 'plainKey',
    advice:
      'It takes the secret as it stands for webhook-signature. Its key is what follows whsec_, base64-decoded; the secret as it stands is the key of Signature.',
  },
  {
    misreading: 'hexInStandard',
    advice: 'It expects hexadecimal in webhook-signature. Its signatures are base64.',
  },
  {
    misreading: 'rewritten',
    advice:
      'It parses the body and writes it again before it verifies. Verify the bytes as received, before a JSON parser has touched them.',
  },
];

function withoutOptionalParts({ metadata: _, provider_metadata: __, ...sample }: Record<string, unknown>): object {
  const payment = sample['payment'] as object;
  return { ...sample, payment: { ...payment, provider_transaction_id: null, country: null }, customer: null };
}

/** The same value in bytes that no serialiser writes. */
const unusual = (body: string): string =>
  `${JSON.stringify(JSON.parse(body), null, 2).replace('100.5', '100.50').replace('Jane', '\\u004aane')}\n`;

function padded(signer: CaseSigner): string {
  const withPadding = (length: number): string =>
    signer.body((sample) => ({ ...sample, metadata: { padding: 'x'.repeat(length) } }));
  return withPadding(LARGE_BYTES - Buffer.byteLength(withPadding(0)));
}
