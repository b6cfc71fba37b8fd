import type { ChargeRequest, PaymentMethodInput } from '@payment-orchestrator/provider-kit';
import type { GivenMethod } from '../../shared/payment-method.js';
import type { NewCharge } from '../money/state/operation.js';
import { methodAt } from './method-at.js';

/**
 * Facts for the provider about a charge. They are kept like the payment method's token: encrypted, and only while a repeat may
 * need them.
 */
export type ChargeFacts = Pick<ChargeRequest, 'payer' | 'statementDescriptor' | 'firstCharge'>;

/** The means to charge a shop: `paymentMethod` is the one in the shop's account. */
export interface ChargeInput extends ChargeFacts {
  paymentMethod?: PaymentMethodInput | undefined;
}

/** All that a request gives for its charges. The shop that is tried decides which payment method is meant. */
export interface GivenCharge {
  method: GivenMethod | undefined;
  facts: ChargeFacts;
}

/** The means to charge a shop of this account. */
export const inputAt = ({ method, facts }: GivenCharge, at: { provider: string; account: string }): ChargeInput => ({
  ...facts,
  paymentMethod: methodAt(method, at),
});

/** A recorded charge with the means to charge its shop. */
export interface PreparedCharge extends NewCharge {
  input: ChargeInput;
}
