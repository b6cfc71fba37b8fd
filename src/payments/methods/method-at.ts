import { type GivenMethod, optionFor } from '../../shared/payment-method.js';
import type { PaymentMethodInput } from '@payment-orchestrator/provider-kit';

/** Whether the account is one of the options; without options any account may be. The label may have changed since the decision. */
export const hasOption = (given: GivenMethod | undefined, at: { provider: string; account: string }): boolean =>
  given?.options === undefined || optionFor(given.options, at) !== undefined;

/** The payment method that a shop of this account is charged with; `undefined`: none. */
export function methodAt(
  given: GivenMethod | undefined,
  at: { provider: string; account: string },
): PaymentMethodInput | undefined {
  if (!given) return undefined;
  const { token, data } = given.options ? (optionFor(given.options, at) ?? {}) : { token: given.token };
  const isTypeOnly = given.options === undefined && given.type !== undefined;
  if (token === undefined && data === undefined && !isTypeOnly) return undefined;
  return {
    ...(given.type !== undefined && { type: given.type }),
    ...(token !== undefined && { token }),
    ...(data && { data }),
    ...(given.next_action_type !== undefined && { nextActionType: given.next_action_type }),
  };
}
