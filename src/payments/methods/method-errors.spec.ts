import { describe, expect, it } from '@jest/globals';
import type { Problem } from '../../shared/problem.js';
import type { GivenMethod } from '../../shared/payment-method.js';
import type { PaymentProvider } from '@payment-orchestrator/provider-kit';
import { requireUsable } from './method-errors.js';

const adyen = {
  paymentMethodErrors: ({ amount }: Readonly<Record<string, unknown>>) =>
    amount === undefined ? [] : [{ field: 'amount', message: 'is not passed on' }],
};
const providers = {
  names: () => ['adyen', 'stripe'],
  has: (name: string) => ['adyen', 'stripe'].includes(name),
  isKnown: (name: string) => ['adyen', 'stripe', 'absent'].includes(name),
  get: (name: string) => (name === 'adyen' ? adyen : {}) as PaymentProvider,
};

const errorsOf = (given: GivenMethod) => {
  try {
    requireUsable(given, providers);
    return [];
  } catch (error) {
    const { code, errors } = error as Problem;
    expect(code).toBe('validation_failed');
    return errors;
  }
};
const stripe = { provider: 'stripe', token: 'pm_1' };
const error = (field: string, message: string) => ({ field: `payment_method.${field}`, message });

describe('requireUsable', () => {
  it.each<GivenMethod>([
    { token: 'pm_1' },
    { type: 'card', token: 'pm_1' },
    { type: 'ideal' },
    { options: [stripe, { provider: 'adyen', data: { paymentMethod: {} } }] },
    { options: [stripe, { provider: 'absent', token: 'x' }] },
    { options: [stripe, { ...stripe, account: 'eu' }, { ...stripe, account: 'us' }] },
  ])('accepts %j', (given) => {
    expect(errorsOf(given)).toEqual([]);
  });

  it.each<[GivenMethod, object[]]>([
    [
      { options: [stripe, { provider: 'adyen', data: { amount: 1 } }] },
      [error('options.1.data.amount', 'is not passed on')],
    ],
    [{ card: { scheme: 'visa' } }, [error('token', 'is required, or options or type')]],
    [
      { token: 'pm_1', options: [stripe] },
      [error('token', 'must be left out, because options has a token for each account')],
    ],
    [
      { options: [stripe, { provider: 'paypal', token: 'x' }] },
      [error('options.1.provider', 'must be one of adyen, stripe')],
    ],
    [{ options: [{ provider: 'stripe' }] }, [error('options.0', 'must have either token or data')]],
    [{ options: [{ ...stripe, data: {} }] }, [error('options.0', 'must have either token or data')]],
    [
      { options: [stripe, { ...stripe, account: 'eu' }, { ...stripe, token: 'pm_2' }] },
      [error('options.2', 'must be about another account than options.0')],
    ],
  ])('refuses %j', (given, errors) => {
    expect(errorsOf(given)).toEqual(errors);
  });
});
