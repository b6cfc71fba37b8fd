import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AdyenProvider } from '../../../src/providers/adyen/adyen.provider.js';
import { eventually } from '../../support/eventually.js';
import { startAdyen, adyenAt, adyenCharge, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { operationOn, soon } from '../../support/providers/stripe-requests.js';
import { type AdyenTrouble, type FakeAdyen } from '../../support/servers/fake-adyen.js';

const LOST: [string, AdyenTrouble][] = [
  ['a reset', { when: 'after', what: 'reset' }],
  ['a reset before it was carried out', { when: 'before', what: 'reset' }],
  ['an answer that cannot be read', { when: 'after', what: 'garbage' }],
  ['a 500', { when: 'after', what: 'status', status: 500 }],
  ['a 503 before it was carried out', { when: 'before', what: 'status', status: 503 }],
  ['a 422 that says nothing', { when: 'after', what: 'status', status: 422 }],
  ['a transient 422', { when: 'before', what: 'status', status: 422, errorCode: '703', isTransient: true }],
  ['a 409', { when: 'after', what: 'status', status: 409, errorCode: '704' }],
];

describe('what Adyen did not answer', () => {
  let fake: FakeAdyen;
  let provider: AdyenProvider;
  let stop: () => Promise<void>;
  const held = (reference: string) => fake.transactions().filter((transaction) => transaction.reference === reference);

  beforeEach(async () => {
    ({ fake, provider, stop } = await startAdyen());
  });
  afterEach(() => stop());

  it.each(LOST)('rejects after %s, calls once, and learns the outcome from a repeat', async (_name, trouble) => {
    const request = adyenCharge('AUTHORISED');
    fake.spoil(trouble);
    await expect(provider.charge(request, soon())).rejects.toThrow();
    expect(fake.calls).toHaveLength(1);
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'approved' });
    expect(held(request.reference)).toMatchObject([{ status: 'captured' }]);
  });

  it('repeats a refusal with the same words', async () => {
    const request = adyenCharge('EXPIRED');
    const first = await provider.charge(request, soon());
    expect(first).toMatchObject({ outcome: 'declined', declineCode: 'expired_card' });
    expect(await provider.charge(request, soon())).toEqual(first);
    expect(held(request.reference)).toHaveLength(1);
  });

  it('rejects when the caller gives up, which is no promise that nothing was taken', async () => {
    const request = adyenCharge('AUTHORISED');
    fake.spoil({ when: 'after', what: 'hang' });
    const gaveUp = new AbortController();
    const rejected = expect(provider.charge(request, gaveUp.signal)).rejects.toMatchObject({ sent: true });
    await eventually(() => expect(held(request.reference)).toHaveLength(1));
    gaveUp.abort();
    await rejected;
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'approved' });
  });

  it('rejects while a call under the same key is under way', async () => {
    const request = adyenCharge('AUTHORISED');
    fake.spoil({ when: 'after', what: 'delay', delayMs: 300 });
    const first = provider.charge(request, soon());
    await eventually(() => expect(fake.calls).toHaveLength(1));
    await expect(provider.charge(request, soon())).rejects.toMatchObject({ status: 422, errorCode: '704' });
    expect(await first).toMatchObject({ outcome: 'approved' });
    expect(held(request.reference)).toHaveLength(1);
  });

  it('charges twice under a key that Adyen has forgotten, which the window is for', async () => {
    const request = adyenCharge('AUTHORISED');
    await provider.charge(request, soon());
    fake.account(MERCHANT_ACCOUNT).forgetKeys();
    await provider.charge(request, soon());
    expect(held(request.reference)).toHaveLength(2);
    const week = 7 * 24 * 3_600_000;
    const { lookup, idempotencyWindowMs } = provider.capabilities();
    expect(lookup).toBe('none');
    expect(idempotencyWindowMs).toBeLessThan(week);
  });

  it('is unavailable when it is told to slow down', async () => {
    fake.spoil({ when: 'before', what: 'status', status: 429, isTransient: true });
    const answer = await provider.charge(adyenCharge('AUTHORISED'), soon());
    expect(answer).toEqual({ outcome: 'unavailable', reason: 'Adyen answered 429 internal' });
  });

  it('is unavailable when the connection is refused', async () => {
    const { url } = fake;
    await fake.close();
    const answer = await provider.charge(adyenCharge('AUTHORISED'), soon());
    const reason = 'Adyen could not be reached: no connection could be made (ECONNREFUSED)';
    expect(answer).toEqual({ outcome: 'unavailable', reason });
    expect(url).toContain('127.0.0.1');
  });

  it('is unavailable when the name does not exist', async () => {
    const other = adyenAt('https://checkout.adyen.invalid');
    const answer = await other.provider.charge(adyenCharge('AUTHORISED'), soon());
    expect(answer).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('no connection') });
    await other.http.onApplicationShutdown();
  });

  it('is unavailable when TLS does not come about', async () => {
    const other = adyenAt(fake.url.replace('http:', 'https:'));
    const answer = await other.provider.charge(adyenCharge('AUTHORISED'), soon());
    expect(answer).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('no connection') });
    expect(fake.calls).toHaveLength(0);
    await other.http.onApplicationShutdown();
  });

  it.each([
    ['a refund', /refunds$/],
    ['a void', /cancels$/],
  ])('rejects when the answer to %s is lost, and asks once for both', async (_name, path) => {
    const request = adyenCharge(path.test('refunds') ? 'AUTHORISED' : 'PENDING');
    const operation = { ...operationOn(request, await provider.charge(request, soon())), reason: undefined };
    const ask = () => (path.test('refunds') ? provider.refund(operation, soon()) : provider.void(operation, soon()));
    fake.spoil({ when: 'after', what: 'reset' }, { path });
    await expect(ask()).rejects.toThrow();
    expect(await ask()).toMatchObject({ outcome: 'pending' });
    const told = fake.account(MERCHANT_ACCOUNT).webhooks.all.filter(({ eventCode }) => eventCode !== 'AUTHORISATION');
    expect(told).toHaveLength(1);
  });
});
