import type { ChargeAnswer, ChargeRequest } from '@payment-orchestrator/provider-kit';
import { CheckoutRefusal, unavailableReason } from './client.js';

/** Checkout.com's fields of the payment method; `undefined`: it is none of Checkout.com's. */
function sourceOf({ paymentMethod, save = false, payer }: ChargeRequest): object | undefined {
  const { token = '' } = paymentMethod ?? {};
  if (/^src_\w{1,60}$/.test(token)) return { type: 'id', id: token };
  if (!/^tok_\w{1,60}$/.test(token)) return undefined;
  const { line1, line2, city, postalCode, state, country } = payer?.billingAddress ?? {};
  const address = { address_line1: line1, address_line2: line2, city, state, zip: postalCode, country };
  const isKnown = Object.values(address).some((value) => value !== undefined);
  // its default would store every card
  return { type: 'token', token, store_for_future_use: save, ...(isKnown && { billing_address: address }) };
}

const isIpv4 = (address: string | undefined): boolean => /^\d{1,3}(\.\d{1,3}){3}$/.test(address ?? '');

/** The fields of a charge without the payer, or of the first one of an agreement. */
function agreementFields({ initiator, agreement, save, firstCharge, paymentMethod }: ChargeRequest): object {
  const isMerchants = initiator === 'merchant';
  const isAgreed = agreement !== undefined && (isMerchants || save === true);
  const previous = firstCharge?.transactionId ?? firstCharge?.networkTransactionId;
  return {
    ...((isMerchants || isAgreed) && { payment_type: agreement === 'subscription' ? 'Recurring' : 'Unscheduled' }),
    ...(isMerchants && { merchant_initiated: true }),
    ...(paymentMethod?.token?.startsWith('src_') && previous !== undefined && { previous_payment_id: previous }),
  };
}

/** The body of a charge of `minor`; `undefined`: its payment method is none of Checkout.com's. */
export function paymentBody(request: ChargeRequest, minor: number): object | undefined {
  const { currency, reference, paymentId, capture, returnUrl, customer, payer, initiator, save } = request;
  const source = sourceOf(request);
  if (!source) return undefined;
  const channel = request.credentials['processing_channel_id'];
  const name = [customer?.firstName, customer?.lastName].filter(Boolean).join(' ');
  const isPayerHere = returnUrl !== undefined && initiator !== 'merchant';
  return {
    source,
    amount: minor,
    currency,
    reference,
    capture: capture === 'automatic',
    ...agreementFields(request),
    ...(channel !== undefined && { processing_channel_id: channel }),
    ...(customer?.email && { customer: { email: customer.email, ...(name !== '' && { name }) } }),
    ...(isIpv4(payer?.ipAddress) && { payment_ip: payer!.ipAddress }),
    ...(isPayerHere && {
      '3ds': { enabled: true, attempt_n3d: true },
      success_url: returnUrl,
      failure_url: returnUrl,
    }),
    metadata: { payment_id: String(paymentId), ...(save === true && { save: 'true' }) },
  };
}

/** Our code for a refusal, by Checkout.com's: https://www.checkout.com/docs/resources/codes/error-codes */
const REFUSALS: readonly [codes: RegExp, declineCode: string][] = [
  [/^(token|source|card_token|instrument|previous_payment|payment_source|source_token)_/, 'payment_method_unusable'],
  [/^currency_/, 'currency_not_supported'],
  [/^amount_/, 'invalid_amount'],
  [/^(business|channel|processing_channel|processor|entity|client)_|_not_(configured|enabled)$/, 'configuration_error'],
];

/** Rethrows an error after which the outcome is unknown. */
export function notCharged(error: unknown): ChargeAnswer {
  const reason = unavailableReason(error);
  if (reason !== undefined) return { outcome: 'unavailable', reason };
  if (!(error instanceof CheckoutRefusal)) throw error;
  const found = REFUSALS.find(([codes]) => error.codes.some((code) => codes.test(code)));
  return {
    outcome: 'soft_declined',
    declineCode: found?.[1] ?? 'request_refused',
    metadata: { reason: error.message },
  };
}
