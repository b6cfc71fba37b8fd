import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { StripeProvider } from '@payment-orchestrator/provider-stripe';
import { eventually } from '../../support/eventually.js';
import { type FakeStripe, type StripeCallFault } from '../../support/servers/fake-stripe.js';
import {
  chargeRequest,
  operationOn,
  SECRET_KEY,
  soon,
  startStripe,
  stripeAt,
} from '../../support/providers/stripe-requests.js';

const LOST: [string, StripeCallFault][] = [
  ['a reset', { when: 'after', what: 'reset' }],
  ['a reset before its execution', { when: 'before', what: 'reset' }],
  ['an unreadable answer', { when: 'after', what: 'garbage' }],
  ['a 500', { when: 'after', what: 'status', status: 500 }],
  ['a 503 before its execution', { when: 'before', what: 'status', status: 503 }],
];

describe('StripeProvider without an answer', () => {
  let fake: FakeStripe;
  let provider: StripeProvider;
  let stop: () => Promise<void>;
  const held = (reference: string) => fake.transactions().filter((transaction) => transaction.reference === reference);

  beforeEach(async () => {
    ({ fake, provider, stop } = await startStripe());
  });
  afterEach(() => stop());

  it.each(LOST)('rejects after %s, calls once, and gets the outcome from a repeat', async (_name, fault) => {
    const request = chargeRequest();
    fake.injectFault(fault);
    await expect(provider.charge(request, soon())).rejects.toThrow();
    expect(fake.calls).toHaveLength(1);
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'approved' });
    expect(held(request.reference)).toMatchObject([{ status: 'captured' }]);
  });

  it('rejects when the caller aborts, although the charge may have been made', async () => {
    const request = chargeRequest();
    fake.injectFault({ when: 'after', what: 'hang' });
    const aborted = new AbortController();
    const answer = provider.charge(request, aborted.signal);
    const rejected = expect(answer).rejects.toMatchObject({ detail: { sent: true } });
    await eventually(() => expect(held(request.reference)).toHaveLength(1));
    aborted.abort();
    await rejected;
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'approved' });
  });

  it('rejects while a call under the same key is under way', async () => {
    const request = chargeRequest();
    fake.injectFault({ when: 'after', what: 'delay', delayMs: 300 });
    const first = provider.charge(request, soon());
    await eventually(() => expect(fake.calls).toHaveLength(1));
    await expect(provider.charge(request, soon())).rejects.toMatchObject({ statusCode: 409 });
    expect(await first).toMatchObject({ outcome: 'approved' });
  });

  it('rejects a replayed 500 while the search does not find the payment', async () => {
    const request = chargeRequest();
    fake.injectFault({ when: 'after', what: 'status', status: 500 });
    fake.account(SECRET_KEY).searchLags = true;
    await expect(provider.charge(request, soon())).rejects.toThrow();
    await expect(provider.charge(request, soon())).rejects.toThrow();
    fake.account(SECRET_KEY).searchLags = false;
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'approved' });
  });

  it('returns unavailable after a 429', async () => {
    fake.injectFault({ when: 'before', what: 'status', status: 429, code: 'lock_timeout' });
    const answer = await provider.charge(chargeRequest(), soon());
    expect(answer).toEqual({ outcome: 'unavailable', reason: 'Stripe answered 429 lock_timeout' });
  });

  it('returns unavailable when the connection is refused', async () => {
    const { port } = new URL(fake.url);
    await fake.close();
    const answer = await stripeAt(`http://127.0.0.1:${port}`).provider.charge(chargeRequest(), soon());
    const reason = 'Stripe could not be reached: no connection could be made (ECONNREFUSED)';
    expect(answer).toEqual({ outcome: 'unavailable', reason });
  });

  it('returns unavailable when the name does not exist', async () => {
    const answer = await stripeAt('https://api.stripe.invalid').provider.charge(chargeRequest(), soon());
    expect(answer).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringContaining('no connection'),
    });
  });

  it('returns unavailable when the TLS handshake fails', async () => {
    const answer = await stripeAt(fake.url.replace('http:', 'https:')).provider.charge(chargeRequest(), soon());
    expect(answer).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringContaining('no connection'),
    });
    expect(fake.calls).toHaveLength(0);
  });

  it('returns unavailable when the caller aborts before the TLS handshake ends', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const other = stripeAt(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const answer = await other.provider.charge(chargeRequest(), soon(200));
    expect(answer).toEqual({ outcome: 'unavailable', reason: 'Stripe could not be reached: not answered in time' });
    await other.http.onApplicationShutdown();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('finds a payment by its reference, and never answers that there is none', async () => {
    const request = chargeRequest();
    const answer = await provider.charge(request, soon());
    const captured = { status: 'captured', transactionId: answer.transactionId };
    expect(await provider.lookup(operationOn(request), soon())).toMatchObject(captured);
    await expect(provider.lookup(operationOn(chargeRequest()), soon())).rejects.toThrow('its state is unknown');
  });

  it('voids a charge that never arrived, so that a later one is declined', async () => {
    const request = chargeRequest();
    expect(await provider.void(operationOn(request), soon())).toEqual({ outcome: 'confirmed' });
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'declined', declineCode: 'voided' });
    expect(held(request.reference)).toMatchObject([{ status: 'voided' }]);
  });

  it('rejects a void of a charge that arrived but is not found yet', async () => {
    const request = chargeRequest();
    fake.injectFault({ when: 'after', what: 'reset' });
    fake.account(SECRET_KEY).searchLags = true;
    await expect(provider.charge(request, soon())).rejects.toThrow();
    await expect(provider.void(operationOn(request), soon())).rejects.toThrow();
    fake.account(SECRET_KEY).searchLags = false;
    const answer = await provider.void(operationOn(request), soon());
    const { id: transactionId } = fake.transactions().find(({ reference }) => reference === request.reference)!;
    const charge = expect.objectContaining({ status: 'captured', transactionId }) as unknown;
    const reason = 'the payment is succeeded at Stripe';
    expect(answer).toEqual({ outcome: 'refused', reason, retryable: false, charge });
  });

  it('finds the charge before the void when Stripe has forgotten the key', async () => {
    const request = chargeRequest();
    await provider.charge(request, soon());
    fake.account(SECRET_KEY).forgetKeys();
    expect(await provider.void(operationOn(request), soon())).toMatchObject({ outcome: 'refused', retryable: false });
    expect(held(request.reference)).toMatchObject([{ status: 'captured' }]);
  });

  it('continues a void that was interrupted between its two calls', async () => {
    const request = chargeRequest();
    const operation = operationOn(request);
    fake.injectFault({ when: 'before', what: 'reset' }, { path: /cancel$/ });
    await expect(provider.void(operation, soon())).rejects.toThrow();
    expect(await provider.void(operation, soon())).toEqual({ outcome: 'confirmed' });
    expect(held(request.reference)).toMatchObject([{ status: 'voided' }]);
  });
});
