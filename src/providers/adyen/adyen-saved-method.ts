import type { PaymentResponse } from '@adyen/api-library/lib/src/typings/checkout/paymentResponse.js';
import type { ChargeAnswer, DetachAnswer } from '../payment-provider.js';
import { PAYMENT_METHOD_UNUSABLE_ERRORS } from './adyen-decline.js';
import { knownRefusal } from './adyen-failure.js';
import type { AdyenSession } from './adyen-modification.js';
import { readToken } from './adyen-request.js';

/** The newer name of each field comes first. https://docs.adyen.com/online-payments/tokenization/create-tokens */
const STORED = ['tokenization.storedPaymentMethodId', 'recurring.recurringDetailReference'];
const SHOPPER = ['tokenization.shopperReference', 'recurring.shopperReference'];

/** The stored payment method that an answer reports. */
export function savedIn({
  additionalData = {},
}: Pick<PaymentResponse, 'additionalData'>): Pick<ChargeAnswer, 'savedMethod'> {
  const first = (names: readonly string[]) => names.map((name) => additionalData[name]).find(Boolean);
  const [stored, shopper] = [first(STORED), first(SHOPPER)];
  if (!stored || !shopper) return {};
  const networkTransactionId = additionalData['networkTxReference'];
  return { savedMethod: { token: `${shopper}/${stored}`, ...(networkTransactionId && { networkTransactionId }) } };
}

/** https://docs.adyen.com/api-explorer/Checkout/latest/delete/storedPaymentMethods/(storedPaymentMethodId) */
export async function detachStored({ recurring, merchantAccount }: AdyenSession, token: string): Promise<DetachAnswer> {
  const method = readToken(token);
  if (!method) return { outcome: 'not_found' };
  try {
    await recurring.deleteTokenForStoredPaymentDetails(method.stored, method.shopper, merchantAccount);
    return { outcome: 'confirmed' };
  } catch (thrown) {
    if (!PAYMENT_METHOD_UNUSABLE_ERRORS.has(knownRefusal(thrown).errorCode)) throw thrown;
    return { outcome: 'not_found' };
  }
}
