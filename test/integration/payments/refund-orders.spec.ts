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
import { checkWaiting } from './told-events.js';

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

/** A payment of which nothing is told but what `tell` sends. */
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

/** Everything that Stripe has said of the payment's refunds, in its order. */
const saidByStripe = (payment: PaymentAnswer): FakeEvent[] =>
  stripeEvents().all.filter(
    ({ type, data: { object } }) =>
      type.includes('refund') && object['payment_intent'] === payment.provider_transaction_id,
  );
const tellStripe = async (events: FakeEvent[]): Promise<void> => {
  for (const event of events) expect(await stripeEvents().deliver(event)).toBe(200);
};
const tellAdyen = async (items: FakeItem[]): Promise<void> => {
  for (const item of items) expect(await webhooks().deliver([item])).toBe(200);
};

/** Orders of the events, each of them told a second time in the end. */
const orders = <Event>(events: Event[]): Event[][] => permutations(events).map((order) => [...order, ...order]);

describe('a refund that is pending at Stripe', () => {
  const pending = async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    expect((await refund(payment)).status).toBe(200);
    return { payment, made: refundsAt(payment)[0]! };
  };

  const told = async (status: 'succeeded' | 'failed', order: string[]) => {
    const { payment, made } = await pending();
    stripeLedger().settleRefund(made.id, status);
    const said = saidByStripe(payment);
    expect(said.map(({ type }) => type)).toEqual(expect.arrayContaining(order));
    await tellStripe(order.map((wanted) => said.find(({ type }) => type === wanted)!));
    return payment;
  };

  it('shows in the payment and in the answer to who asks again, until it has ended', async () => {
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

  it('stays pending whatever Stripe says of it until then', async () => {
    const { payment } = await pending();
    expect(saidByStripe(payment).map(({ type }) => type)).toEqual(['refund.created', 'charge.refunded']);
    await tellStripe(saidByStripe(payment));
    expect(await stateOf(payment)).toEqual(['completed', 'pending']);
  });

  it.each(orders(['charge.refunded', 'refund.updated', 'charge.refund.updated']))(
    'ends refunded when it succeeds: %s, %s, %s, and again',
    async (...order) => {
      const payment = await told('succeeded', order);
      expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
      expect(await alarmsOf(payment)).toEqual([]);
    },
  );

  it.each(orders(['charge.refunded', 'refund.failed', 'refund.updated', 'charge.refund.updated']))(
    'ends not refunded when it fails: %s, %s, %s, %s, and again',
    async (...order) => {
      const payment = await told('failed', order);
      expect(await stateOf(payment)).toEqual(['completed', 'refused']);
      expect(await alarmsOf(payment)).toContain('refund_failed');
    },
  );

  it('is made anew, under another key, when it failed and is asked for again', async () => {
    const payment = await told('failed', ['refund.failed']);
    expect((await refund(payment)).status).toBe(200);
    expect(await stateOf(payment)).toEqual(['completed', 'refused', 'pending']);
    const [first, second] = refundsAt(payment);
    expect(first!.metadata['operation']).not.toBe(second!.metadata['operation']);
    stripeLedger().settleRefund(second!.id, 'succeeded');
    await tellStripe(saidByStripe(payment).reverse());
    expect(await stateOf(payment)).toEqual(['refunded', 'refused', 'confirmed']);
  });

  it('is not changed by what becomes of a refund that somebody else made', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    const intent = payment.provider_transaction_id;
    const other = stripeLedger().createRefund({ payment_intent: intent, amount: '500' });
    await refund(payment);
    const ours = refundsAt(payment).find(({ id }) => id !== other.id)!;
    stripeLedger().settleRefund(other.id, 'failed');
    await tellStripe(saidByStripe(payment).reverse());
    expect(await stateOf(payment)).toEqual(['completed', 'pending']);
    expect(await alarmsOf(payment)).toContain('refund_failed');
    await refund(payment);
    expect(refundsAt(payment)).toHaveLength(2);
    stripeLedger().settleRefund(ours.id, 'succeeded');
    await tellStripe(saidByStripe(payment));
    expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
  });

  it('that failed is learnt by recovery and by sync when no event tells, and may be asked for again', async () => {
    for (const learn of [(payment: PaymentAnswer) => recover(api, [payment.id], 1), sync]) {
      const { payment, made } = await pending();
      await learn(payment);
      expect(await stateOf(payment)).toEqual(['completed', 'pending']);
      stripeLedger().settleRefund(made.id, 'failed');
      await learn(payment);
      expect(await stateOf(payment)).toEqual(['completed', 'refused']);
      expect((await refund(payment)).status).toBe(200);
      expect(refundsAt(payment)).toHaveLength(2);
      stripeLedger().settleRefund(refundsAt(payment)[1]!.id, 'succeeded');
      await learn(payment);
      expect(await stateOf(payment)).toEqual(['refunded', 'refused', 'confirmed']);
    }
  });

  it('that failed is told to who asks for it again', async () => {
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
    await tellStripe(saidByStripe(payment).filter(({ type }) => type === 'refund.failed'));
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
    expect(await alarmsOf(payment)).toEqual(['refund_failed']);
  });

  it('leaves the payment completed when the failure is told first', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    await refund(payment);
    const { id } = refundsAt(payment)[0]!;
    stripeLedger().settleRefund(id, 'succeeded');
    const succeeded = saidByStripe(payment);
    stripeLedger().settleRefund(id, 'failed');
    await tellStripe([...saidByStripe(payment).slice(succeeded.length), ...succeeded]);
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
  });
});

describe('a refund that somebody else made at Stripe', () => {
  it('refunds the payment when all is given back, and not while it is pending', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    const other = stripeLedger().createRefund({ payment_intent: payment.provider_transaction_id });
    await tellStripe(saidByStripe(payment));
    expect(await stateOf(payment)).toEqual(['completed']);
    stripeLedger().settleRefund(other.id, 'succeeded');
    await tellStripe(saidByStripe(payment));
    expect(await stateOf(payment)).toEqual(['refunded']);
  });

  it('never refunds the payment when it fails', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    const other = stripeLedger().createRefund({ payment_intent: payment.provider_transaction_id });
    stripeLedger().settleRefund(other.id, 'failed');
    await tellStripe(saidByStripe(payment));
    expect(await stateOf(payment)).toEqual(['completed']);
    expect(await alarmsOf(payment)).toContain('refund_failed');
  });
});

describe('a refund at Stripe whose answer is not here yet', () => {
  it.each(['succeeded', 'failed'] as const)('%s, by an event that overtakes the answer', async (status) => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    stripe.spoil({ when: 'after', what: 'delay', delayMs: 1_000 }, { path: /POST .*refunds/ });
    const asked = refund(payment);
    await eventually(() => expect(refundsAt(payment)).toHaveLength(1));
    stripeLedger().settleRefund(refundsAt(payment)[0]!.id, status);
    await tellStripe(saidByStripe(payment));
    expect(await stateOf(payment)).toEqual(['completed', 'open']);
    await asked;
    const ended = status === 'succeeded' ? ['refunded', 'confirmed'] : ['completed', 'refused'];
    expect(await stateOf(payment)).toEqual(ended);
  });

  it.each([
    ['succeeded', true],
    ['succeeded', false],
    ['failed', true],
    ['failed', false],
  ] as const)('%s, told: %s, is found by recovery when the answer got lost', async (status, isTold) => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    stripe.spoil({ when: 'after', what: 'reset' }, { path: /POST .*refunds/ });
    expect((await refund(payment)).status).toBe(503);
    stripeLedger().settleRefund(refundsAt(payment)[0]!.id, status);
    if (isTold) await tellStripe(saidByStripe(payment));
    expect(await stateOf(payment)).toEqual(['completed', 'unknown']);
    await recover(api, [payment.id], 1);
    await checkWaiting(api);
    expect(await stateOf(payment)).toEqual(
      status === 'succeeded' ? ['refunded', 'confirmed'] : ['completed', 'refused'],
    );
    expect(refundsAt(payment)).toHaveLength(1);
  });

  it('is looked for before it is repeated, so that an old answer under its key is not believed', async () => {
    const payment = await paid('stripe', 'pm_card_visa');
    stripe.spoil({ when: 'after', what: 'reset' }, { path: /POST .*refunds/ });
    expect((await refund(payment)).status).toBe(503);
    stripeLedger().settleRefund(refundsAt(payment)[0]!.id, 'failed');
    await recover(api, [payment.id], 1);
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
  });

  it('is made by recovery when it never reached Stripe', async () => {
    const payment = await paid('stripe', 'pm_card_visa');
    stripe.spoil({ when: 'before', what: 'hang' }, { path: /POST .*refunds/ });
    expect((await refund(payment)).status).toBe(503);
    await recover(api, [payment.id], 1);
    expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
    expect(refundsAt(payment)).toHaveLength(1);
  });
});

describe('a refund at Adyen', () => {
  const saidByAdyen = (payment: PaymentAnswer): FakeItem[] =>
    webhooks().all.filter(
      ({ eventCode, originalReference }) =>
        eventCode.startsWith('REFUND') && originalReference === payment.provider_transaction_id,
    );
  const asked = async (method: string) => {
    const payment = await paid('adyen', `shopper-1/${method}`);
    expect((await refund(payment)).status).toBe(200);
    return payment;
  };
  const somebodyElses = (payment: PaymentAnswer, fields: Partial<FakeItem>): FakeItem => ({
    ...saidByAdyen(payment)[0]!,
    pspReference: `OTHER${payment.id}`,
    ...fields,
  });

  it('that failed leaves the payment as it was when its success is told after its failure', async () => {
    const payment = await asked('REFUNDFAILS');
    const [done, failed] = saidByAdyen(payment);
    await tellAdyen([failed!, done!, failed!, done!]);
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
  });

  it.each(orders(['REFUND', 'REFUND_FAILED', 'REFUNDED_REVERSED']))(
    'that is refused in several words leaves it so, too: %s, %s, %s, and again',
    async (...order) => {
      const payment = await asked('REFUNDREFUSED');
      const [refused] = saidByAdyen(payment);
      expect(refused).toMatchObject({ eventCode: 'REFUND', success: 'false' });
      const success = (eventCode: string) => (eventCode === 'REFUND' ? 'false' : 'true');
      await tellAdyen(order.map((eventCode) => ({ ...refused!, eventCode, success: success(eventCode) })));
      expect(await stateOf(payment)).toEqual(['completed', 'refused']);
    },
  );

  it('that succeeded and fails later makes the payment completed again and leaves an alarm', async () => {
    const payment = await asked('REFUNDFAILS');
    await tellAdyen(saidByAdyen(payment));
    expect(await stateOf(payment)).toEqual(['completed', 'refused']);
    expect(await alarmsOf(payment)).toEqual(['refund_failed']);
  });

  it.each([
    ['REFUND', 'false'],
    ['REFUND_FAILED', 'true'],
    ['REFUNDED_REVERSED', 'true'],
    ['REFUND', 'true'],
    ['CANCEL_OR_REFUND', 'true'],
  ] as const)('is not changed by %s (%s) of somebody else’s', async (eventCode, success) => {
    const payment = await asked('AUTHORISED');
    await tellAdyen([somebodyElses(payment, { eventCode, success })]);
    expect(await stateOf(payment)).toEqual(['completed', 'pending']);
    await tellAdyen(saidByAdyen(payment));
    expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
    // a success of somebody else's exceeds what is left only when ours has succeeded
    expect(await alarmsOf(payment)).toHaveLength(1);
  });

  it('that somebody else made and that failed never refunds the payment', async () => {
    const other = await asked('REFUNDREFUSED');
    await tellAdyen(saidByAdyen(other));
    const told = { success: 'true' } as const;
    await tellAdyen([somebodyElses(other, { ...told, eventCode: 'REFUND_FAILED' }), somebodyElses(other, told)]);
    expect(await stateOf(other)).toEqual(['completed', 'refused']);
  });

  it.each(['AUTHORISED', 'REFUNDREFUSED'])(
    'of %s is known when its notification overtakes its answer',
    async (method) => {
      const payment = await paid('adyen', `shopper-1/${method}`);
      adyen.spoil({ when: 'after', what: 'delay', delayMs: 1_000 }, { path: /refunds$/ });
      const answer = refund(payment);
      await eventually(() => expect(saidByAdyen(payment)).toHaveLength(1));
      await tellAdyen(saidByAdyen(payment));
      await answer;
      const ended = method === 'AUTHORISED' ? ['refunded', 'confirmed'] : ['completed', 'refused'];
      expect(await stateOf(payment)).toEqual(ended);
    },
  );

  it('whose failure waited in vain for the id of ours leaves an alarm', async () => {
    const payment = await paid('adyen', 'shopper-1/AUTHORISED');
    adyen.spoil({ when: 'before', what: 'reset' }, { path: /refunds$/ });
    expect((await refund(payment)).status).toBe(503);
    const item = { ...webhooks().all.at(-1)!, originalReference: payment.provider_transaction_id };
    await tellAdyen([{ ...item, eventCode: 'REFUND_FAILED', success: 'true', pspReference: `OTHER${payment.id}` }]);
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

  it('is known by a repeat when its answer got lost', async () => {
    const payment = await paid('adyen', 'shopper-1/AUTHORISED');
    adyen.spoil({ when: 'after', what: 'reset' }, { path: /refunds$/ });
    expect((await refund(payment)).status).toBe(503);
    await tellAdyen([...saidByAdyen(payment), somebodyElses(payment, { eventCode: 'REFUND_FAILED', success: 'true' })]);
    expect(await stateOf(payment)).toEqual(['completed', 'unknown']);
    await recover(api, [payment.id], 1);
    expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
    expect(await alarmsOf(payment)).toEqual(['refund_failed']);
  });
});
