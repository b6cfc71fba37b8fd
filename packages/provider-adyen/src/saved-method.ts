import type { DetachAnswer, SavedMethod } from '@payment-orchestrator/provider-kit';
import { isUnusable } from './error.js';
import { knownRefusal } from './failure.js';
import type { AdyenSession } from './modification.js';
import { readToken } from './request.js';

/** The newer name of each field comes first. https://docs.adyen.com/online-payments/tokenization/create-tokens */
const STORED = ['tokenization.storedPaymentMethodId', 'recurring.recurringDetailReference'];
const SHOPPER = ['tokenization.shopperReference', 'recurring.shopperReference'];

/** The stored payment method that the `additionalData` of an answer or a notification reports. */
export function savedIn(additionalData: Readonly<Record<string, unknown>> = {}): { savedMethod?: SavedMethod } {
  const first = (names: readonly string[]) => names.map((name) => additionalData[name]).find(Boolean);
  return savedMethod(first(STORED), first(SHOPPER), additionalData['networkTxReference']);
}

/** Nothing for a shopper of another system: a charge that saves names its customer. */
export function savedMethod(stored: unknown, shopper: unknown, network?: unknown): { savedMethod?: SavedMethod } {
  const token = `${String(shopper)}/${String(stored)}`;
  const customerId = Number(/^customer-([1-9]\d{0,15})$/.exec(String(shopper))?.[1]);
  if (!readToken(token) || Number.isNaN(customerId)) return {};
  const isNamed = typeof network === 'string' && network !== '';
  return { savedMethod: { token, customerId, ...(isNamed && { networkTransactionId: network }) } };
}

/** https://docs.adyen.com/api-explorer/Checkout/latest/delete/storedPaymentMethods/(storedPaymentMethodId) */
export async function detachStored({ recurring, merchantAccount }: AdyenSession, token: string): Promise<DetachAnswer> {
  const method = readToken(token);
  if (!method) return { outcome: 'not_found' };
  try {
    await recurring.deleteTokenForStoredPaymentDetails(method.stored, method.shopper, merchantAccount);
    return { outcome: 'confirmed' };
  } catch (thrown) {
    if (!isUnusable(knownRefusal(thrown).errorCode)) throw thrown;
    return { outcome: 'not_found' };
  }
}
