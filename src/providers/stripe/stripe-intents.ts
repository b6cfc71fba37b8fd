import type { Stripe } from 'stripe';
import type { ChargeRequest, OperationReference, OperationRequest } from '../payment-provider.js';
import { isDeadEnd } from './stripe-failure.js';

const EXPAND = ['latest_charge.refunds'];

/**
 * One attempt is one PaymentIntent, so what creates it goes under a key made of the attempt's reference: a void of a charge
 * that nobody has heard of takes the same key, and whichever comes second is refused by Stripe.
 */
const creationKey = (reference: string): string => `attempt-${reference}`;

const metadataFor = ({ reference, paymentId }: OperationReference): Record<string, string> => ({
  reference,
  payment_id: String(paymentId),
});

/** Creates and confirms at once. `automatic` capture: `succeeded` means taken. */
export function createCharge(
  stripe: Stripe,
  request: ChargeRequest & { paymentMethodToken: string },
  minor: number,
): Promise<Stripe.PaymentIntent> {
  const params: Stripe.PaymentIntentCreateParams = {
    amount: minor,
    currency: request.currency.toLowerCase(),
    payment_method: request.paymentMethodToken,
    confirm: true,
    capture_method: 'automatic',
    metadata: metadataFor(request),
    ...whereThePayerGoes(request.returnUrl),
  };
  return stripe.paymentIntents.create(params, { idempotencyKey: creationKey(request.reference) });
}

/** Nobody could come back from a redirect without a `return_url`: what needs one is declined instead. */
const whereThePayerGoes = (returnUrl: string | undefined): Partial<Stripe.PaymentIntentCreateParams> =>
  returnUrl === undefined
    ? { automatic_payment_methods: { enabled: true, allow_redirects: 'never' }, error_on_requires_action: true }
    : { automatic_payment_methods: { enabled: true, allow_redirects: 'always' }, return_url: returnUrl };

/**
 * Takes the key of an attempt's charge with an intent that nobody confirms. Rejects when the charge was there before, though
 * nothing finds it yet.
 */
export const createTombstone = (stripe: Stripe, request: OperationRequest, minor: number) =>
  stripe.paymentIntents.create(
    { amount: minor, currency: request.currency.toLowerCase(), metadata: metadataFor(request) },
    { idempotencyKey: creationKey(request.reference) },
  );

/** Always as it is now, not as the search index remembers it. */
export const retrieveIntent = (stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> =>
  stripe.paymentIntents.retrieve(id, { expand: EXPAND });

/**
 * By our reference in its metadata. The index is behind, mostly by less than a minute, so `undefined` does not mean that
 * there is none. https://docs.stripe.com/search#data-freshness
 */
export async function searchIntent(stripe: Stripe, reference: string): Promise<Stripe.PaymentIntent | undefined> {
  if (!/^[\w-]+$/.test(reference)) throw new Error('a reference that cannot be searched for');
  const { data } = await stripe.paymentIntents.search({ query: `metadata['reference']:'${reference}'`, limit: 1 });
  const intent = data[0] && (await retrieveIntent(stripe, data[0].id));
  return intent?.metadata['reference'] === reference ? intent : undefined;
}

/** The intent of a charge whose repeat tells nothing. Rejects with `thrown` where that is not so or none is found. */
export async function findAfter(
  thrown: unknown,
  stripe: Stripe,
  request: ChargeRequest,
  minor: number,
): Promise<Stripe.PaymentIntent> {
  const intent = isDeadEnd(thrown) ? await searchIntent(stripe, request.reference) : undefined;
  if (intent?.amount !== minor || intent.currency !== request.currency.toLowerCase()) throw thrown;
  return intent;
}

const LISTED_AT_ONCE = 100;

/** Newest first. `after`: the id of the last one of the page before. https://docs.stripe.com/api/payment_intents/list */
export const listIntents = (stripe: Stripe, since: Date, after: string | null) =>
  stripe.paymentIntents.list({
    created: { gte: Math.floor(since.getTime() / 1_000) },
    limit: LISTED_AT_ONCE,
    expand: EXPAND.map((field) => `data.${field}`),
    ...(after !== null && { starting_after: after }),
  });
