import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js';
import type { BillingAddress, ChargeRequest } from '@payment-orchestrator/provider-kit';
import type { Json } from './client.js';

/** Characters that Adyen does not print on statements. */
const UNPRINTABLE = /[^\w .,'\-?+*/]/g;
/** Adyen requires each part of an address; these stand for one that is not known. */
const NOT_KNOWN = 'NA';
const NO_COUNTRY = 'ZZ';

/**
 * The payer's facts and the text on the statement. What the payer's page collected takes precedence.
 * https://docs.adyen.com/api-explorer/Checkout/72/post/payments
 */
export function payerFields({ payer = {}, statementDescriptor }: ChargeRequest) {
  const { ipAddress, billingAddress } = payer;
  const statement = statementDescriptor?.replaceAll(UNPRINTABLE, '').trim();
  return {
    ...(ipAddress !== undefined && { shopperIP: ipAddress }),
    ...(billingAddress && { billingAddress: addressOf(billingAddress) }),
    ...(statement && { shopperStatement: statement }),
  } satisfies Partial<Json<PaymentRequest>>;
}

function addressOf({ line1, line2, city, postalCode, state, country }: BillingAddress) {
  return {
    street: line1 ?? NOT_KNOWN,
    houseNumberOrName: line2 ?? NOT_KNOWN,
    city: city ?? NOT_KNOWN,
    // Adyen takes the first five digits of a ZIP+4 code
    postalCode: (postalCode ?? NOT_KNOWN).slice(0, country === 'US' ? 5 : 10),
    country: country ?? NO_COUNTRY,
    ...(state !== undefined && { stateOrProvince: state }),
  };
}
