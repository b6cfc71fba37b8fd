import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { SandboxShop } from './sandbox-harness.js';

let api: TestApi;
let shop: SandboxShop;

beforeAll(async () => {
  api = await sharedApi();
  shop = await SandboxShop.open(api, new Merchant(await api.login()));
});

afterAll(() => api?.stop());

async function authorized(token = 'tok_authorize_only') {
  const request = shop.request(token, { capture: 'manual' });
  return { request, answer: await shop.charge(request) };
}

const received = async ({ reference }: { reference: string }) =>
  (await shop.received())
    .filter((row) => row.provider_transaction_id === `sbx_${reference}`)
    .map(({ status }) => status);

describe('a manual charge at the sandbox', () => {
  it('with tok_authorize_only holds the amount, and answers a repeat alike', async () => {
    const { request, answer } = await authorized();
    expect(answer).toMatchObject({ outcome: 'authorized', captureBefore: expect.any(Date) });
    expect(await shop.charge(request)).toEqual(answer);
    const { captureBefore } = answer as { captureBefore: Date };
    expect(await shop.lookup(request)).toMatchObject({ status: 'authorized', amount: '49.90', captureBefore });
    expect(await shop.entries(request)).toMatchObject([
      { status: 'authorized', captured_amount: 0, refunded_amount: 0, capture_before: captureBefore.toISOString() },
    ]);
  });

  it('with tok_async_success is authorised later, and says so', async () => {
    const { request, answer } = await authorized('tok_async_success');
    expect(answer).toMatchObject({ outcome: 'processing' });
    await eventually(async () => expect(await received(request)).toEqual(['authorized']));
    expect(await shop.statusOf(request)).toBe('authorized');
  });

  it('with tok_authorization_lapses is voided when its time is over, and says so', async () => {
    const { request } = await authorized('tok_authorization_lapses');
    expect(await shop.statusOf(request)).toBe('authorized');
    await eventually(async () => expect(await received(request)).toEqual(['authorization_expired']));
    expect(await shop.statusOf(request)).toBe('voided');
    expect(await shop.capture(request)).toEqual({ outcome: 'refused', reason: 'not_authorized', retryable: false });
  });

  it('after a void captures nothing', async () => {
    const { request } = await authorized();
    expect(await shop.void(request)).toEqual({ outcome: 'confirmed' });
    expect(await shop.statusOf(request)).toBe('voided');
    expect(await shop.capture(request)).toMatchObject({ outcome: 'refused', reason: 'not_authorized' });
  });
});

describe('a capture at the sandbox', () => {
  it.each([
    ['all', '49.90'],
    ['a part', '20.00'],
  ])('of %s is made once, under any key', async (_, amount) => {
    const { request } = await authorized();
    const idempotencyKey = randomUUID();
    const confirmed = { outcome: 'confirmed', operationId: `sbc_${request.reference}` };
    expect(await shop.capture(request, { idempotencyKey, amount })).toEqual(confirmed);
    expect(await shop.capture(request, { idempotencyKey, amount })).toEqual(confirmed);
    const refused = { outcome: 'refused', reason: 'already_captured', retryable: false };
    expect(await shop.capture(request, { amount: '1.00' })).toEqual(refused);
    expect(await shop.capture(request, { idempotencyKey, amount: '1.00' })).toMatchObject({
      reason: 'idempotency_key_reused',
    });
    expect(await shop.lookup(request)).toMatchObject({
      status: 'captured',
      amount: '49.90',
      capturedAmount: amount,
      refundedAmount: '0.00',
    });
  });

  it('of more than is authorised is refused', async () => {
    const { request } = await authorized();
    expect(await shop.capture(request, { amount: '49.91' })).toMatchObject({ reason: 'amount_exceeds_authorized' });
    expect(await shop.statusOf(request)).toBe('authorized');
  });

  it('with tok_capture_refused is refused', async () => {
    const { request } = await authorized('tok_capture_refused');
    expect(await shop.capture(request)).toEqual({ outcome: 'refused', reason: 'capture_refused', retryable: false });
    expect(await shop.statusOf(request)).toBe('authorized');
  });

  it.each([
    ['tok_capture_pending', 'confirmed'],
    ['tok_capture_fails', 'refused'],
  ])('with %s has a capture that is found by key and by id, and then is %s', async (token, outcome) => {
    const { request } = await authorized(token);
    const capture = { ...request, kind: 'capture', idempotencyKey: randomUUID(), operationId: null } as const;
    expect(await shop.provider.lookupOperation(capture)).toEqual({ outcome: 'not_found' });
    const answer = await shop.capture(request, capture);
    const byId = { ...capture, idempotencyKey: randomUUID(), operationId: answer.operationId! };
    expect(await shop.provider.lookupOperation(byId)).toEqual(answer);
    await eventually(async () => expect(await shop.provider.lookupOperation(byId)).toMatchObject({ outcome }));
    expect(await shop.provider.lookupOperation(capture)).toMatchObject({ outcome });
  });

  it('finds a void by its key', async () => {
    const { request } = await authorized('tok_void_refused');
    const found = { ...request, kind: 'void', idempotencyKey: randomUUID(), operationId: null } as const;
    expect(await shop.provider.lookupOperation(found)).toEqual({ outcome: 'not_found' });
    const charge = expect.objectContaining({ status: 'authorized' }) as unknown;
    expect(await shop.void(request, found.idempotencyKey)).toMatchObject({ reason: 'void_refused', charge });
    expect(await shop.provider.lookupOperation(found)).toMatchObject({ reason: 'void_refused' });
  });

  it('with tok_capture_pending is done a little later, and reported', async () => {
    const { request } = await authorized('tok_capture_pending');
    const idempotencyKey = randomUUID();
    const pending = { outcome: 'pending', operationId: `sbc_${request.reference}` };
    expect(await shop.capture(request, { idempotencyKey, amount: '20.00' })).toEqual(pending);
    await eventually(async () => expect(await received(request)).toEqual(['completed']));
    expect(await shop.lookup(request)).toMatchObject({ status: 'captured', capturedAmount: '20.00' });
    expect(await shop.capture(request, { idempotencyKey, amount: '20.00' })).toEqual({
      ...pending,
      outcome: 'confirmed',
    });
  });

  it('and a void at the same time never both win', async () => {
    for (let round = 0; round < 20; round++) {
      const { request } = await authorized();
      const both = [() => shop.capture(request), () => shop.void(request)];
      const order = round % 2 === 0 ? both : both.reverse();
      const outcomes = (await Promise.all(order.map((call) => call()))).map(({ outcome }) => outcome);
      expect(outcomes.sort()).toEqual(['confirmed', 'refused']);
    }
  });
});

describe('partial refunds at the sandbox', () => {
  it('of all parts have ids of their own, and end the transaction together', async () => {
    const request = shop.request('tok_success');
    await shop.charge(request);
    const keys = [randomUUID(), randomUUID()];
    expect(await shop.refund(request, { amount: '10.00', idempotencyKey: keys[0]! })).toEqual({
      outcome: 'confirmed',
      operationId: `sbr_${keys[0]}`,
    });
    expect(await shop.lookup(request)).toMatchObject({ status: 'captured', refundedAmount: '10.00' });
    expect(await shop.refund(request, { amount: '39.91' })).toMatchObject({ reason: 'amount_exceeds_captured' });
    await shop.refund(request, { amount: '39.90', idempotencyKey: keys[1]! });
    expect(await shop.lookup(request)).toMatchObject({ status: 'refunded', refundedAmount: '49.90' });
    expect(await shop.entries(request)).toMatchObject([{ captured_amount: 49.9, refunded_amount: 49.9 }]);
  });

  it('of a partial capture give back at most what was captured', async () => {
    const { request } = await authorized();
    await shop.capture(request, { amount: '20.00' });
    expect(await shop.refund(request, { amount: '20.01' })).toMatchObject({ reason: 'amount_exceeds_captured' });
    await shop.refund(request, { amount: '20.00' });
    expect(await shop.lookup(request)).toMatchObject({ status: 'refunded', refundedAmount: '20.00' });
  });

  it('at the same time never exceed what is captured', async () => {
    const request = shop.request('tok_success');
    await shop.charge(request);
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.refund(request, { amount: '10.00' })));
    expect(answers.filter(({ outcome }) => outcome === 'confirmed')).toHaveLength(4);
    expect(await shop.lookup(request)).toMatchObject({ status: 'captured', refundedAmount: '40.00' });
  });

  it('that are pending count as reserved, and are found by key and by id', async () => {
    const request = shop.request('tok_refund_pending');
    await shop.charge(request);
    const refund = { ...request, idempotencyKey: randomUUID(), amount: '40.00', reason: undefined };
    const answer = await shop.provider.refund(refund);
    expect(answer.outcome).toBe('pending');
    expect(await shop.refund(request, { amount: '10.00' })).toMatchObject({ reason: 'amount_exceeds_captured' });
    const confirmed = { outcome: 'confirmed', operationId: answer.operationId };
    await eventually(async () =>
      expect(await shop.provider.lookupOperation({ ...refund, kind: 'refund', operationId: null })).toEqual(confirmed),
    );
    const byId = { ...refund, kind: 'refund', idempotencyKey: randomUUID(), operationId: answer.operationId! } as const;
    expect(await shop.provider.lookupOperation(byId)).toEqual(confirmed);
    expect(await shop.provider.lookupOperation({ ...byId, operationId: null })).toEqual({ outcome: 'not_found' });
    expect(await shop.lookup(request)).toMatchObject({ status: 'captured', refundedAmount: '40.00' });
    await eventually(async () => expect(await received(request)).toEqual(['refunded']));
  });
});
