import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargeAnswer, ChargeRequest, ProviderEvent } from '@payment-orchestrator/provider-kit';
import type { StripeProvider } from '@payment-orchestrator/provider-stripe';
import { eventually } from '../../support/eventually.js';
import { startReceiver } from '../../support/servers/receiver.js';
import type { FakeStripe } from '../../support/servers/fake-stripe.js';
import { type FakeEvent, signEvent } from '../../support/servers/stripe/stripe-events.js';
import {
  chargeRequest,
  CREDENTIALS,
  operationOn,
  SECRET_KEY,
  soon,
  startStripe,
  stripeAt,
  WEBHOOK_SECRET,
} from '../../support/providers/stripe-requests.js';
import { signedNotification } from '@payment-orchestrator/provider-kit/testing';

const WAITING = { paymentMethod: { token: 'pm_card_threeDSecure2Required' }, returnUrl: 'https://shop.example/back' };
const OTHER_SECRET = 'whsec_another_secret_of_a_shop';
const KNOWN = { id: 'evt_1', object: 'event', type: 'v2.made.up', data: { object: {} } };
const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

describe('notifications of Stripe', () => {
  let fake: FakeStripe;
  let provider: StripeProvider;
  let stop: () => Promise<void>;
  const account = () => fake.account(SECRET_KEY);
  const sent = (type: string): FakeEvent => {
    const event = account().events.all.findLast((candidate) => candidate.type === type);
    if (!event) throw new Error(`the fake sent no ${type}`);
    return event;
  };
  const parseAll = async (event: object): Promise<ProviderEvent[]> => {
    const { events, acknowledge } = await provider.parseNotification(
      signEvent(event, WEBHOOK_SECRET),
      CREDENTIALS,
      soon(),
    );
    expect(acknowledge).toBeUndefined();
    return events;
  };
  const parse = async (event: object): Promise<ProviderEvent | undefined> => {
    const events = await parseAll(event);
    expect(events).toHaveLength(1);
    return events[0];
  };
  const charged = async (
    fields: Partial<ChargeRequest> = {},
  ): Promise<{ request: ChargeRequest; answer: ChargeAnswer }> => {
    const request = chargeRequest(fields);
    return { request, answer: await provider.charge(request, soon()) };
  };
  const matchOf = ({ request, answer }: { request: ChargeRequest; answer: ChargeAnswer }) => ({
    transactionId: answer.transactionId,
    reference: request.reference,
  });

  beforeAll(async () => {
    ({ fake, provider, stop } = await startStripe());
  });
  afterAll(() => stop());

  it('reads a success with its amount, reference and time, and nothing secret', async () => {
    const payment = await charged({ currency: 'KWD', amount: '5.12' });
    const event = sent('payment_intent.succeeded');
    expect(await parse(event)).toEqual({
      id: event.id,
      match: matchOf(payment),
      status: 'completed',
      amount: '5.12',
      currency: 'KWD',
      occurredAt: new Date(event.created * 1_000),
      data: { type: 'payment_intent.succeeded', object: payment.answer.transactionId, status: 'succeeded' },
    });
    expect(JSON.stringify(event)).toContain('client_secret');
  });

  it('verifies the exact bytes that arrive by HTTP', async () => {
    const events: ProviderEvent[] = [];
    const receiver = await startReceiver(async ({ body, headers }) => {
      const parsed = await provider.parseNotification({ rawBody: body, headers }, CREDENTIALS, soon());
      return events.push(...parsed.events) === 1 ? 503 : 200;
    });
    account().events.endpoint = { url: receiver.url, secret: WEBHOOK_SECRET };
    const payment = await charged();
    const completed = { status: 'completed', match: matchOf(payment) };
    await eventually(() => expect(events).toContainEqual(expect.objectContaining(completed)));
    // the first one is sent again, as it was not accepted
    await eventually(() => expect(new Set(events.map(({ id }) => id)).size).toBeLessThan(events.length));
    account().events.endpoint = undefined;
    await receiver.stop();
  });

  it('reads a failure with its reason', async () => {
    const payment = await charged(WAITING);
    account().ledger.settleIntent(payment.answer.transactionId ?? '', 'failed');
    expect(await parse(sent('payment_intent.payment_failed'))).toMatchObject({
      match: matchOf(payment),
      status: 'failed',
      declineCode: 'authentication_failed',
      data: { code: 'payment_intent_authentication_failure' },
    });
  });

  it('reads payments in processing, and canceled ones', async () => {
    const waiting = await charged(WAITING);
    expect(await parse(sent('payment_intent.requires_action'))).toMatchObject({
      status: 'processing',
      amount: '100.1',
    });
    await charged({ paymentMethod: { token: 'pm_usBankAccount_success' } });
    expect(await parse(sent('payment_intent.processing'))).toMatchObject({ status: 'processing' });
    await provider.void(operationOn(waiting.request, waiting.answer), soon());
    expect(await parse(sent('payment_intent.canceled'))).toMatchObject({
      match: matchOf(waiting),
      status: 'cancelled',
    });
  });

  it('reads an authorisation with its end', async () => {
    const payment = await charged({ capture: 'manual' });
    expect(await parse(sent('payment_intent.amount_capturable_updated'))).toMatchObject({
      match: matchOf(payment),
      status: 'authorized',
      amount: '100.1',
      currency: 'EUR',
      captureBefore: 'captureBefore' in payment.answer ? payment.answer.captureBefore : undefined,
    });
  });

  it('reads a capture that was made at the dashboard, with what it took', async () => {
    const payment = await charged({ capture: 'manual' });
    account().ledger.captureIntent(payment.answer.transactionId!, { amount_to_capture: '4000' });
    const completed = { match: matchOf(payment), status: 'completed', amount: '40', currency: 'EUR' };
    expect(await parse(sent('payment_intent.succeeded'))).toMatchObject(completed);
    expect(await parse(sent('charge.captured'))).toMatchObject({ status: 'ignored' });
  });

  it.each(['expired', 'automatic'])('reads an authorisation that lapsed (%s), and one that was voided', async (why) => {
    const lapsed = await charged({ capture: 'manual' });
    account().ledger.expireIntent(lapsed.answer.transactionId!);
    const event = sent('payment_intent.canceled');
    event.data.object['cancellation_reason'] = why;
    const data = { cancellation_reason: why };
    expect(await parse(event)).toMatchObject({ match: matchOf(lapsed), status: 'authorization_expired', data });
    expect(await parse(sent('charge.expired'))).toMatchObject({ status: 'ignored' });
    const voided = await charged({ capture: 'manual' });
    await provider.void(operationOn(voided.request, voided.answer), soon());
    expect(await parse(sent('payment_intent.canceled'))).toMatchObject({ status: 'cancelled' });
  });

  it('reads each refund by its id, with its amount', async () => {
    const payment = await charged();
    const part = { ...operationOn(payment.request, payment.answer), amount: '40', reason: undefined };
    const answer = await provider.refund(part, soon());
    const operationId = answer.outcome === 'confirmed' ? answer.operationId : '';
    const read = { match: matchOf(payment), status: 'refunded', operationId, amount: '40', currency: 'EUR' };
    expect(await parse(sent('refund.created'))).toMatchObject(read);
    const rest = account().ledger.createRefund({ payment_intent: payment.answer.transactionId!, amount: '10' });
    expect(await parse(sent('refund.created'))).toMatchObject({
      match: { transactionId: payment.answer.transactionId },
      status: 'refunded',
      operationId: rest.id,
      amount: '0.1',
    });
  });

  it('reads the outcome of our pending refund, by its id', async () => {
    const payment = await charged({ paymentMethod: { token: 'pm_card_pendingRefund' } });
    const answer = await provider.refund(
      { ...operationOn(payment.request, payment.answer), reason: undefined },
      soon(),
    );
    const operationId = answer.outcome === 'pending' ? answer.operationId : '';
    const pending = { match: matchOf(payment), status: 'refund_pending', operationId, amount: '100.1' };
    expect(await parse(sent('refund.created'))).toMatchObject(pending);
    expect(await parse(sent('charge.refunded'))).toMatchObject(pending);
    account().ledger.settleRefund(operationId, 'succeeded');
    const done = { ...pending, status: 'refunded' };
    expect(await parse(sent('refund.updated'))).toMatchObject(done);
    expect(await parse(sent('charge.refunded'))).toMatchObject(done);
  });

  it('reads all refunds of a charge from an event that has none of them, each once', async () => {
    const payment = await charged();
    const intent = payment.answer.transactionId!;
    const made = ['10', '20'].map((amount) => account().ledger.createRefund({ payment_intent: intent, amount }));
    const event = sent('charge.refunded');
    const events = await parseAll(event);
    expect(events).toMatchObject([
      { id: `${event.id}:${made[1]!.id}:succeeded`, status: 'refunded', operationId: made[1]!.id, amount: '0.2' },
      { id: `${event.id}:${made[0]!.id}:succeeded`, status: 'refunded', operationId: made[0]!.id, amount: '0.1' },
    ]);
    expect(await parseAll(event)).toEqual(events);
  });

  it('takes no part of an authorisation that Stripe released for a refund', async () => {
    const { answer } = await charged({ capture: 'manual' });
    account().ledger.captureIntent(answer.transactionId!, { amount_to_capture: '4000' });
    // an endpoint with an older API version gets a refund of the rest
    const release = {
      id: 'evt_release',
      type: 'charge.refund.updated',
      api_version: '2024-06-20',
      data: {
        object: {
          object: 'refund',
          id: 're_release',
          status: 'succeeded',
          amount: 6010,
          currency: 'eur',
          metadata: {},
          payment_intent: answer.transactionId,
        },
      },
    };
    expect(await parse(release)).toMatchObject({ status: 'ignored' });
    account().ledger.createRefund({ payment_intent: answer.transactionId!, amount: '10' });
    const dashboardRefund = { ...sent('refund.created'), api_version: '2024-06-20' };
    expect(await parse(dashboardRefund)).toMatchObject({ status: 'refunded', amount: '0.1' });
  });

  it('names no reference for a refund of a payment that is not ours', async () => {
    const intent = account().ledger.createIntent({
      amount: '500',
      currency: 'eur',
      payment_method: 'pm_card_visa',
      confirm: 'true',
    });
    account().ledger.createRefund({ payment_intent: intent.id });
    expect((await parse(sent('refund.created')))?.match).toEqual({ transactionId: intent.id });
    expect(await parse(sent('charge.refunded'))).toMatchObject({ status: 'ignored' });
  });

  it('requests a repeat of the notification if it needs a look-up and Stripe does not answer', async () => {
    const payment = await charged();
    account().ledger.createRefund({ payment_intent: payment.answer.transactionId ?? '' });
    fake.injectFault({ when: 'before', what: 'reset' }, { path: /GET .*payment_intents/ });
    const signed = signEvent(sent('charge.refunded'), WEBHOOK_SECRET);
    await expect(provider.parseNotification(signed, CREDENTIALS, soon())).rejects.toMatchObject({
      code: 'dependency_unavailable',
    });
    expect(await parse(sent('charge.refunded'))).toMatchObject({ status: 'refunded' });
  });

  it('reads a refund that failed after its success', async () => {
    const payment = await charged({ paymentMethod: { token: 'pm_card_refundFail' } });
    await provider.refund({ ...operationOn(payment.request, payment.answer), reason: undefined }, soon());
    const refund = [...account().ledger.refunds.values()].at(-1);
    account().ledger.settleRefund(refund?.id ?? '', 'failed');
    const failed = {
      status: 'refund_failed',
      operationId: refund?.id,
      amount: '100.1',
      match: matchOf(payment),
      data: { failure_reason: 'expired_or_canceled_card' },
    };
    expect(await parse(sent('refund.failed'))).toMatchObject(failed);
    expect(await parse({ ...sent('refund.failed'), type: 'charge.refund.updated' })).toMatchObject(failed);
  });

  it.each(['charge.succeeded', 'payment_intent.created'])('ignores %s', async (type) => {
    await charged();
    expect(await parse(sent(type))).toMatchObject({ status: 'ignored', id: sent(type).id });
  });

  it("ignores the account's payments that are not ours", async () => {
    await charged();
    const event = sent('payment_intent.succeeded');
    event.data.object['metadata'] = { order: '17' };
    expect(await parse(event)).toMatchObject({ status: 'ignored' });
  });

  it('ignores unknown types and objects', async () => {
    const event = { id: 'evt_1', object: 'event', type: 'v2.made.up', data: { object: {} } };
    expect(await parse(event)).toEqual({
      id: 'evt_1',
      match: { transactionId: 'none' },
      status: 'ignored',
      data: { type: 'v2.made.up', object: 'none' },
    });
  });

  it('accepts one of two signatures while a secret is being changed at Stripe', async () => {
    await charged();
    const event = sent('payment_intent.succeeded');
    const signed = signEvent(event, WEBHOOK_SECRET);
    const other = signEvent(event, OTHER_SECRET).headers['stripe-signature'] ?? '';
    const signature = `${other},${(signed.headers['stripe-signature'] ?? '').split(',')[1] ?? ''}`;
    const both = { ...signed, headers: { 'stripe-signature': signature } };
    await expect(provider.parseNotification(both, CREDENTIALS, soon())).resolves.toMatchObject({
      events: [{ id: event.id }],
    });
  });

  it.each([
    ['ten minutes ahead', 600],
    ['ten minutes behind', -600],
  ])('uses the clock of the service if the machine is %s', async (_name, offsetSeconds) => {
    // the service's clock is right, and the machine's differs
    const clock = { now: () => new Date(Date.now() + offsetSeconds * 1_000) };
    const { provider: other, http } = stripeAt(fake.url, clock);
    const signedAt = (age: number) => signEvent({ ...KNOWN }, WEBHOOK_SECRET, nowSeconds() + offsetSeconds - age);
    await expect(other.parseNotification(signedAt(1), CREDENTIALS, soon())).resolves.toMatchObject({ events: [{}] });
    const refused = { code: 'invalid_signature' };
    await expect(other.parseNotification(signedAt(302), CREDENTIALS, soon())).rejects.toMatchObject(refused);
    await expect(other.parseNotification(signedAt(-290), CREDENTIALS, soon())).resolves.toMatchObject({ events: [{}] });
    await expect(other.parseNotification(signedAt(-310), CREDENTIALS, soon())).rejects.toMatchObject(refused);
    await http.onApplicationShutdown();
  });

  it.each([
    ['by another secret', () => signEvent({ id: 'evt_1' }, OTHER_SECRET), CREDENTIALS],
    ['too long ago', () => signEvent({ id: 'evt_1' }, WEBHOOK_SECRET, nowSeconds() - 301), CREDENTIALS],
    ['more than five minutes ahead', () => signEvent({ ...KNOWN }, WEBHOOK_SECRET, nowSeconds() + 310), CREDENTIALS],
    ['not at all', () => signedNotification(Buffer.from('{}')), CREDENTIALS],
    ['of no body', () => ({ ...signEvent({}, WEBHOOK_SECRET), rawBody: Buffer.alloc(0) }), CREDENTIALS],
    ['for a shop without a secret', () => signEvent({ id: 'evt_1' }, 'whsec_no_secret'), { secret_key: SECRET_KEY }],
  ])('refuses a body that is signed %s', async (_name, signed, credentials) => {
    await expect(provider.parseNotification(signed(), credentials, soon())).rejects.toMatchObject({
      code: 'invalid_signature',
    });
  });

  it('refuses a thin event, and says what to choose at Stripe', async () => {
    const thin = {
      id: 'evt_test_65',
      object: 'v2.core.event',
      type: 'v1.payment_intent.succeeded',
      created: '2026-11-20T10:00:00.000Z',
      livemode: false,
      related_object: { id: 'pi_1', type: 'payment_intent', url: '/v1/payment_intents/pi_1' },
    };
    await expect(
      provider.parseNotification(signEvent(thin, WEBHOOK_SECRET), CREDENTIALS, soon()),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'object', message: expect.stringContaining('choose snapshot payloads') }],
    });
  });

  it.each([
    [[], 'validation_failed'],
    [{ id: 'evt_1', type: 'a' }, 'validation_failed'],
    [{ id: 7, type: 'a', data: { object: {} } }, 'validation_failed'],
  ])('refuses the signed %j', async (body, code) => {
    await expect(
      provider.parseNotification(signEvent(body, WEBHOOK_SECRET), CREDENTIALS, soon()),
    ).rejects.toMatchObject({
      code,
    });
  });
});
