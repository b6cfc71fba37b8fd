import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  type ConnectorContext,
  isObject,
  NotificationRefused,
  type ProviderEvent,
  type SignedRequest,
} from '@payment-orchestrator/provider-kit';
import { amountOf, fromSeconds } from './charges.js';

const SIGNATURE = 'acme-signature';
/** The key of a shop without a secret; its signatures are refused anyway, after the same work. */
const NO_SECRET = 'no secret';

type Fields = Record<string, unknown>;
type Told = Omit<ProviderEvent, 'id' | 'match' | 'occurredAt' | 'data'>;

/** Acme's types of events that say something about a payment. */
const EVENTS: ReadonlyMap<string, (of: Fields) => Told> = new Map<string, (of: Fields) => Told>([
  [
    'charge.authorized',
    (of) => ({ status: 'authorized', ...money(of, 'amount'), captureBefore: date(of, 'capture_before') }),
  ],
  ['charge.paid', (of) => ({ status: 'completed', ...money(of, 'captured') })],
  ['charge.declined', () => ({ status: 'failed' })],
  ['charge.cancelled', () => ({ status: 'cancelled' })],
  ['charge.expired', () => ({ status: 'authorization_expired' })],
  ['cancellation.failed', () => ({ status: 'void_failed' })],
  ['capture.failed', (of) => ({ status: 'capture_failed', ...operation(of) })],
  ['refund.pending', (of) => ({ status: 'refund_pending', ...operation(of) })],
  ['refund.succeeded', (of) => ({ status: 'refunded', ...operation(of) })],
  ['refund.failed', (of) => ({ status: 'refund_failed', ...operation(of) })],
  [
    'dispute.opened',
    (of) => ({
      status: 'disputed',
      dispute: { id: text(of, 'dispute'), kind: 'chargeback', status: 'open', ...money(of, 'amount') },
    }),
  ],
]);

/** Throws `invalid_signature` before it reads the body, then `malformed_json` or `validation_failed`. */
export function readEvent(
  { rawBody, headers }: SignedRequest,
  secret: unknown,
  parseJson: ConnectorContext['parseJson'],
): ProviderEvent {
  verify(rawBody, headers[SIGNATURE], secret);
  const event = object(parseJson(rawBody), 'body');
  const type = text(event, 'type');
  const of = object(event['data'], 'data');
  return {
    id: text(event, 'id'),
    match: { transactionId: text(of, 'charge'), reference: text(of, 'reference') },
    occurredAt: date(event, 'created'),
    ...(EVENTS.get(type)?.(of) ?? { status: 'ignored' }),
    data: { type },
  };
}

function verify(rawBody: Buffer, signature: string | string[] | undefined, secret: unknown): void {
  const isKnown = typeof secret === 'string';
  const expected = createHmac('sha256', isKnown ? secret : NO_SECRET)
    .update(rawBody)
    .digest();
  const given = Buffer.from(typeof signature === 'string' ? signature : '', 'hex');
  const isEqual = given.length === expected.length && timingSafeEqual(given, expected);
  if (!isKnown || !isEqual) throw new NotificationRefused('invalid_signature');
}

const operation = (of: Fields) => ({ operationId: text(of, 'operation'), ...money(of, 'amount') });

function money(of: Fields, name: string): { amount: string; currency: string } {
  try {
    return { amount: amountOf(of[name], of['currency']), currency: text(of, 'currency') };
  } catch (cause) {
    throw invalid(name, 'must be an amount with a currency', cause);
  }
}

function date(of: Fields, name: string): Date {
  try {
    return fromSeconds(of[name]);
  } catch (cause) {
    throw invalid(name, 'must be a time in seconds', cause);
  }
}

function text(of: Fields, name: string): string {
  const value = of[name];
  if (typeof value === 'string' && /^\P{C}{1,200}$/u.test(value)) return value;
  throw invalid(name, 'must be a text');
}

function object(value: unknown, name: string): Fields {
  if (isObject(value)) return value;
  throw invalid(name, 'must be an object');
}

const invalid = (field: string, message: string, cause?: unknown): NotificationRefused =>
  new NotificationRefused('validation_failed', { errors: [{ field, message }], cause });
