import type { Stripe } from 'stripe';
import type { ChargeRequest, OperationReference, OperationRequest } from '@payment-orchestrator/provider-kit';
import { isDeadEnd } from './failure.js';
import type { StripeMethod } from './method.js';
import { allRefunds } from './refund.js';

const EXPAND = ['latest_charge.refunds'];

/**
 * An attempt is one PaymentIntent, so its creation uses a key derived from the attempt's reference. A void of a charge
 * that was not found uses the same key, and Stripe refuses the second of the two.
 */
const creationKey = (reference: string): string => `attempt-${reference}`;

const metadataFor = ({ reference, paymentId }: OperationReference): Record<string, string> => ({
  reference,
  payment_id: String(paymentId),
});

/**
 * Creates and confirms at once. With `automatic` capture `succeeded` means captured; with `manual` the charge says until
 * when it can be captured. The charge has the card's facts. Expansions count as parameters: Stripe refuses the repeat of
 * a call of an earlier version, which had none for `automatic`, and the charge is then found by the search.
 */
export function createCharge(
  stripe: Stripe,
  request: ChargeRequest & StripeMethod,
  minor: number,
): Promise<Stripe.PaymentIntent> {
  const params: Stripe.PaymentIntentCreateParams = {
    amount: minor,
    currency: request.currency.toLowerCase(),
    payment_method: request.method,
    ...(request.customerId !== undefined && { customer: request.customerId }),
    ...(request.save && { setup_future_usage: 'off_session' }),
    confirm: true,
    capture_method: request.capture,
    metadata: metadataFor(request),
    ...descriptorParams(request),
    ...(request.initiator === 'merchant' ? withoutPayer(request) : actionParams(request)),
    expand: ['latest_charge'],
  };
  return stripe.paymentIntents.create(params, { idempotencyKey: creationKey(request.reference) });
}

/**
 * A payment that would need its payer is declined. Stripe knows the first charge of its own PaymentMethod, and takes no network
 * transaction id. https://docs.stripe.com/api/payment_intents/create
 */
const withoutPayer = ({ agreement }: ChargeRequest): Partial<Stripe.PaymentIntentCreateParams> => ({
  off_session: agreement === undefined ? true : OFF_SESSION[agreement],
  automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
});

const OFF_SESSION = { subscription: 'recurring', unscheduled: 'one_off' } as const;

/**
 * The text on the payer's statement: of a card after the account's prefix, where Stripe cuts it. Without a letter Stripe refuses it.
 * https://docs.stripe.com/get-started/account/statement-descriptors
 */
function descriptorParams({ statementDescriptor = '', paymentMethod }: ChargeRequest) {
  const text = statementDescriptor.replace(/[<>\\'"*]/g, '').trim();
  if (!/[a-z]/i.test(text)) return {};
  const { type = 'card' } = paymentMethod ?? {};
  if (type === 'card') return { statement_descriptor_suffix: text };
  return text.length < MIN_DESCRIPTOR_LENGTH ? {} : { statement_descriptor: text };
}

const MIN_DESCRIPTOR_LENGTH = 5;

/**
 * Parameters for a step of the payer: with Stripe.js in the payer's page, or after a redirect. Without a `return_url` the
 * payer could not come back, so a payment that needs one is declined.
 */
function actionParams({ returnUrl, paymentMethod }: ChargeRequest): Partial<Stripe.PaymentIntentCreateParams> {
  const inPage = { automatic_payment_methods: { enabled: true, allow_redirects: 'never' } } as const;
  if (paymentMethod?.nextActionType === 'provider_action') return { ...inPage, use_stripe_sdk: true };
  if (returnUrl === undefined) return { ...inPage, error_on_requires_action: true };
  return { automatic_payment_methods: { enabled: true, allow_redirects: 'always' }, return_url: returnUrl };
}

/**
 * Uses the key of an attempt's charge for an intent that is never confirmed, which blocks the charge. Rejects if the
 * charge was made before, even if no search finds it yet.
 */
export const createPlaceholder = (stripe: Stripe, request: OperationRequest, minor: number) =>
  stripe.paymentIntents.create(
    { amount: minor, currency: request.currency.toLowerCase(), metadata: metadataFor(request) },
    { idempotencyKey: creationKey(request.reference) },
  );

/** Reads the present state, not the one in the search index. */
export const retrieveIntent = async (stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> =>
  withAllRefunds(stripe, await stripe.paymentIntents.retrieve(id, { expand: EXPAND }));

/** A charge contains its ten newest refunds; sums need all of them. */
async function withAllRefunds(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Stripe.PaymentIntent> {
  const charge = intent.latest_charge;
  if (charge === null || typeof charge === 'string' || !charge.refunds?.has_more) return intent;
  const data = await allRefunds(stripe, intent.id);
  return { ...intent, latest_charge: { ...charge, refunds: { ...charge.refunds, data, has_more: false } } };
}

/**
 * Finds an intent by our reference in its metadata. The index is behind, mostly by less than a minute, so `undefined`
 * does not mean that there is none. https://docs.stripe.com/search#data-freshness
 */
export async function searchIntent(stripe: Stripe, reference: string): Promise<Stripe.PaymentIntent | undefined> {
  if (!/^[\w-]+$/.test(reference)) throw new Error('the reference cannot be searched for');
  const { data } = await stripe.paymentIntents.search({ query: `metadata['reference']:'${reference}'`, limit: 1 });
  const intent = data[0] && (await retrieveIntent(stripe, data[0].id));
  return intent?.metadata['reference'] === reference ? intent : undefined;
}

/**
 * The intent of a charge whose repeat cannot show the outcome. Rejects with `thrown` for other errors, or if none is
 * found.
 */
export async function findUnrepeatable(
  thrown: unknown,
  stripe: Stripe,
  request: ChargeRequest,
  minor: number,
): Promise<Stripe.PaymentIntent> {
  const intent = isDeadEnd(thrown) ? await searchIntent(stripe, request.reference) : undefined;
  if (intent?.amount !== minor || intent.currency !== request.currency.toLowerCase()) throw thrown;
  return intent;
}

const PAGE_SIZE = 100;

/**
 * Newest first. `after`: the id of the last one of the previous page. https://docs.stripe.com/api/payment_intents/list
 */
export async function listIntents(
  stripe: Stripe,
  since: Date,
  after: string | null,
): Promise<{ intents: Stripe.PaymentIntent[]; hasMore: boolean }> {
  const { data, has_more: hasMore } = await stripe.paymentIntents.list({
    created: { gte: Math.floor(since.getTime() / 1_000) },
    limit: PAGE_SIZE,
    expand: EXPAND.map((field) => `data.${field}`),
    ...(after !== null && { starting_after: after }),
  });
  const intents: Stripe.PaymentIntent[] = [];
  for (const intent of data) intents.push(await withAllRefunds(stripe, intent));
  return { intents, hasMore };
}
