import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import type { FakeItem } from '../../support/servers/adyen/adyen-webhooks.js';
import { FakeAdyen } from '../../support/servers/fake-adyen.js';
import { FakeStripe } from '../../support/servers/fake-stripe.js';
import type { FakeEvent } from '../../support/servers/stripe/stripe-events.js';
import type { FakeRefund } from '../../support/servers/stripe/stripe-objects.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';
import { checkWaiting } from './scripted-events.js';

let stripe: FakeStripe;
let adyen: FakeAdyen;
let api: TestApi;
let merchant: Merchant;

beforeAll(async () => {
  [stripe, adyen] = await Promise.all([FakeStripe.start(), FakeAdyen.start()]);
  api = await startApi({ STRIPE_API_BASE: stripe.url, ADYEN_API_BASE: adyen.url, PROVIDER_TIMEOUT_MS: '3000' });
  merchant = new Merchant(await api.login());
  const shopAt = async (provider: string, credentials: Record<string, unknown>) => {
    const shop = await merchant.createShop(provider, { provider, provider_credentials: credentials });
    await merchant.createFlow(provider, [shop.id]);
    return `${api.url}/providers/${provider}/notifications/${shop.id}`;
  };
  stripeEvents().endpoint = { url: await shopAt('stripe', CREDENTIALS), secret: WEBHOOK_SECRET };
  webhooks().endpoint = { url: await shopAt('adyen', ADYEN_CREDENTIALS), hmacKey: HMAC_KEY };
});
afterEach(async () => {
  await stripeEvents().release(() => []);
  await webhooks().release(() => []);
});
afterAll(async () => {
  await api.stop();
  await Promise.all([stripe.close(), adyen.close()]);
});

const stripeLedger = () => stripe.account(SECRET_KEY).ledger;
const stripeEvents = () => stripe.account(SECRET_KEY).events;
const webhooks = () => adyen.account(MERCHANT_ACCOUNT).webhooks;

const refund = (payment: PaymentAnswer) => merchant.api.post(`/payments/${payment.id}/refund`);
const sync = (payment: PaymentAnswer) => merchant.api.post(`/payments/${payment.id}/sync`);
const stateOf = async ({ id }: { id: number }): Promise<[string, ...string[]]> => {
  const operations = (await operationsOf(api, id)).filter(({ kind }) => kind === 'refund');
  return [(await merchant.payment(id)).status, ...operations.map(({ state }) => state)];
};
const alarmsOf = async ({ id }: { id: number }): Promise<string[]> =>
  (
    await api.database.pool.query<{ reason: string }>(
      `SELECT reason FROM provider_notifications WHERE payment_id = $1 AND outcome = 'alarm' ORDER BY id`,
      [id],
    )
  ).rows.map(({ reason }) => reason);

/** A payment whose provider sends no notifications except those that the test delivers. */
async function paid(provider: 'stripe' | 'adyen', token: string): Promise<PaymentAnswer> {
  stripeEvents().held = true;
  webhooks().held = true;
  const payment = await merchant.pay(provider, { payment_method: { token } });
  expect(payment.status).toBe('completed');
  return payment;
}
const refundsAt = ({ provider_transaction_id: intent }: PaymentAnswer): FakeRefund[] =>
  [...stripeLedger().refunds.values()].filter(({ payment_intent: of }) => of === intent);

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

/** All events of Stripe about the payment's refunds, in order. */
const eventsOfStripe = (payment: PaymentAnswer): FakeEvent[] =>
  stripeEvents().all.filter(
    ({ type, data: { object } }) =>
      type.includes('refund') && object['payment_intent'] === payment.provider_transaction_id,
  );
const deliverStripe = async (events: FakeEvent[]): Promise<void> => {
  for (const event of events) expect(await stripeEvents().deliver(event)).toBe(200);
};
const deliverAdyen = async (items: FakeItem[]): Promise<void> => {
  for (const item of items) expect(await webhooks().deliver([item])).toBe(200);
};

/** Orders of the events, each of them delivered a second time at the end. */
const orders = <Event>(events: Event[]): Event[][] => permutations(events).map((order) => [...order, ...order]);

describe('a refund that is pending at Stripe', () => {
  const pending = async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    expect((await refund(payment)).status).toBe(200);
    return { payment, made: refundsAt(payment)[0]! };
  };

  const delivered = async (status: 'succeeded' | 'failed', order: string[]) => {
    const { payment, made } = await pending();
    stripeLedger().settleRefund(made.id, status);
    const events = eventsOfStripe(payment);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(order));
    await deliverStripe(order.map((wanted) => events.find(({ type }) => type === wanted)!));
    return payment;
  };

  it('appears in the payment and in the answer to a repeated request, until it has ended', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    const shown = async () => {
      const listed = await merchant.api.get(`/payments?limit=100`);
      const found = dataOf<PaymentAnswer[]>(listed).find(({ id }) => id === payment.id)!;
      return [(await merchant.payment(payment.id)).refund_pending, found.refund_pending];
    };
    expect([payment.refund_pending, ...(await shown())]).toEqual([false, false, false]);
    for (let time = 0; time < 2; time += 1) {
      const asked = dataOf<PaymentAnswer>(await refund(payment));
      expect([asked.status, asked.refund_pending, ...(await shown())]).toEqual(['completed', true, true, true]);
    }
    stripeLedger().settleRefund(refundsAt(payment)[0]!.id, 'failed');
    await sync(payment);
    expect(await shown()).toEqual([false, false]);
    await refund(payment);
    stripeLedger().settleRefund(refundsAt(payment)[1]!.id, 'succeeded');
    await sync(payment);
    expect((await merchant.payment(payment.id)).status).toBe('refunded');
    expect(await shown()).toEqual([false, false]);
  });

  it('stays pending after any events of Stripe until it has ended', async () => {
    const { payment } = await pending();
    expect(eventsOfStripe(payment).map(({ type }) => type)).toEqual(['refund.created', 'charge.refunded']);
    await deliverStripe(eventsOfStripe(payment));
    expect(await stateOf(payment)).toEqual(['completed', 'pending']);
  });

  it.each(orders(['charge.refunded', 'refund.updated', 'charge.refund.updated']))(
    'leaves the payment refunded when it succeeds: %s, %s, %s, and repeats',
    async (...order) => {
      const payment = await delivered('succeeded', order);
      expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
      expect(await alarmsOf(payment)).toEqual([]);
    },
  );

  it.each(orders(['charge.refunded', 'refund.failed', 'refund.updated', 'charge.refund.updated']))(
    'leaves the payment completed when it fails: %s, %s, %s, %s, and repeats',
    async (...order) => {
      const payment = await delivered('failed', order);
      expect(await stateOf(payment)).toEqual(['completed', 'refused']);
      expect(await alarmsOf(payment)).toContain('refund_failed');
    },
  );

  it('gets another key when it failed and is requested again', async () => {
    const payment = await delivered('failed', ['refund.failed']);
    expect((await refund(payment)).status).toBe(200);
    expect(await stateOf(payment)).toEqual(['completed', 'refused', 'pending']);
    const [first, second] = refundsAt(payment);
    expect(first!.metadata['operation']).not.toBe(second!.metadata['operation']);
    stripeLedger().settleRefund(second!.id, 'succeeded');
    await deliverStripe(eventsOfStripe(payment).reverse());
    expect(await stateOf(payment)).toEqual(['refunded', 'refused', 'confirmed']);
  });

  it('ignores the outcome of a refund that is not ours', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    const intent = payment.provider_transaction_id;
    const other = stripeLedger().createRefund({ payment_intent: intent, amount: '500' });
    await deliverStripe(eventsOfStripe(payment));
    await refund(payment);
    const ours = refundsAt(payment).find(({ id }) => id !== other.id)!;
    expect(ours.amount).toBe(4490);
    stripeLedger().settleRefund(other.id, 'failed');
    await deliverStripe(eventsOfStripe(payment).reverse());
    expect(await stateOf(payment)).toEqual(['completed', 'pending']);
    expect(await alarmsOf(payment)).toContain('refund_failed');
    await refund(payment);
    const rest = refundsAt(payment).find(({ id }) => id !== other.id && id !== ours.id)!;
    expect(rest.amount).toBe(500);
    for (const { id } of [ours, rest]) stripeLedger().settleRefund(id, 'succeeded');
    await deliverStripe(eventsOfStripe(payment));
    expect(await stateOf(payment)).toEqual(['refunded', 'confirmed', 'confirmed']);
  });

  it('that failed without an event is found by recovery and by sync, and can be requested again', async () => {
    for (const check of [(payment: PaymentAnswer) => recover(api, [payment.id], 1), sync]) {
      const { payment, made } = await pending();
      await check(payment);
      expect(await stateOf(payment)).toEqual(['completed', 'pending']);
      stripeLedger().settleRefund(made.id, 'failed');
      await check(payment);
      expect(await stateOf(payment)).toEqual(['completed', 'refused']);
      expect((await refund(payment)).status).toBe(200);
      expect(refundsAt(payment)).toHaveLength(2);
      stripeLedger().settleRefund(refundsAt(payment)[1]!.id, 'succeeded');
      await check(payment);
      expect(await stateOf(payment)).toEqual(['refunded', 'refused', 'confirmed']);
    }
  });

  it('that failed causes an error in the answer to a repeated request', async () => {
    const { payment, made } = await pending();
    stripeLedger().settleRefund(made.id, 'failed');
    const { status, body } = await refund(payment);
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'provider_unconfirmed' })]);
    expect((await refund(payment)).status).toBe(200);
    expect(refundsAt(payment)).toHaveLength(2);
  });
});

describe('a refund that succeeded at Stripe and fails later', () => {
  it('makes the payment completed again and leaves an alarm', async () => {
    const payment = await paid('stripe', 'pm_card_refundFail');
    expect(dataOf<PaymentAnswer>(await refund(payment)).status).toBe('refunded');
    stripeLedger().settleRefund(refundsAt(payment)[0]!.id, 'failed');
    await deliverStripe(eventsOfStripe(payment).filter(({ type }) => type === 'refund.failed'));
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
    expect(await alarmsOf(payment)).toEqual(['refund_failed']);
  });

  it('leaves the payment completed when the failure is reported first', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    await refund(payment);
    const { id } = refundsAt(payment)[0]!;
    stripeLedger().settleRefund(id, 'succeeded');
    const succeeded = eventsOfStripe(payment);
    stripeLedger().settleRefund(id, 'failed');
    await deliverStripe([...eventsOfStripe(payment).slice(succeeded.length), ...succeeded]);
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
  });
});

describe('a refund at Stripe that is not ours', () => {
  it('refunds the payment when it is complete and no longer pending', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    const other = stripeLedger().createRefund({ payment_intent: payment.provider_transaction_id });
    await deliverStripe(eventsOfStripe(payment));
    expect(await stateOf(payment)).toEqual(['completed']);
    stripeLedger().settleRefund(other.id, 'succeeded');
    await deliverStripe(eventsOfStripe(payment));
    expect(await stateOf(payment)).toEqual(['refunded']);
  });

  it('never refunds the payment when it fails', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    const other = stripeLedger().createRefund({ payment_intent: payment.provider_transaction_id });
    stripeLedger().settleRefund(other.id, 'failed');
    await deliverStripe(eventsOfStripe(payment));
    expect(await stateOf(payment)).toEqual(['completed']);
    expect(await alarmsOf(payment)).toContain('refund_failed');
  });
});

describe('a refund at Stripe whose answer is missing', () => {
  it.each(['succeeded', 'failed'] as const)('%s according to an event that overtakes the answer', async (status) => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    stripe.injectFault({ when: 'after', what: 'delay', delayMs: 1_000 }, { path: /POST .*refunds/ });
    const answer = refund(payment);
    await eventually(() => expect(refundsAt(payment)).toHaveLength(1));
    stripeLedger().settleRefund(refundsAt(payment)[0]!.id, status);
    await deliverStripe(eventsOfStripe(payment));
    expect(await stateOf(payment)).toEqual(['completed', 'open']);
    await answer;
    const ended = status === 'succeeded' ? ['refunded', 'confirmed'] : ['completed', 'refused'];
    expect(await stateOf(payment)).toEqual(ended);
  });

  it.each([
    ['succeeded', true],
    ['succeeded', false],
    ['failed', true],
    ['failed', false],
  ] as const)(
    '%s, event delivered: %s, gets its outcome from recovery when the answer got lost',
    async (status, isDelivered) => {
      const payment = await paid('stripe', 'pm_card_pendingRefund');
      stripe.injectFault({ when: 'after', what: 'reset' }, { path: /POST .*refunds/ });
      expect((await refund(payment)).status).toBe(503);
      stripeLedger().settleRefund(refundsAt(payment)[0]!.id, status);
      if (isDelivered) await deliverStripe(eventsOfStripe(payment));
      expect(await stateOf(payment)).toEqual(['completed', 'unknown']);
      await recover(api, [payment.id], 1);
      await checkWaiting(api);
      expect(await stateOf(payment)).toEqual(
        status === 'succeeded' ? ['refunded', 'confirmed'] : ['completed', 'refused'],
      );
      expect(refundsAt(payment)).toHaveLength(1);
    },
  );

  it('gets a look-up before a repeat, because the key would return the old answer', async () => {
    const payment = await paid('stripe', 'pm_card_visa');
    stripe.injectFault({ when: 'after', what: 'reset' }, { path: /POST .*refunds/ });
    expect((await refund(payment)).status).toBe(503);
    stripeLedger().settleRefund(refundsAt(payment)[0]!.id, 'failed');
    await recover(api, [payment.id], 1);
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
  });

  it('gets repeated by recovery when it never reached Stripe', async () => {
    const payment = await paid('stripe', 'pm_card_visa');
    stripe.injectFault({ when: 'before', what: 'hang' }, { path: /POST .*refunds/ });
    expect((await refund(payment)).status).toBe(503);
    await recover(api, [payment.id], 1);
    expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
    expect(refundsAt(payment)).toHaveLength(1);
  });
});

describe('a refund at Adyen', () => {
  const itemsOfAdyen = (payment: PaymentAnswer): FakeItem[] =>
    webhooks().all.filter(
      ({ eventCode, originalReference }) =>
        eventCode.startsWith('REFUND') && originalReference === payment.provider_transaction_id,
    );
  const requested = async (method: string) => {
    const payment = await paid('adyen', `shopper-1/${method}`);
    expect((await refund(payment)).status).toBe(200);
    return payment;
  };
  const foreignItem = (payment: PaymentAnswer, fields: Partial<FakeItem>): FakeItem => ({
    ...itemsOfAdyen(payment)[0]!,
    pspReference: `OTHER${payment.id}`,
    ...fields,
  });

  it('that failed leaves the payment completed when its success is reported after its failure', async () => {
    const payment = await requested('REFUNDFAILS');
    const [done, failed] = itemsOfAdyen(payment);
    await deliverAdyen([failed!, done!, failed!, done!]);
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
  });

  it.each(orders(['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']))(
    'that is refused by several events leaves it completed, too: %s, %s, %s, and repeats',
    async (...order) => {
      const payment = await requested('REFUNDREFUSED');
      const [refused] = itemsOfAdyen(payment);
      expect(refused).toMatchObject({ eventCode: 'REFUND', success: 'false' });
      const success = (eventCode: string) => (eventCode === 'REFUND' ? 'false' : 'true');
      await deliverAdyen(order.map((eventCode) => ({ ...refused!, eventCode, success: success(eventCode) })));
      expect(await stateOf(payment)).toEqual(['completed', 'refused']);
    },
  );

  it('that succeeded and fails later makes the payment completed again and leaves an alarm', async () => {
    const payment = await requested('REFUNDFAILS');
    await deliverAdyen(itemsOfAdyen(payment));
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
    expect(await alarmsOf(payment)).toEqual(['refund_failed']);
  });

  it.each([
    ['REFUND', 'false'],
    ['REFUND_FAILED', 'true'],
    ['REFUNDED_REVERSED', 'true'],
    ['REFUND', 'true'],
    ['CANCEL_OR_REFUND', 'true'],
  ] as const)('ignores %s (%s) about a refund that is not ours', async (eventCode, success) => {
    const payment = await requested('AUTHORISED');
    await deliverAdyen([foreignItem(payment, { eventCode, success })]);
    expect(await stateOf(payment)).toEqual(['completed', 'pending']);
    await deliverAdyen(itemsOfAdyen(payment));
    expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
    // a success of another refund exceeds the remaining amount only when ours has succeeded
    expect(await alarmsOf(payment)).toHaveLength(1);
  });

  it('that is not ours and failed never refunds the payment', async () => {
    const other = await requested('REFUNDREFUSED');
    await deliverAdyen(itemsOfAdyen(other));
    const success = { success: 'true' } as const;
    await deliverAdyen([foreignItem(other, { ...success, eventCode: 'REFUND_FAILED' }), foreignItem(other, success)]);
    expect(await stateOf(other)).toEqual(['completed', 'refused']);
  });

  it.each(['AUTHORISED', 'REFUNDREFUSED'])(
    'of %s matches its notification, even if that overtakes the answer',
    async (method) => {
      const payment = await paid('adyen', `shopper-1/${method}`);
      adyen.injectFault({ when: 'after', what: 'delay', delayMs: 1_000 }, { path: /refunds$/ });
      const answer = refund(payment);
      await eventually(() => expect(itemsOfAdyen(payment)).toHaveLength(1));
      await deliverAdyen(itemsOfAdyen(payment));
      await answer;
      const ended = method === 'AUTHORISED' ? ['refunded', 'confirmed'] : ['completed', 'refused'];
      expect(await stateOf(payment)).toEqual(ended);
    },
  );

  it('leaves an alarm if its failure waited too long for the id of our refund', async () => {
    const payment = await paid('adyen', 'shopper-1/AUTHORISED');
    adyen.injectFault({ when: 'before', what: 'reset' }, { path: /refunds$/ });
    expect((await refund(payment)).status).toBe(503);
    const item = { ...webhooks().all.at(-1)!, originalReference: payment.provider_transaction_id };
    await deliverAdyen([{ ...item, eventCode: 'REFUND_FAILED', success: 'true', pspReference: `OTHER${payment.id}` }]);
    await checkWaiting(api);
    expect(await alarmsOf(payment)).toEqual([]);
    await api.database.pool.query(
      `UPDATE provider_notifications SET received_at = received_at - interval '73 hours' WHERE payment_id = $1`,
      [payment.id],
    );
    await checkWaiting(api);
    expect(await alarmsOf(payment)).toEqual(['refund_failed']);
    expect(await stateOf(payment)).toEqual(['completed', 'unknown']);
  });

  it('gets its id from a repeat when its answer got lost', async () => {
    const payment = await paid('adyen', 'shopper-1/AUTHORISED');
    adyen.injectFault({ when: 'after', what: 'reset' }, { path: /refunds$/ });
    expect((await refund(payment)).status).toBe(503);
    await deliverAdyen([
      ...itemsOfAdyen(payment),
      foreignItem(payment, { eventCode: 'REFUND_FAILED', success: 'true' }),
    ]);
    expect(await stateOf(payment)).toEqual(['completed', 'unknown']);
    await recover(api, [payment.id], 1);
    expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
    expect(await alarmsOf(payment)).toEqual(['refund_failed']);
  });
});
