import type { Stripe } from 'stripe';
import { parseSignedJson } from '../../platform/http/body/json-body.js';
import { Problem } from '../../shared/problem.js';
import type { IncomingNotification, ParsedNotification, ProviderEvent } from '../payment-provider.js';
import { fromStripeAmount } from './stripe-amount.js';
import { loadStripe } from './stripe-client.js';
import { declineDetails, readStripeDecline, type StripeDecline } from './stripe-decline.js';
import { stateOf, succeededRefunds } from './stripe-intent.js';

/** Maximum age of a signature, recommended by Stripe and used by its SDK. Stripe signs each delivery again. */
const TOLERANCE_SECONDS = 300;
/** Secret for the check of a shop without a secret; its signatures are refused anyway. */
const NO_SECRET = 'whsec_no_secret';
const MAX_ID_LENGTH = 255;

/** The fields of events' objects that are read. */
type Subject = Partial<
  Pick<Stripe.PaymentIntent, 'amount' | 'amount_received' | 'currency' | 'last_payment_error' | 'status'> &
    Pick<Stripe.Charge, 'refunded' | 'payment_intent'>
> & { id: string; metadata?: Record<string, unknown> | null; failure_reason?: string };

type Outcome = Pick<ProviderEvent, 'status' | 'amount' | 'currency' | 'declineCode' | 'operationId'>;

/** Facts that the event does not contain. */
interface ParsingContext {
  now: Date;
  /** Reads the intent with its refunds from Stripe; `undefined`: the account has none. */
  retrieve: (intentId: string) => Promise<Stripe.PaymentIntent | undefined>;
}

const IGNORED: Outcome = { status: 'ignored' };

const EVENTS: ReadonlyMap<string, (subject: Subject) => Outcome> = new Map(
  Object.entries<(subject: Subject) => Outcome>({
    'payment_intent.succeeded': (intent) => ({
      status: 'completed',
      ...moneyOfSuccess(intent),
    }),
    'payment_intent.processing': (intent) => ({ status: 'processing', ...money(intent.amount, intent.currency) }),
    'payment_intent.requires_action': (intent) => ({ status: 'processing', ...money(intent.amount, intent.currency) }),
    'payment_intent.canceled': (intent) => ({ status: 'cancelled', ...money(intent.amount, intent.currency) }),
    'payment_intent.payment_failed': (intent) => ({
      status: 'failed',
      ...money(intent.amount, intent.currency),
      declineCode: readStripeDecline(intent.last_payment_error ?? {}).declineCode,
    }),
    'refund.created': refundOutcome,
    'refund.updated': refundOutcome,
    'charge.refund.updated': refundOutcome,
    'refund.failed': (refund) => ({ status: 'refund_failed', operationId: refund.id }),
  }),
);

/** A refund may be partial. Ours never are, and only they carry our reference. */
function refundOutcome({ id: operationId, status, metadata }: Subject): Outcome {
  if (status === ('failed' as string) || status === 'canceled') return { status: 'refund_failed', operationId };
  const isOurs = typeof metadata?.['reference'] === 'string';
  return status === 'succeeded' && isOurs ? { status: 'refunded', operationId } : IGNORED;
}

const REFUND_EVENTS = new Set(['refund.created', 'refund.updated', 'charge.refund.updated']);

/**
 * Whether the event may mean a full refund that only a look-up can confirm: `charge.refunded` counts refunds that are
 * still pending and may fail, and another party's refund may be partial.
 */
function isUncertain(type: string, subject: Subject): boolean {
  if (type === 'charge.refunded') return subject.refunded === true;
  return REFUND_EVENTS.has(type) && subject.status === 'succeeded' && referenceOf(subject) === undefined;
}

/**
 * The outcome by look-up: refunded if successful refunds cover the charge, with the id of our own refund, if there is
 * one.
 */
async function lookedUpOutcome(subject: Subject, { retrieve }: ParsingContext): Promise<Outcome> {
  const { payment_intent: intentId } = subject;
  const intent = typeof intentId === 'string' ? await retrieve(intentId) : undefined;
  const reference = intent && referenceOf(intent);
  if (!intent || reference === undefined) return IGNORED;
  const { status, amount, currency } = stateOf(intent);
  if (status !== 'refunded') return IGNORED;
  const refunds = succeededRefunds(intent);
  const refund = refunds.find((each) => each.metadata?.['reference'] === reference) ?? refunds[0];
  return { status, amount, currency, ...(refund && { operationId: refund.id }) };
}

/** Throws `invalid_signature`, `malformed_json` or `validation_failed`. Unknown types are one `ignored` event. */
export async function parseStripeNotification(
  { rawBody, headers }: IncomingNotification,
  secret: unknown,
  context: ParsingContext,
): Promise<ParsedNotification> {
  await verify(rawBody, headers['stripe-signature'], secret, context.now);
  const event = readEvent(rawBody);
  const { id, type, subject, created } = event;
  const outcome = await outcomeOf(type, subject, context);
  return {
    events: [
      {
        id,
        match: matchOf(subject),
        ...outcome,
        ...(created !== undefined && { occurredAt: new Date(created * 1_000) }),
        data: dataOf(type, subject),
      },
    ],
  };
}

async function outcomeOf(type: string, subject: Subject, context: ParsingContext): Promise<Outcome> {
  if (isForeign(type, subject)) return IGNORED;
  if (isUncertain(type, subject)) return lookedUpOutcome(subject, context);
  return EVENTS.get(type)?.(subject) ?? IGNORED;
}

async function verify(
  rawBody: Buffer,
  signature: string | string[] | undefined,
  secret: unknown,
  now: Date,
): Promise<void> {
  const { webhooks } = await loadStripe();
  const given = typeof signature === 'string' ? signature : '';
  const isKnown = typeof secret === 'string';
  let isSigned: boolean | undefined;
  try {
    // same work for a shop without a secret, so that the time of a refusal reveals nothing about shops
    const key = isKnown ? secret : NO_SECRET;
    // without `now` the SDK uses the machine's clock
    isSigned = await webhooks.signature?.verifyHeaderAsync(
      rawBody,
      given,
      key,
      TOLERANCE_SECONDS,
      undefined,
      now.getTime(),
    );
  } catch (cause) {
    throw new Problem('invalid_signature', { cause });
  }
  if (isSigned !== true || !isKnown) throw new Problem('invalid_signature');
}

interface SignedEvent {
  id: string;
  type: string;
  created: number | undefined;
  subject: Subject;
}

function readEvent(rawBody: Buffer): SignedEvent {
  const event = asObject(parseSignedJson(rawBody), 'body');
  const subject = asObject(asObject(event['data'], 'data')['object'], 'data.object');
  const { created } = event;
  return {
    id: asId(event['id'], 'id'),
    type: asId(event['type'], 'type'),
    created: Number.isSafeInteger(created) ? (created as number) : undefined,
    // some kinds of objects have no id; they are never ours
    subject: { ...subject, id: typeof subject['id'] === 'string' ? subject['id'] : 'none' },
  };
}

function asObject(value: unknown, field: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Problem('validation_failed', { errors: [{ field, message: 'must be an object' }] });
}

function asId(value: unknown, field: string): string {
  if (typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_LENGTH) return value;
  const message = `must be a string of 1 to ${MAX_ID_LENGTH} characters`;
  throw new Problem('validation_failed', { errors: [{ field, message }] });
}

/** Belongs to other users of the account: each of our intents carries our reference, and its charges copy it. */
const isForeign = (type: string, subject: Subject): boolean =>
  (type.startsWith('payment_intent.') || type === 'charge.refunded') && referenceOf(subject) === undefined;

const referenceOf = ({ metadata }: Pick<Subject, 'metadata'>): string | undefined => {
  const reference = metadata?.['reference'];
  return typeof reference === 'string' ? reference : undefined;
};

function matchOf(subject: Subject): ProviderEvent['match'] {
  const { payment_intent: intent } = subject;
  const reference = referenceOf(subject);
  return {
    transactionId: typeof intent === 'string' ? intent : subject.id,
    ...(reference !== undefined && { reference }),
  };
}

/** Omits the amount for a currency that we never send: it differs from the payment's and does not complete it. */
function money(minor: number | undefined, currency: string | undefined): { amount?: string; currency?: string } {
  if (minor === undefined || currency === undefined) return {};
  const amount = fromStripeAmount(minor, currency);
  return { ...(amount !== undefined && { amount }), currency: currency.toUpperCase() };
}

/** The captured amount, without which no event completes a payment. */
function moneyOfSuccess({ amount_received: received, currency }: Subject): { amount?: string; currency?: string } {
  if (Number.isSafeInteger(received) && typeof currency === 'string') return money(received, currency);
  const message = 'must be an integer and have a currency';
  throw new Problem('validation_failed', { errors: [{ field: 'data.object.amount_received', message }] });
}

/** Data for the merchant: no secrets (`client_secret`) and nothing about the payer. */
function dataOf(type: string, subject: Subject): Record<string, unknown> {
  const error: StripeDecline | null | undefined = subject.last_payment_error;
  return {
    type,
    object: subject.id,
    ...(typeof subject.status === 'string' && { status: subject.status }),
    ...(error && declineDetails(error)),
    ...(typeof subject.failure_reason === 'string' && { failure_reason: subject.failure_reason }),
  };
}
