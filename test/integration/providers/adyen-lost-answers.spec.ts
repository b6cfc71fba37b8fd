import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import { eventually } from '../../support/eventually.js';
import { startAdyen, adyenAt, adyenCharge, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { operationOn, soon } from '../../support/providers/stripe-requests.js';
import { type AdyenCallFault, type FakeAdyen } from '../../support/servers/fake-adyen.js';

const LOST: [string, AdyenCallFault][] = [
  ['a reset', { when: 'after', what: 'reset' }],
  ['a reset before its execution', { when: 'before', what: 'reset' }],
  ['an unreadable answer', { when: 'after', what: 'garbage' }],
  ['a 500', { when: 'after', what: 'status', status: 500 }],
  ['a 503 before its execution', { when: 'before', what: 'status', status: 503 }],
  ['a 422 without a reason', { when: 'after', what: 'status', status: 422 }],
  ['a transient 422', { when: 'before', what: 'status', status: 422, errorCode: '703', isTransient: true }],
  ['a 409', { when: 'after', what: 'status', status: 409, errorCode: '704' }],
];

describe('AdyenProvider without an answer', () => {
  let fake: FakeAdyen;
  let provider: AdyenProvider;
  let stop: () => Promise<void>;
  const held = (reference: string) => fake.transactions().filter((transaction) => transaction.reference === reference);

  beforeEach(async () => {
    ({ fake, provider, stop } = await startAdyen());
  });
  afterEach(() => stop());

  it.each(LOST)('rejects after %s, calls once, and gets the outcome from a repeat', async (_name, fault) => {
    const request = adyenCharge('AUTHORISED');
    fake.injectFault(fault);
    await expect(provider.charge(request, soon())).rejects.toThrow();
    expect(fake.calls).toHaveLength(1);
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'approved' });
    expect(held(request.reference)).toMatchObject([{ status: 'captured' }]);
  });

  it('returns the same refusal to a repeat', async () => {
    const request = adyenCharge('EXPIRED');
    const first = await provider.charge(request, soon());
    expect(first).toMatchObject({ outcome: 'declined', declineCode: 'expired_card' });
    expect(await provider.charge(request, soon())).toEqual(first);
    expect(held(request.reference)).toHaveLength(1);
  });

  it('rejects when the caller aborts, although the charge may have been made', async () => {
    const request = adyenCharge('AUTHORISED');
    fake.injectFault({ when: 'after', what: 'hang' });
    const aborted = new AbortController();
    const rejected = expect(provider.charge(request, aborted.signal)).rejects.toMatchObject({ sent: true });
    await eventually(() => expect(held(request.reference)).toHaveLength(1));
    aborted.abort();
    await rejected;
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'approved' });
  });

  it('rejects while a call under the same key is under way', async () => {
    const request = adyenCharge('AUTHORISED');
    fake.injectFault({ when: 'after', what: 'delay', delayMs: 300 });
    const first = provider.charge(request, soon());
    await eventually(() => expect(fake.calls).toHaveLength(1));
    await expect(provider.charge(request, soon())).rejects.toMatchObject({ status: 422, errorCode: '704' });
    expect(await first).toMatchObject({ outcome: 'approved' });
    expect(held(request.reference)).toHaveLength(1);
  });

  it('charges twice under a key that Adyen has forgotten, so the window is shorter', async () => {
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

  it('returns unavailable after a 429', async () => {
    fake.injectFault({ when: 'before', what: 'status', status: 429, isTransient: true });
    const answer = await provider.charge(adyenCharge('AUTHORISED'), soon());
    expect(answer).toEqual({ outcome: 'unavailable', reason: 'Adyen answered 429 internal' });
  });

  it('returns unavailable when the connection is refused', async () => {
    const { url } = fake;
    await fake.close();
    const answer = await provider.charge(adyenCharge('AUTHORISED'), soon());
    const reason = 'Adyen could not be reached: no connection could be made (ECONNREFUSED)';
    expect(answer).toEqual({ outcome: 'unavailable', reason });
    expect(url).toContain('127.0.0.1');
  });

  it('returns unavailable when the name does not exist', async () => {
    const other = adyenAt('https://checkout.adyen.invalid');
    const answer = await other.provider.charge(adyenCharge('AUTHORISED'), soon());
    expect(answer).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('no connection') });
    await other.http.onApplicationShutdown();
  });

  it('returns unavailable when the TLS handshake fails', async () => {
    const other = adyenAt(fake.url.replace('http:', 'https:'));
    const answer = await other.provider.charge(adyenCharge('AUTHORISED'), soon());
    expect(answer).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('no connection') });
    expect(fake.calls).toHaveLength(0);
    await other.http.onApplicationShutdown();
  });

  it.each([
    ['a refund', /refunds$/],
    ['a void', /cancels$/],
  ])('rejects when the answer to %s is lost, and executes the repeat only once', async (_name, path) => {
    const request = adyenCharge(path.test('refunds') ? 'AUTHORISED' : 'PENDING');
    const operation = { ...operationOn(request, await provider.charge(request, soon())), reason: undefined };
    const ask = () => (path.test('refunds') ? provider.refund(operation, soon()) : provider.void(operation, soon()));
    fake.injectFault({ when: 'after', what: 'reset' }, { path });
    await expect(ask()).rejects.toThrow();
    expect(await ask()).toMatchObject({ outcome: 'pending' });
    const events = fake.account(MERCHANT_ACCOUNT).webhooks.all.filter(({ eventCode }) => eventCode !== 'AUTHORISATION');
    expect(events).toHaveLength(1);
  });
});
