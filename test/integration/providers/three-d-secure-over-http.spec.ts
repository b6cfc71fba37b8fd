import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient, type ApiResponse } from '../../support/app/api-client.js';
import type { Merchant, PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';
import { sharedSandbox } from './sandbox-harness.js';

const PUBLIC_URL = 'https://pay.example/api';
const RETURN_URL = 'https://merchant.example/checkout/4711?step=done';

type Outcome = 'approve' | 'decline';

/** Acts as the payer's browser on the issuer's page, and returns the address of the redirect. */
async function actOn(payment: PaymentAnswer, outcome: Outcome): Promise<URL> {
  expect(payment).toMatchObject({ status: 'processing', next_action: { type: 'redirect', method: 'GET' } });
  const body = new URLSearchParams({ outcome });
  const page = await fetch(payment.next_action!.url, { method: 'POST', body, redirect: 'manual' });
  expect(page.status).toBe(303);
  return new URL(page.headers.get('location')!);
}

describe('3-D Secure at Adyen, over HTTP', () => {
  let api: ProviderApi;
  let merchant: Merchant;

  beforeAll(async () => {
    api = await sharedProviderApi({ publicUrl: PUBLIC_URL });
    merchant = await api.merchantAt('adyen');
    api.adyen.account(MERCHANT_ACCOUNT).webhooks.endpoint = undefined; // only the payer's return brings the outcome
  });
  afterAll(() => api.stop());

  const pay = () =>
    merchant.pay('checkout', { return_url: RETURN_URL, payment_method: { token: 'shopper-1/REDIRECT' } });
  const statusOf = async ({ id }: PaymentAnswer) => (await merchant.payment(id)).status;
  /** Requests the path of a public URL from the API. */
  const comeBack = (url: URL): Promise<ApiResponse> => {
    expect(url.href.startsWith(`${PUBLIC_URL}/providers/adyen/return/`)).toBe(true);
    return new ApiClient(api.url).get(`${url.pathname.slice('/api'.length)}${url.search}`);
  };
  const expectRedirect = ({ status, headers, body }: ApiResponse) => {
    expect([status, headers.get('location'), body]).toEqual([303, RETURN_URL, undefined]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  };

  it.each([
    ['approve', 'completed'],
    ['decline', 'failed'],
  ] as const)('%s: the payer returns through us, and the payment becomes %s', async (outcome, status) => {
    const payment = await pay();
    expectRedirect(await comeBack(await actOn(payment, outcome)));
    expect(await merchant.payment(payment.id)).toMatchObject({ status, next_action: null });
  });

  it('a reload changes nothing, even while the first return is under way', async () => {
    const payment = await pay();
    const url = await actOn(payment, 'approve');
    for (const answer of await Promise.all([comeBack(url), comeBack(url)])) expectRedirect(answer);
    expectRedirect(await comeBack(url));
    await eventually(async () => expect(await statusOf(payment)).toBe('completed'));
    expect((await merchant.history(payment.id)).map(({ to }) => to)).toEqual(['processing', 'completed']);
  });

  it('the payer is sent to the merchant even if the provider gives no answer, and the payment stays open', async () => {
    const payment = await pay();
    const url = await actOn(payment, 'approve');
    api.adyen.injectFault({ when: 'before', what: 'reset' }, { path: /details/ });
    expectRedirect(await comeBack(url));
    expect(await statusOf(payment)).toBe('processing');
    expectRedirect(await comeBack(url));
    expect(await statusOf(payment)).toBe('completed');
  });

  it('the return of another payment changes nothing', async () => {
    const [first, second] = [await pay(), await pay()];
    const url = await actOn(first, 'approve');
    const other = api.adyen.account(MERCHANT_ACCOUNT).ledger.find(second.next_action!.url.split('/').at(-1)!);
    const foreign = new URL(other.returnUrl);
    foreign.search = url.search;
    expectRedirect(await comeBack(foreign));
    expect(await statusOf(second)).toBe('processing');
  });

  it('nothing is handed in for an ended payment, so nothing is charged', async () => {
    const payment = await pay();
    const url = await actOn(payment, 'approve');
    await api.database.pool.query(`UPDATE payments SET status = 'cancelled' WHERE id = $1`, [payment.id]);
    const calls = api.adyen.calls.length;
    expectRedirect(await comeBack(url));
    expect(api.adyen.calls).toHaveLength(calls);
  });

  it('a charge during a cancellation is marked for its reversal', async () => {
    const payment = await pay();
    const url = await actOn(payment, 'approve');
    const adyen = api.get(AdyenProvider);
    const complete = AdyenProvider.prototype.completeAction.bind(adyen);
    adyen.completeAction = async (...given) => {
      const answer = await complete(...given);
      await api.database.pool.query(`UPDATE payments SET status = 'cancelled' WHERE id = $1`, [payment.id]);
      return answer;
    };
    expectRedirect(await comeBack(url));
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'cancelled', charged_after_end: true });
  });

  it.each([
    ['an unknown reference', `adyen/return/${randomUUID()}`],
    ['no reference', 'adyen/return/4711'],
    ['an unknown provider', `unknown/return/${randomUUID()}`],
  ])('%s gets the same 404, without a redirect', async (_name, path) => {
    const query = '?redirectResult=x&return_url=https://evil.example/';
    const { status, headers, body } = await new ApiClient(api.url).get(`/providers/${path}${query}`);
    expect([status, headers.get('location'), body]).toEqual([
      404,
      null,
      expect.objectContaining({ code: 'payment_not_found' }),
    ]);
  });
});

describe('Adyen without a configured public address', () => {
  it('gets no return address, so a card that requires a redirect is declined', async () => {
    const api = await sharedProviderApi();
    const merchant = await api.merchantAt('adyen');
    const token = 'shopper-1/REDIRECT';
    const payment = await merchant.pay('checkout', { return_url: RETURN_URL, payment_method: { token } });
    expect(payment).toMatchObject({
      status: 'failed',
      provider_metadata: { decline_code: 'authentication_required' },
    });
    await api.stop();
  });
});

describe('returns of payers', () => {
  it('get 429 above the limit of their address', async () => {
    const api = await startApi({ NOTIFICATION_RATE_LIMIT_PER_SECOND: '2' });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) {
      statuses.push((await new ApiClient(api.url).get(`/providers/adyen/return/${randomUUID()}`)).status);
    }
    expect(statuses[0]).toBe(404);
    expect(statuses).toContain(429);
    await api.stop();
  });
});

describe('3-D Secure at Stripe, over HTTP', () => {
  let api: ProviderApi;
  let merchant: Merchant;

  beforeAll(async () => {
    api = await sharedProviderApi();
    merchant = await api.merchantAt('stripe');
  });
  afterAll(() => api.stop());

  it.each([
    ['approve', 'completed'],
    ['decline', 'failed'],
  ] as const)('%s: a notification makes the payment %s', async (outcome, status) => {
    const payment = await merchant.pay('checkout', {
      return_url: 'https://merchant.example/back',
      payment_method: { token: 'pm_card_threeDSecure2Required' },
    });
    const back = await actOn(payment, outcome);
    expect(`${back.origin}${back.pathname}`).toBe('https://merchant.example/back');
    await eventually(async () =>
      expect(await merchant.payment(payment.id)).toMatchObject({ status, next_action: null }),
    );
  });
});

describe('the return route of a provider whose redirects do not come back through us', () => {
  let api: TestApi;
  let merchant: Merchant;
  beforeAll(async () => {
    ({ api, merchant } = await sharedSandbox());
  });
  afterAll(() => api?.stop());

  it('sends the payer on, and completes no step that is taken in the page', async () => {
    const payment = await merchant.pay('checkout', {
      return_url: RETURN_URL,
      payment_method: { token: 'tok_provider_action' },
    });
    const { rows } = await api.database.pool.query<{ reference: string }>(
      'SELECT reference FROM payment_attempts WHERE payment_id = $1',
      [payment.id],
    );
    const path = `/providers/sandbox/return/${rows[0]!.reference}?result=approved`;
    const { status, headers } = await new ApiClient(api.url).get(path);
    expect([status, headers.get('location')]).toEqual([303, RETURN_URL]);
    expect(await merchant.payment(payment.id)).toMatchObject({
      status: 'processing',
      next_action: { type: 'provider_action' },
    });
  });
});
