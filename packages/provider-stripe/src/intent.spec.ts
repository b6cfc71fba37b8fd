import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { Stripe } from 'stripe';
import { answerOf, stateOf } from './intent.js';

const URL_OF_TYPE = 'https://payments.stripe.com/step';
const redirect = { type: 'redirect', url: URL_OF_TYPE, method: 'GET' };
/** Details of a type, and the field with the page to which the payer goes; `null`: it has none. */
const TYPES: Readonly<Record<string, [page: string | null, details?: object]>> = {
  alipay_handle_redirect: ['url', { native_url: 'alipay://', return_url: 'https://shop.example/back' }],
  blik_authorize: [null],
  boleto_display_details: ['hosted_voucher_url', { pdf: 'https://payments.stripe.com/pdf' }],
  card_await_notification: [null, { charge_attempt_at: 1_790_000_000 }],
  cashapp_handle_redirect_or_display_qr_code: ['hosted_instructions_url', { mobile_auth_url: 'https://cash.app/x' }],
  display_bank_transfer_instructions: ['hosted_instructions_url', { reference: '1' }],
  klarna_display_qr_code: [null, { data: 'qr', image_url_png: 'https://qr.stripe.com/x.png' }],
  konbini_display_details: ['hosted_voucher_url'],
  multibanco_display_details: ['hosted_voucher_url'],
  oxxo_display_details: ['hosted_voucher_url'],
  paynow_display_qr_code: ['hosted_instructions_url', { image_url_png: 'https://qr.stripe.com/x.png' }],
  pix_display_qr_code: ['hosted_instructions_url', { data: 'qr' }],
  promptpay_display_qr_code: ['hosted_instructions_url', { data: 'qr' }],
  redirect_to_url: ['url', { return_url: 'https://shop.example/back' }],
  swish_handle_redirect_or_display_qr_code: ['hosted_instructions_url', { mobile_auth_url: 'https://swish.example' }],
  upi_handle_redirect_or_display_qr_code: ['hosted_instructions_url', { qr_code: {} }],
  use_stripe_sdk: [null, { type: 'three_d_secure_redirect', url: 'https://only.stripe.js' }],
  verify_with_microdeposits: ['hosted_verification_url', { microdeposit_type: 'amounts' }],
  wechat_pay_display_qr_code: ['hosted_instructions_url', { data: 'qr' }],
  wechat_pay_redirect_to_android_app: [null, { app_id: '1' }],
  wechat_pay_redirect_to_ios_app: [null, { native_url: 'weixin://app' }],
};

const waiting = (next_action: object | null): Stripe.PaymentIntent =>
  ({
    id: 'pi_1',
    status: 'requires_action',
    amount: 1_000,
    amount_received: 0,
    currency: 'eur',
    created: 1_790_000_000,
    metadata: {},
    latest_charge: null,
    last_payment_error: null,
    client_secret: 'pi_1_secret_1',
    next_action,
  }) as unknown as Stripe.PaymentIntent;

describe("the payer's step at Stripe", () => {
  it("covers all types of Stripe's SDK", () => {
    const types = readFileSync(
      new URL('../../../node_modules/stripe/esm/resources/PaymentIntents.d.ts', import.meta.url),
      'utf8',
    );
    const [declared = ''] = /interface NextAction \{[^}]*\}/.exec(types) ?? [];
    expect([...declared.matchAll(/^ +(\w+)\?: NextAction\./gm)].map(([, type]) => type)).toEqual(Object.keys(TYPES));
  });

  it.each(Object.entries(TYPES))('%s gives the payer something to do', (type, [page, fields]) => {
    const details = { ...fields, ...(page !== null && { [page]: URL_OF_TYPE }) };
    const data = { client_secret: 'pi_1_secret_1', [type]: details };
    const nextAction = page === null ? { type: 'provider_action', provider: 'stripe', data } : redirect;
    const intent = waiting({ type, [type]: details });
    expect(answerOf(intent)).toMatchObject({ outcome: 'processing', nextAction });
    expect(stateOf(intent)).toMatchObject({ status: 'open', nextAction });
  });

  it.each([
    { type: 'konbini_display_details', konbini_display_details: { hosted_voucher_url: null } },
    { type: 'new' },
  ])('needs Stripe.js without a page: %j', (action) => {
    expect(answerOf(waiting(action))).toMatchObject({ nextAction: { type: 'provider_action', provider: 'stripe' } });
  });

  it('stays absent if Stripe names none', () => {
    expect(answerOf(waiting(null))).not.toHaveProperty('nextAction');
  });
});
