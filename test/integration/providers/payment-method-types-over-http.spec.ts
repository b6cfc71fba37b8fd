import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { CHECKOUT_CREDENTIALS } from '../../support/providers/checkout-requests.js';
import { MOLLIE_CREDENTIALS } from '../../support/providers/mollie-requests.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';
import { tokenOf } from '../../support/servers/checkout/checkout-objects.js';
import type { AttemptAnswer } from '../payments/failover-harness.js';

interface Simulation {
  result: { primary_shop: { shop_id: number } | null; fallbacks?: unknown[] };
  explanation: { shops: { shop_id: number; tests: Record<string, string>; smallest_change?: unknown }[] };
}

let api: ProviderApi;
let merchant: Merchant;
/** Checkout.com takes cards and two wallets; Mollie takes cards, iDEAL and PayPal, but no Apple Pay. */
let checkout: ShopAnswer;
let mollie: ShopAnswer;

beforeAll(async () => {
  api = await sharedProviderApi();
  merchant = new Merchant(await api.login());
  checkout = await merchant.createShop('Cards', { provider: 'checkout', provider_credentials: CHECKOUT_CREDENTIALS });
  mollie = await merchant.createShop('Local', { provider: 'mollie', provider_credentials: MOLLIE_CREDENTIALS });
  for (const [name, shops] of [
    ['cards first', [checkout, mollie]],
    ['local first', [mollie, checkout]],
  ] as const) {
    const members = shops.map(({ id }, index) => ({ shop_id: id, priority: index + 1 }));
    dataOf(await merchant.api.post('/flows', { name, strategy: 'priority', max_attempts: 2, shops: members }));
  }
});
afterAll(() => api.stop());

const paying = (method: object) => ({ payment_method: method, return_url: 'https://merchant.example/back' });
const pay = (flow: string, method: object) => merchant.pay(flow, paying(method));
const attemptsOf = async ({ id }: PaymentAnswer) =>
  dataOf<AttemptAnswer[]>(await merchant.api.get(`/payments/${id}/attempts`)).map(({ shop }) => shop.id);

async function simulated(flow: string, method: object) {
  const body = { flow_name: flow, amount: 49.9, currency: 'EUR', payment_method: method, explain: true };
  const { result, explanation } = dataOf<Simulation>(await merchant.api.post('/flows/simulate', body));
  const about = ({ id }: ShopAnswer) => explanation.shops.find((shop) => shop.shop_id === id)!;
  return { pick: result.primary_shop?.shop_id ?? null, checkout: about(checkout), mollie: about(mollie) };
}

describe('a payment with a type of payment method', () => {
  it.each(['ideal', 'paypal'])(
    'and %s passes over an account that does not take it, in the simulation, too',
    async (type) => {
      const calls = api.checkout.calls.length;
      const payment = await pay('cards first', { type });
      expect(payment).toMatchObject({ payment_provider: 'mollie', next_action: { type: 'redirect' } });
      expect(await attemptsOf(payment)).toEqual([mollie.id]);
      expect(api.checkout.calls).toHaveLength(calls);
      const decision = dataOf(await merchant.api.get(`/payments/${payment.id}/decision`));
      expect(decision).toMatchObject({ failed: { [checkout.id]: ['capability_missing'] }, fallbacks: [] });

      const simulation = await simulated('cards first', { type });
      expect(simulation).toMatchObject({
        pick: mollie.id,
        checkout: { tests: { capability_missing: 'failed' } },
        mollie: { tests: { capability_missing: 'passed' } },
      });
      expect(simulation.checkout.smallest_change).toEqual({ field: 'payment_method.type', from: type, to: 'card' });
    },
  );

  it('and Apple Pay reaches the account that takes it, even in second place', async () => {
    const wallet = { type: 'apple_pay', options: [{ provider: 'checkout', token: tokenOf('approved') }] };
    const payment = await pay('local first', wallet);
    expect(payment).toMatchObject({ payment_provider: 'checkout' });
    expect(await attemptsOf(payment)).toEqual([checkout.id]);
    expect((await simulated('local first', { type: 'apple_pay' })).pick).toBe(checkout.id);
  });

  it('finds no shop if no account takes it, and any shop if it is omitted', async () => {
    const refused = await merchant.tryPay('cards first', paying({ type: 'klarna' }));
    expect(refused).toMatchObject({ status: 409, body: { code: 'no_available_shop' } });
    const { detail } = refused.body as { detail: string };
    for (const { id } of [checkout, mollie]) expect(detail).toContain(`shop ${id}: capability_missing`);
    expect((await simulated('cards first', { type: 'klarna' })).pick).toBeNull();
    const untyped = await simulated('cards first', {});
    expect(untyped.pick).toBe(checkout.id);
    expect(untyped.mollie.tests).not.toHaveProperty('capability_missing');
  });

  it('breaks an assertion that claims more accounts than take it', async () => {
    const claim = (type: string) => ({
      name: `two for ${type}`,
      strategy: 'round_robin',
      shops: [{ shop_id: checkout.id }, { shop_id: mollie.id }],
      assertions: [{ when: { currency: { equals: 'EUR' }, 'payment_method.type': { equals: type } }, at_least: 2 }],
    });
    expect(await merchant.api.post('/flows', claim('card'))).toMatchObject({ status: 201 });
    const refused = await merchant.api.post('/flows', claim('ideal'));
    expect(refused).toMatchObject({ status: 409, body: { code: 'flow_assertion_violated' } });
    expect(JSON.stringify(refused.body)).toContain(`has 1: ${mollie.id}`);
  });
});
