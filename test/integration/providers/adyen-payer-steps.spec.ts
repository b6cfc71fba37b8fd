import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import type { ChargeRequest } from '@payment-orchestrator/provider-kit';
import {
  card,
  CHALLENGED,
  collected,
  collectedCharge,
  FRICTIONLESS,
  handleAction,
  MERCHANT_ACCOUNT,
  startAdyen,
} from '../../support/providers/adyen-requests.js';
import { operationOn, soon } from '../../support/providers/stripe-requests.js';
import type { FakeAdyen } from '../../support/servers/fake-adyen.js';

const text = (): string => expect.stringMatching(/./) as unknown as string;

describe("the payer's steps at Adyen", () => {
  let fake: FakeAdyen;
  let provider: AdyenProvider;
  let stop: () => Promise<void>;
  const held = (reference: string) => fake.transactions().filter((transaction) => transaction.reference === reference);

  beforeAll(async () => {
    ({ fake, provider, stop } = await startAdyen());
  });
  afterAll(() => stop());

  const begin = async (data: Record<string, unknown>, fields: Partial<ChargeRequest> = {}) => {
    const request = collectedCharge(data, fields);
    const answer = await provider.charge(request, soon());
    const reference = { ...operationOn(request, answer), capture: request.capture };
    const complete = (sent: object) => provider.completeAction(reference, sent as Record<string, unknown>, soon());
    return { request, answer, complete };
  };

  it('a challenge in the page of the fingerprint completes the payment, under a new reference of Adyen', async () => {
    const { request, answer, complete } = await begin(collected(card({ number: CHALLENGED })));
    expect(answer).not.toHaveProperty('transactionId');
    const completed = await complete(await handleAction(fake, answer, 'approve'));
    expect(completed).toMatchObject({ outcome: 'approved', transactionId: held(request.reference)[0]?.id });
    expect(held(request.reference)).toMatchObject([{ status: 'captured' }]);
  });

  it.each([
    ['approve', 'automatic', { outcome: 'approved' }, 'captured'],
    ['approve', 'manual', { outcome: 'authorized' }, 'authorized'],
    ['decline', 'automatic', { outcome: 'declined', declineCode: 'authentication_failed' }, 'declined'],
  ] as const)('fingerprint, then challenge: %s, %s capture', async (outcome, capture, expected, status) => {
    const { request, answer, complete } = await begin(collected(card({ number: CHALLENGED })), { capture });
    const challenge = await complete(await handleAction(fake, answer, outcome, { each: true }));
    expect(fake.calls.at(-1)?.body).toEqual({ details: { 'threeds2.fingerprint': text() }, paymentData: text() });
    expect(challenge).toEqual({
      outcome: 'processing',
      nextAction: {
        type: 'provider_action',
        provider: 'adyen',
        data: expect.objectContaining({ type: 'threeDS2', subtype: 'challenge', authorisationToken: text() }),
      },
    });
    expect(held(request.reference)).toMatchObject([{ status: 'open' }]);
    expect(await complete(await handleAction(fake, challenge, outcome, { each: true }))).toMatchObject(expected);
    expect(held(request.reference)).toMatchObject([{ status }]);
  });

  it('a fingerprint may be enough', async () => {
    const { answer, complete } = await begin(collected(card({ number: FRICTIONLESS })));
    const sent = await handleAction(fake, answer, 'approve', { each: true });
    expect(await complete(sent)).toMatchObject({ outcome: 'approved' });
  });

  it.each(['paypal', 'blik', 'pix'])('completes and declines %s', async (type) => {
    for (const [outcome, expected] of [
      ['approve', 'approved'],
      ['decline', 'declined'],
    ] as const) {
      const { answer, complete } = await begin(collected({ type }));
      expect(await complete(await handleAction(fake, answer, outcome))).toMatchObject({ outcome: expected });
    }
  });

  it('the same details again get the same answer, also after a lost one', async () => {
    const { request, answer, complete } = await begin(collected(card({ number: CHALLENGED })));
    const sent = await handleAction(fake, answer, 'approve');
    fake.injectFault({ when: 'after', what: 'reset' }, { path: /details$/ });
    await expect(complete(sent)).rejects.not.toHaveProperty('code', 'validation_failed');
    expect(held(request.reference)).toMatchObject([{ status: 'captured' }]);
    const repeated = await complete(sent);
    expect(repeated).toMatchObject({ outcome: 'approved' });
    expect(await complete(sent)).toEqual(repeated);
    expect(held(request.reference)).toHaveLength(1);
  });

  it('a repeated charge after a lost answer begins no second step', async () => {
    const request = collectedCharge(collected(card({ number: CHALLENGED })));
    fake.injectFault({ when: 'after', what: 'reset' });
    await expect(provider.charge(request, soon())).rejects.toThrow();
    const answer = await provider.charge(request, soon());
    expect(answer).toMatchObject({ nextAction: { type: 'provider_action', data: { subtype: 'fingerprint' } } });
    expect(held(request.reference)).toHaveLength(1);
  });

  it('the details of another payment are refused, and change nothing here', async () => {
    const [first, second] = [
      await begin(collected(card({ number: CHALLENGED }))),
      await begin(collected(card({ number: CHALLENGED }))),
    ];
    const sent = await handleAction(fake, first.answer, 'approve');
    await expect(second.complete(sent)).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'details', message: 'are about another payment' }],
    });
    expect(held(second.request.reference)).toMatchObject([{ status: 'open' }]);
  });

  it.each<[object, string[]]>([
    [{}, ['details']],
    [{ details: {} }, ['details']],
    [{ details: 'x' }, ['details']],
    [{ details: { threeDSResult: 5 } }, ['details.threeDSResult']],
    [{ details: { threeDSResult: 'x' }, paymentData: 5 }, ['paymentData']],
    [{ details: { threeDSResult: 'x' }, threeDSAuthenticationOnly: true }, ['threeDSAuthenticationOnly']],
  ])('refuses %j by name, without a call', async (sent, fields) => {
    const { complete } = await begin(collected(card({ number: CHALLENGED })));
    const before = fake.calls.length;
    const errors = fields.map((field) => expect.objectContaining({ field }));
    await expect(complete(sent)).rejects.toMatchObject({ code: 'validation_failed', errors });
    expect(fake.calls).toHaveLength(before);
  });

  it('details that Adyen refuses are refused, and the payment stays open', async () => {
    const { request, complete } = await begin(collected(card({ number: CHALLENGED })));
    await expect(complete({ details: { threeDSResult: 'unknown' } })).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'details', message: expect.stringMatching(/^were refused: Adyen answered 422 14_0416/) }],
    });
    expect(held(request.reference)).toMatchObject([{ status: 'open' }]);
  });

  it('Adyen takes details once, under any key', async () => {
    const { answer, complete } = await begin(collected(card({ number: CHALLENGED })));
    const sent = await handleAction(fake, answer, 'approve');
    await complete(sent);
    fake.account(MERCHANT_ACCOUNT).forgetKeys();
    await expect(complete(sent)).rejects.toMatchObject({ status: 422, errorCode: '704' });
  });
});
