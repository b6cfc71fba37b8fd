import type { CaseRequest, CaseSigner, Misreading } from './case-signer.js';
import { MINUTE_MS } from '../../shared/clock.js';

/** The correct reaction to the requests of a case. */
export type Expectation = 'accepts' | 'refuses';

export interface ConformanceCase {
  name: string;
  /** Description of the requests for the merchant. */
  sent: string;
  expectation: Expectation;
  /** Advice if the receiver does the opposite. */
  advice: string;
  /** Behaviour that only a 208 shows, and where to check it in the receiver. */
  unproven?(this: void, requests: readonly CaseRequest[]): string;
  /** Builds the requests. `earlier`: requests of the previous cases, by name. */
  make(signer: CaseSigner, earlier: ReadonlyMap<string, readonly CaseRequest[]>): CaseRequest[];
}

const LARGE_BYTES = 262_144;
const HOUR = 3_600;

/** All cases. The order matters: if the first case fails, the others do not help, and the last one leaves a status to check. */
export const CASES: readonly ConformanceCase[] = [
  {
    name: 'genuine',
    sent: 'a completed payment, signed with the webhook secret',
    expectation: 'accepts',
    advice:
      'Compute the hex HMAC-SHA256 of the received bytes with the complete webhook secret, including whsec_, and compare it with Signature. Or verify the three headers of Standard Webhooks with one of its libraries.',
    make: (signer) => [signer.request()],
  },
  {
    name: 'repeated_id',
    sent: 'the first request again, with the same webhook-id',
    expectation: 'accepts',
    advice:
      'Acknowledge a repetition: store the shop and the webhook-id of each handled webhook, drop a webhook that has both, and answer with a 2xx.',
    unproven: ([request]) =>
      `Only 208 shows that the repetition was dropped. Check in the receiver that it has handled ${request!.headers['webhook-id']} once.`,
    make: (signer, earlier) => {
      const [{ body, headers }] = earlier.get('genuine') as [CaseRequest];
      return [signer.request({ body, id: headers['webhook-id']! })];
    },
  },
  {
    name: 'exact_bytes',
    sent: 'the same event with spaces, escapes, 100.50 and a final newline, signed in this form',
    expectation: 'accepts',
    advice:
      'The receiver parses and serializes the body before verification. Verify the received bytes: in Express with express.raw(), in other frameworks with their raw body.',
    make: (signer) => [signer.request({ body: unusual(signer.body()) })],
  },
  {
    name: 'tampered_body',
    sent: 'an event whose amount was changed after signing',
    expectation: 'refuses',
    advice:
      'The receiver trusts the body without its signature. Verify first, and answer with 401 if it does not match.',
    make: (signer) => {
      const signedBody = signer.body();
      return [signer.request({ signedBody, body: signedBody.replace('"amount":100.5', '"amount":900.5') })];
    },
  },
  {
    name: 'wrong_secret',
    sent: 'an event that is signed with another secret',
    expectation: 'refuses',
    advice:
      'The receiver accepts any signature. Compute it with the webhook secret, and answer with 401 if it does not match.',
    make: (signer) => [signer.forged()],
  },
  {
    name: 'stale_timestamp',
    sent: 'a genuine request that was signed an hour ago',
    expectation: 'refuses',
    advice:
      'The time of the signature is ignored, so anyone who has seen a request can repeat it forever. Verify webhook-signature, which covers webhook-timestamp, and refuse requests that are older than five minutes.',
    make: (signer) => [signer.request({ age: HOUR })],
  },
  {
    name: 'future_timestamp',
    sent: 'a genuine request whose signature has a time an hour from now',
    expectation: 'refuses',
    advice: 'Also refuse a webhook-timestamp that is more than five minutes in the future.',
    make: (signer) => [signer.request({ age: -HOUR })],
  },
  {
    name: 'old_secret',
    sent: 'a request after a rotation that the receiver does not know: Signature uses a new secret, webhook-signature has both',
    expectation: 'accepts',
    advice:
      'During a rotation the receiver would lose webhooks. Verify webhook-signature, and accept it if any of its signatures matches.',
    make: (signer) => [signer.rotated()],
  },
  {
    name: 'unknown_event',
    sent: 'an event of an unknown type',
    expectation: 'accepts',
    advice: 'Acknowledge and ignore unknown events: more types will follow.',
    make: (signer) => [
      signer.request({ body: signer.body((sample) => ({ ...sample, event: 'payment.conformance' })) }),
    ],
  },
  {
    name: 'unknown_field',
    sent: 'an event with unknown fields',
    expectation: 'accepts',
    advice: 'Ignore unknown fields: more fields will follow.',
    make: (signer) => [
      signer.request({
        body: signer.body((sample) => ({ ...sample, payment: { ...sample.payment, conformance: 1 }, conformance: {} })),
      }),
    ],
  },
  {
    name: 'empty_optional_parts',
    sent: 'an event without customer, metadata and other optional parts',
    expectation: 'accepts',
    advice: 'customer, country and provider_transaction_id may be null; metadata and provider_metadata may be missing.',
    make: (signer) => [signer.request({ body: signer.body(withoutOptionalParts) })],
  },
  {
    name: 'large_body',
    sent: 'an event of 256 KiB',
    expectation: 'accepts',
    advice: 'Accept bodies of up to 288 KiB: in Express with express.raw({ limit: "512kb" }).',
    make: (signer) => [signer.request({ body: padded(signer) })],
  },
  {
    name: 'slow_body',
    sent: 'a genuine request whose body arrives in pieces',
    expectation: 'accepts',
    advice: 'Read the body to its end: it may arrive in pieces, and take as long as the timeout of a webhook.',
    make: (signer) => [{ ...signer.request(), isSlow: true }],
  },
  {
    name: 'out_of_order',
    sent: 'the status completed, and then processing from a minute before',
    expectation: 'accepts',
    advice: 'Events may arrive out of order. Acknowledge both, and keep the one with the later timestamp.',
    unproven: () =>
      'Only 208 shows that the older event was dropped. Check in the receiver that payment 0 is still completed. If it is processing, an older event replaces a newer one: store the timestamp of the latest event of each payment.',
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

/** Mistakes to try if the genuine request is refused. If the receiver accepts one, it makes this mistake. */
export const DIAGNOSES: readonly { misreading: Misreading; advice: string }[] = [
  {
    misreading: 'upperCase',
    advice:
      'The receiver expects Signature in upper case. Signature is lower-case hex: decode it to bytes and compare these in constant time.',
  },
  {
    misreading: 'base64',
    advice: 'The receiver expects base64 in Signature. Signature is hexadecimal; base64 is in webhook-signature.',
  },
  {
    misreading: 'decodedKey',
    advice:
      'The receiver decodes the secret for Signature. The key of Signature is the complete secret, including whsec_. Only webhook-signature uses the decoded part after whsec_.',
  },
  {
    misreading: 'plainKey',
    advice:
      'The receiver uses the complete secret for webhook-signature. Its key is the base64-decoded part after whsec_. The complete secret is the key of Signature.',
  },
  {
    misreading: 'hexInStandard',
    advice: 'The receiver expects hexadecimal in webhook-signature. Its signatures are base64.',
  },
  {
    misreading: 'rewritten',
    advice:
      'The receiver parses and serializes the body before verification. Verify the received bytes before a JSON parser changes them.',
  },
];

function withoutOptionalParts({ metadata: _, provider_metadata: __, ...sample }: Record<string, unknown>): object {
  const payment = sample['payment'] as object;
  return { ...sample, payment: { ...payment, provider_transaction_id: null, country: null }, customer: null };
}

/** Returns the same value in a form that no serializer writes. */
const unusual = (body: string): string =>
  `${JSON.stringify(JSON.parse(body), null, 2).replace('100.5', '100.50').replace('Jane', '\\u004aane')}\n`;

function padded(signer: CaseSigner): string {
  const withPadding = (length: number): string =>
    signer.body((sample) => ({ ...sample, metadata: { padding: 'x'.repeat(length) } }));
  return withPadding(LARGE_BYTES - Buffer.byteLength(withPadding(0)));
}
