import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createReceiver, isPaymentStatusChanged, type WebhookEvent } from '@payment-orchestrator/receiver';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { earlierTransactions } from '../../support/app/earlier-transactions.js';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { reconcile } from '../../support/app/reconciliation.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { eventually } from '../../support/eventually.js';
import { adyenStory, PUBLIC_URL, type StoryProvider, stripeStory } from '../../support/providers/story-providers.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { Story } from '../../support/story.js';
import { type ApiEvent, following } from '../events/events-harness.js';

const AUTHORIZED = 60;
const CAPTURED = 40;
const RETURNED = 20;
const RETURN_URL = 'https://merchant.example/back';
const DUE_BY = '2027-03-01T12:00:00.000Z';

interface RefundAnswer {
  id: number;
  status: string;
  amount: number;
  origin: string;
  provider_refund_id: string | null;
  failure_code: string | null;
}

/** A merchant's server: it verifies each webhook with the receiver package. */
async function startMerchantServer(secret: () => string) {
  const events: WebhookEvent[] = [];
  const receive = createReceiver({ secrets: () => [secret()], handle: (event) => void events.push(event) });
  const receiver: Receiver = await startReceiver(async ({ body, headers }) => receive(body, headers));
  return { events, receiver };
}

describe.each([
  ['stripe', stripeStory],
  ['adyen', adyenStory],
] as const)('a payment at %s, from its authorisation to a lost dispute', (name, start) => {
  let provider: StoryProvider;
  let api: TestApi;
  let worker: InProcessService;
  let merchant: Merchant;
  let shop: ShopAnswer;
  let server: Awaited<ReturnType<typeof startMerchantServer>>;
  let cursor: string;
  let payment: PaymentAnswer;

  beforeAll(async () => {
    provider = await start();
    server = await startMerchantServer(() => shop.webhook_secret);
    const env = { [provider.setting]: provider.fake.url, PUBLIC_URL };
    api = await startApi(env);
    worker = await startServiceInProcess({ entry: 'worker', databaseUrl: api.database.url, env });
    merchant = new Merchant(await api.login());
    shop = await merchant.createShop('Berlin', { provider: name, provider_credentials: provider.credentials });
    await merchant.createFlow('checkout', [shop.id]);
    provider.notify(`${api.url}/providers/${name}/notifications/${shop.id}`);
    await earlierTransactions(api.database);
    ({ cursor } = await following(merchant.api));
  });
  afterAll(async () => {
    await worker.stop();
    await api.stop();
    await server.receiver.stop();
    await provider.fake.close();
  });

  const story = new Story();

  const read = async <T>(path: string): Promise<T> => dataOf<T>(await merchant.api.get(path));
  const reaches = (expected: object) =>
    eventually(async () => expect(await merchant.payment(payment.id)).toMatchObject(expected));
  const refunds = () => read<RefundAnswer[]>(`/payments/${payment.id}/refunds`);
  const disputes = () => read<Record<string, unknown>[]>(`/payments/${payment.id}/disputes`);
  const books = () =>
    provider.fake.transactions().map(({ status, captured, refunded }) => [status, captured, refunded]);
  /** The payments in the webhooks, oldest first. */
  const webhooks = () => server.events.filter(isPaymentStatusChanged).map(({ payment }) => payment);
  /** The events since the last call, at least `count`. */
  const news = (count: number): Promise<ApiEvent[]> =>
    eventually(async () => {
      const found = await following(merchant.api, cursor);
      if (found.events.length < count) return false;
      ({ cursor } = found);
      return found.events;
    });
  const typesOf = (events: ApiEvent[]) => events.map(({ type }) => type);
  const statesOf = async () =>
    (await read<{ kind: string; state: string }[]>(`/payments/${payment.id}/operations`)).map(
      ({ kind, state }) => `${kind} ${state}`,
    );
  const metric = async (line: string) => {
    const pages = await Promise.all([`${api.url}/metrics`, `${worker.workerUrl}/metrics`].map((url) => fetch(url)));
    const texts = await Promise.all(pages.map((page) => page.text()));
    return texts.some((text) => text.split('\n').includes(line));
  };
  story.step('the payment is authorised after the payer’s step with 3-D Secure', async () => {
    payment = await merchant.pay('checkout', {
      amount: AUTHORIZED,
      capture: 'manual',
      return_url: RETURN_URL,
      webhook_endpoint: server.receiver.url,
      payment_method: { token: provider.threeDSecureToken },
    });
    expect(payment).toMatchObject({ status: 'processing', amount_authorized: 0, next_action: { type: 'redirect' } });
    const body = new URLSearchParams({ outcome: 'approve' });
    const page = await fetch(payment.next_action!.url, { method: 'POST', body, redirect: 'manual' });
    const back = new URL(page.headers.get('location')!);
    if (back.href.startsWith(PUBLIC_URL)) {
      const path = `${back.pathname.slice(new URL(PUBLIC_URL).pathname.length)}${back.search}`;
      expect((await fetch(`${api.url}${path}`, { redirect: 'manual' })).headers.get('location')).toBe(RETURN_URL);
    }
    await reaches({
      status: 'processing',
      amount_authorized: AUTHORIZED,
      amount_captured: 0,
      capture_before: expect.any(String),
      next_action: null,
    });
    expect(books()).toEqual([['authorized', 0, 0]]);
    expect(typesOf(await news(2))).toEqual(['payment.status_changed', 'payment.amounts_changed']);
    await eventually(() => expect(webhooks()).toMatchObject([{ status: 'processing', amount_captured: 0 }]));
    expect(await reconcile(api)).toMatchObject({ disagreements: [], unknown: [] });
  });

  story.step('the payment is captured in part, once', async () => {
    const capture = (amount: number) => merchant.api.post(`/payments/${payment.id}/capture`, { amount });
    expect(await capture(AUTHORIZED + 1)).toMatchObject({ status: 422 });
    provider.hold();
    const captured = dataOf<PaymentAnswer>(await capture(CAPTURED));
    expect(captured.status).toBe(provider.answersAtOnce ? 'completed' : 'processing');
    await provider.release();
    await reaches({
      status: 'completed',
      amount_authorized: AUTHORIZED,
      amount_captured: CAPTURED,
      amount_refunded: 0,
    });
    expect(dataOf(await capture(CAPTURED))).toMatchObject({ status: 'completed', amount_captured: CAPTURED });
    expect(await capture(CAPTURED - 1)).toMatchObject({ status: 409, body: { code: 'capture_already_made' } });
    expect(await statesOf()).toEqual(['charge confirmed', 'capture confirmed']);
    expect(books()).toEqual([['captured', CAPTURED * 100, 0]]);
    expect(typesOf(await news(1))).toEqual(['payment.status_changed']);
    const amounts = {
      amount: AUTHORIZED,
      amount_authorized: AUTHORIZED,
      amount_captured: CAPTURED,
      amount_refunded: 0,
    };
    await eventually(() => expect(webhooks().slice(1)).toMatchObject([{ status: 'completed', ...amounts }]));
    expect(server.events.at(-1)).toMatchObject({ shop: { id: shop.id } });
  });

  story.step('the payment has half of the captured amount refunded', async () => {
    provider.hold();
    const body = { amount: RETURNED, reason: 'one item returned' };
    const key = { 'idempotency-key': `return-${payment.id}` };
    const refund = () => merchant.api.post(`/payments/${payment.id}/refunds`, body, key);
    const made = dataOf<RefundAnswer>(await refund());
    expect(made.status).toBe(provider.answersAtOnce ? 'succeeded' : 'pending');
    await provider.release();
    await eventually(async () => expect(await refunds()).toMatchObject([{ status: 'succeeded', amount: RETURNED }]));
    expect(dataOf(await refund())).toMatchObject({ id: made.id, status: 'succeeded' });
    expect(await refunds()).toMatchObject([
      { id: made.id, origin: 'api', provider_refund_id: provider.refundIds()[0] },
    ]);
    await reaches({ status: 'completed', amount_refunded: RETURNED, refund_pending: false });
    expect(books()).toEqual([['captured', CAPTURED * 100, RETURNED * 100]]);
    expect(await news(3)).toMatchObject([
      { type: 'refund.created', data: { id: made.id, status: 'pending', amount: RETURNED } },
      { type: 'payment.amounts_changed', payment_id: payment.id },
      { type: 'refund.updated', data: { id: made.id, status: 'succeeded', amount: RETURNED } },
    ]);
    const more = await merchant.api.post(
      `/payments/${payment.id}/refunds`,
      { amount: RETURNED + 1 },
      {
        'idempotency-key': `more-${payment.id}`,
      },
    );
    expect(more).toMatchObject({ status: 409, body: { code: 'refund_exceeds_captured' } });
    expect(await reconcile(api)).toMatchObject({ returnedByDispute: 0, disagreements: [], unknown: [] });
  });

  story.step('the payment is disputed, and says until when evidence is due', async () => {
    const id = provider.openDispute(payment, RETURNED * 100, new Date(DUE_BY));
    const expected = { provider_dispute_id: id, kind: 'chargeback', status: 'open', amount: RETURNED, currency: 'EUR' };
    await eventually(async () =>
      expect(await disputes()).toMatchObject([{ ...expected, evidence_due_by: DUE_BY, shop_id: shop.id }]),
    );
    expect(await read(`/disputes?status=open&due_before=${DUE_BY.replace('01T', '02T')}`)).toMatchObject([expected]);
    expect(await read('/disputes?status=open&due_before=2027-01-01T00:00:00Z')).toEqual([]);
    await reaches({ status: 'completed', disputed_amount: RETURNED, amount_refunded: RETURNED });
    expect((await news(1))[0]).toMatchObject({ type: 'dispute.opened', payment_id: payment.id, data: expected });
    await eventually(async () =>
      expect(await metric(`dispute_changes_total{provider="${name}",status="open"} 1`)).toBe(true),
    );
    await eventually(async () => expect(await metric('disputes_unfinished{status="open"} 1')).toBe(true));
    expect(await reconcile(api)).toMatchObject({ returnedByDispute: 0, disagreements: [] });
  });

  story.step('the disputed amount cannot be refunded: the payer would get it twice', async () => {
    const key = { 'idempotency-key': `twice-${payment.id}` };
    const twice = (fields: object) =>
      merchant.api.post(`/payments/${payment.id}/refunds`, { amount: RETURNED, ...fields }, key);
    expect(await twice({})).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
    const { id } = dataOf<RefundAnswer>(await twice({ confirm: true }));
    await eventually(async () => expect(await read(`/refunds/${id}`)).toMatchObject({ status: 'failed' }));
    await reaches({ status: 'completed', amount_refunded: RETURNED });
    expect(books()).toEqual([['captured', CAPTURED * 100, RETURNED * 100]]);
    const amounts = 'payment.amounts_changed';
    expect(typesOf(await news(4))).toEqual(['refund.created', amounts, 'refund.updated', amounts]);
    expect(await read<RefundAnswer>(`/refunds/${id}`)).toMatchObject({ failure_code: expect.any(String) });
  });

  story.step('the dispute is lost, which counts as money returned', async () => {
    provider.defend();
    await eventually(async () => expect(await disputes()).toMatchObject([{ status: 'under_review' }]));
    provider.lose();
    await eventually(async () => expect(await disputes()).toMatchObject([{ status: 'lost', kind: 'chargeback' }]));
    await reaches({ status: 'completed', disputed_amount: RETURNED });
    const types = typesOf(
      await eventually(async () => {
        const found = await following(merchant.api, cursor);
        return found.events.at(-1)?.type === 'dispute.closed' && found.events;
      }),
    );
    expect([new Set(types.slice(0, -1)), types.at(-1)]).toEqual([new Set(['dispute.updated']), 'dispute.closed']);
    await eventually(async () =>
      expect(await metric(`dispute_changes_total{provider="${name}",status="lost"} 1`)).toBe(true),
    );
    const found = await reconcile(api);
    expect(found).toMatchObject({ disagreements: [], unknown: [] });
    const [returned, unlisted] = provider.listsCharges ? [1, 0] : [0, 1];
    expect([found.returnedByDispute, found.unlisted.length]).toEqual([returned, unlisted]);
  });

  story.step('the payment had two webhooks, needs no person, and has no open operation', async () => {
    expect(webhooks().map(({ status }) => status)).toEqual(['processing', 'completed']);
    expect((await merchant.history(payment.id)).map(({ to, cause }) => [to, cause])).toEqual([
      ['processing', 'provider_answer'],
      ['completed', provider.answersAtOnce ? 'capture_requested' : 'provider_notification'],
    ]);
    const alarms = await read(`/providers/notifications?shop_id=${shop.id}&outcome=alarm`);
    // the refund failed while it was pending, which its client sees
    expect(alarms).toEqual([]);
    expect(await read(`/providers/notifications?shop_id=${shop.id}&outcome=waiting`)).toEqual([]);
    const states = ['charge confirmed', 'capture confirmed', 'refund confirmed', 'refund refused'];
    expect(await statesOf()).toEqual(states);
  });

  it('the payment goes through all steps', () => story.run());
});
