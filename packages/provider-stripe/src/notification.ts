import type { Stripe } from 'stripe';
import {
  type ConnectorContext,
  NotificationRefused,
  type ParsedNotification,
  type ProviderEvent,
  type SignedRequest,
} from '@payment-orchestrator/provider-kit';
import { fromStripeAmount } from './amount.js';
import { declineDetails, readStripeDecline, type StripeDecline } from './decline.js';
import { reportOfDispute, type StripeDispute } from './dispute.js';
import { readSignedEvent, type SignedEvent } from './event.js';
import { captureBefore, refundsIn, savedIn } from './intent.js';
import { failureCode } from './refund.js';

/** The fields of events' objects that are read. */
type Subject = Partial<
  Pick<
    Stripe.PaymentIntent,
    | 'amount'
    | 'amount_capturable'
    | 'amount_received'
    | 'cancellation_reason'
    | 'capture_method'
    | 'currency'
    | 'last_payment_error'
    | 'setup_future_usage'
    | 'customer'
    | 'payment_method'
    | 'latest_charge'
  > &
    Pick<Stripe.Charge, 'payment_intent'>
> & { id: string; status?: string | null; metadata?: Record<string, unknown> | null; failure_reason?: string };

type Outcome = Omit<ProviderEvent, 'id' | 'match' | 'data'>;

/** Facts that the event does not contain. */
interface ParsingContext {
  now: Date;
  parseJson: ConnectorContext['parseJson'];
  /** Reads the intent with its charge and all refunds from Stripe; `undefined`: the account has none. */
  retrieve: (intentId: string) => Promise<Stripe.PaymentIntent | undefined>;
}

interface Report extends SignedEvent, ParsingContext {
  subject: Subject;
}

/** Several outcomes of one event have different `suffix`es. */
type Outcomes = (Outcome & { suffix?: string })[];

const IGNORED: Outcome = { status: 'ignored' };
/** Reasons of Stripe for the end of an authorisation: `expired` since 2025-03-31.basil, `automatic` before. */
const LAPSED = new Set(['expired', 'automatic']);
/** Since this API version Stripe makes no refunds for parts of an authorisation that it releases. */
const NO_REFUNDS_OF_RELEASES = '2025-03-31';

const EVENTS: ReadonlyMap<string, (report: Report) => Outcome | Promise<Outcomes>> = new Map(
  Object.entries<(report: Report) => Outcome | Promise<Outcomes>>({
    'payment_intent.succeeded': ({ subject }) => ({
      status: 'completed',
      ...requiredMoney(subject, 'amount_received'),
      ...savedIn(subject),
    }),
    'payment_intent.processing': ({ subject }) => ({
      status: 'processing',
      ...money(subject.amount, subject.currency),
    }),
    'payment_intent.requires_action': ({ subject }) => ({
      status: 'processing',
      ...money(subject.amount, subject.currency),
    }),
    'payment_intent.amount_capturable_updated': authorized,
    'payment_intent.canceled': ({ subject }) => ({
      status: isLapse(subject) ? 'authorization_expired' : 'cancelled',
      ...money(subject.amount, subject.currency),
    }),
    'payment_intent.payment_failed': ({ subject }) => ({
      status: 'failed',
      ...money(subject.amount, subject.currency),
      declineCode: readStripeDecline(subject.last_payment_error ?? {}).declineCode,
    }),
    'refund.created': refundReported,
    'refund.updated': refundReported,
    'charge.refund.updated': refundReported,
    'refund.failed': ({ subject }) => refundOutcome({ ...subject, status: 'failed' }),
    'charge.refunded': refundsOfCharge,
    'charge.dispute.created': disputed,
    'charge.dispute.updated': disputed,
    'charge.dispute.funds_withdrawn': disputed,
    'charge.dispute.funds_reinstated': disputed,
    'charge.dispute.closed': disputed,
  }),
);

/** Throws `invalid_signature`, `malformed_json` or `validation_failed`. Unknown types are one `ignored` event. */
export async function parseStripeNotification(
  incoming: SignedRequest,
  secret: unknown,
  context: ParsingContext,
): Promise<ParsedNotification> {
  const event = await readSignedEvent(incoming, secret, context);
  const { id, type, occurredAt, object } = event;
  // some kinds of objects have no id; they are never ours
  const subject: Subject = { ...object, id: typeof object['id'] === 'string' ? object['id'] : 'none' };
  const outcomes = await outcomesOf({ ...event, ...context, subject });
  return {
    events: outcomes.map(({ suffix, ...outcome }) => ({
      id: suffix === undefined ? id : `${id}:${suffix}`,
      match: matchOf(subject),
      ...(occurredAt && { occurredAt }),
      ...outcome,
      data: dataOf(type, subject),
    })),
  };
}

async function outcomesOf(report: Report): Promise<Outcomes> {
  if (isForeign(report.type, report.subject)) return [IGNORED];
  const outcome = await (EVENTS.get(report.type)?.(report) ?? IGNORED);
  return Array.isArray(outcome) ? outcome : [outcome];
}

/** An event has only the id of its charge, which knows when the authorisation ends. */
async function authorized({ subject, retrieve }: Report): Promise<Outcomes> {
  if (subject.status !== 'requires_capture') return [IGNORED];
  const intent = await retrieve(subject.id);
  return [
    {
      status: 'authorized',
      ...requiredMoney(subject, 'amount_capturable'),
      ...(intent && { captureBefore: captureBefore(intent) }),
      ...savedIn(intent ?? subject),
    },
  ];
}

const isLapse = ({ capture_method: method, cancellation_reason: reason }: Subject): boolean =>
  method === 'manual' && LAPSED.has(reason ?? '');

async function refundReported({ subject, apiVersion, retrieve }: Report): Promise<Outcomes> {
  const isOurs = referenceOf(subject) !== undefined;
  const mayBeRelease = !isOurs && apiVersion !== undefined && apiVersion < NO_REFUNDS_OF_RELEASES;
  if (mayBeRelease && !(await currentRefunds(subject, retrieve)).some(({ id }) => id === subject.id)) return [IGNORED];
  return [refundOutcome(subject)];
}

function refundOutcome(refund: Subject): Outcome {
  const outcome = { operationId: refund.id, ...requiredMoney(refund, 'amount') };
  switch (refund.status) {
    case 'succeeded':
      return { status: 'refunded', ...outcome };
    case 'failed':
    case 'canceled':
      return { status: 'refund_failed', declineCode: failureCode(refund.failure_reason), ...outcome };
    case 'pending':
    case 'requires_action':
      return { status: 'refund_pending', ...outcome };
    default:
      return IGNORED;
  }
}

/**
 * The refunds of a charge that have not failed, for endpoints without `refund.created`. The event has no refund, and its
 * sums also count pending ones.
 */
async function refundsOfCharge({ subject, retrieve }: Report): Promise<Outcomes> {
  const refunds = (await currentRefunds(subject, retrieve)).map((refund): Outcomes[number] => ({
    ...refundOutcome(refund),
    suffix: `${refund.id}:${refund.status}`,
  }));
  const reported = refunds.filter(({ status }) => status === 'refunded' || status === 'refund_pending');
  return reported.length > 0 ? reported : [IGNORED];
}

/** All refunds of the subject's charge by Stripe's present API, which has none for released authorisations. */
async function currentRefunds(
  { payment_intent: intentId }: Subject,
  retrieve: ParsingContext['retrieve'],
): Promise<Stripe.Refund[]> {
  const intent = typeof intentId === 'string' ? await retrieve(intentId) : undefined;
  return intent ? refundsIn(intent) : [];
}

function disputed({ type, object, subject, occurredAt, now }: Report): Outcome {
  requiredMoney(subject, 'amount');
  if (typeof subject.status !== 'string') throw invalid('status', 'must be a string');
  return { status: 'disputed', ...reportOfDispute(type, object as unknown as StripeDispute, occurredAt ?? now) };
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

/** An amount that always comes, and without which no event is applied. */
function requiredMoney(
  subject: Subject,
  field: 'amount' | 'amount_received' | 'amount_capturable',
): { amount?: string; currency?: string } {
  const { [field]: minor, currency } = subject;
  if (Number.isSafeInteger(minor) && typeof currency === 'string') return money(minor, currency);
  throw invalid(field, 'must be an integer and have a currency');
}

const invalid = (field: string, message: string): NotificationRefused =>
  new NotificationRefused('validation_failed', { errors: [{ field: `data.object.${field}`, message }] });

/** Data for the merchant: no secrets (`client_secret`) and nothing about the payer. */
function dataOf(type: string, subject: Subject): Record<string, unknown> {
  const error: StripeDecline | null | undefined = subject.last_payment_error;
  const { cancellation_reason: cancellation, failure_reason: failure } = subject;
  return {
    type,
    object: subject.id,
    ...(typeof subject.status === 'string' && { status: subject.status }),
    ...(error && declineDetails(error)),
    ...(typeof cancellation === 'string' && { cancellation_reason: cancellation }),
    ...(typeof failure === 'string' && { failure_reason: failure }),
  };
}
