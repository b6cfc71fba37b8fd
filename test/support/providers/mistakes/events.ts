// Mistakes in notifications.
import { mistake, type Mistake } from './mistake.js';

export const EVENTS: readonly Mistake[] = [
  mistake(
    'accepts unsigned notifications',
    'refuses any body as forged without credentials, if it has a secret for it',
    ['events', 'if (!isKnown || !isEqual)', 'if (signature !== undefined && (!isKnown || !isEqual))'],
  ),
  mistake('accepts any signature', 'accepts only a valid signature of this shop, if it has a secret for it', [
    'events',
    'if (!isKnown || !isEqual)',
    'if (signature === undefined || !isKnown)',
  ]),
  mistake(
    'accepts everything for shops without a secret',
    'accepts only a valid signature of this shop, if it has a secret for it',
    ['events', 'if (!isKnown || !isEqual)', 'if (isKnown && !isEqual)'],
  ),
  mistake('compares the beginning of a signature', 'a notification is signed with another key, or not', [
    'events',
    'given.length === expected.length && timingSafeEqual(given, expected)',
    'timingSafeEqual(given, expected.subarray(0, given.length))',
  ]),
  mistake(
    'fails on a signature of another length',
    'refuses any body as forged without credentials, if it has a secret for it',
    [
      'events',
      'given.length === expected.length && timingSafeEqual(given, expected)',
      'timingSafeEqual(given, expected)',
    ],
  ),
  mistake('signs the parsed body', 'the provider fails (5xx), in any call', [
    'events',
    '    .update(rawBody)',
    "    .update(JSON.stringify({ type: (JSON.parse(rawBody.toString()) as Record<string, unknown>)['type'] }))",
  ]),
  mistake(
    'reads the body before the signature',
    'refuses any body as forged without credentials, if it has a secret for it',
    [
      'events',
      "  verify(rawBody, headers[SIGNATURE], secret);\n  const event = object(parseJson(rawBody), 'body');",
      "  const event = object(parseJson(rawBody), 'body');\n  verify(rawBody, headers[SIGNATURE], secret);",
    ],
  ),
  mistake('throws errors without a code', 'a signed body is no notification', [
    'events',
    "  new NotificationRefused('validation_failed', { errors: [{ field, message }], cause });",
    '  new TypeError(`${field} ${message}`, { cause }) as never;',
  ]),
  mistake('parses with JSON.parse', 'a signed body is no notification', [
    'events',
    'object(parseJson(rawBody),',
    'object(JSON.parse(rawBody.toString()),',
  ]),
  mistake('does not verify at all', 'accepts only a valid signature of this shop, if it has a secret for it', [
    'events',
    '  verify(rawBody, headers[SIGNATURE], secret);\n',
    '',
  ]),
  mistake('reads an unknown type as a failure', 'a signed event has an unknown value, or lacks one', [
    'events',
    "{ status: 'ignored' }),\n    data",
    "{ status: 'failed' }),\n    data",
  ]),
  mistake('reads a declined refund as refunded', 'a refund that was accepted is declined', [
    'events',
    "['refund.failed', (of) => ({ status: 'refund_failed',",
    "['refund.failed', (of) => ({ status: 'refunded',",
  ]),
  mistake('ignores a declined refund', 'a refund that was accepted is declined', [
    'events',
    "['refund.failed', (of) => ({ status: 'refund_failed',",
    "['refund.failure', (of) => ({ status: 'refund_failed',",
  ]),
  mistake('reads a declined capture as completed', 'a capture that was accepted is declined', [
    'events',
    "['capture.failed', (of) => ({ status: 'capture_failed', ...operation(of) })],",
    "['capture.failed', (of) => ({ status: 'completed', ...operation(of) })],",
  ]),
  mistake('reads a declined capture as a failed payment', 'a capture that was accepted is declined', [
    'events',
    "['capture.failed', (of) => ({ status: 'capture_failed',",
    "['capture.failed', (of) => ({ status: 'failed',",
  ]),
  mistake('reads a declined charge as cancelled refund', 'a charge that ends later is declined', [
    'events',
    "['charge.declined', () => ({ status: 'failed' })],",
    "['charge.declined', (of) => ({ status: 'refunded', ...money(of, 'amount') })],",
  ]),
  mistake('ignores a declined charge', 'a charge that ends later is declined', [
    'events',
    "['charge.declined', () => ({ status: 'failed' })],",
    '',
  ]),
  mistake('reads a lapse as completed', 'an authorisation lapses', [
    'events',
    "['charge.expired', () => ({ status: 'authorization_expired' })],",
    "['charge.expired', (of) => ({ status: 'completed', ...money(of, 'amount') })],",
  ]),
  mistake('ignores a lapse', 'an authorisation lapses', [
    'events',
    "['charge.expired', () => ({ status: 'authorization_expired' })],",
    '',
  ]),
  mistake('completes an authorisation', 'an authorisation is reported: nothing is completed before the capture', [
    'events',
    "({ status: 'authorized', ...money(of, 'amount')",
    "({ status: 'completed', ...money(of, 'amount')",
  ]),
];
