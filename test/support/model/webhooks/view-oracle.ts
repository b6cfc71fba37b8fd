import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { eventually } from '../../eventually.js';
import type { WebhookHistory } from './history.js';
import { isOriginOf, type Evidence } from './oracle.js';
import type { Delivery, Listed, WebhookViews } from './views.js';
import { statusOf } from './webhook-harness.js';

const RECENT = 20;
const FINAL = ['failed', 'cancelled', 'refunded'];
const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
const idsOf = (rows: readonly { id: number }[]): string => rows.map(({ id }) => id).join(' ');
const newestFirst = (one: { id: number }, other: { id: number }): number => other.id - one.id;

/** Checks that every change of status has its delivery, and that `GET /events` returns both. */
export async function wrongChanges(
  history: WebhookHistory,
  views: WebhookViews,
  { deliveries }: Evidence,
): Promise<string[]> {
  const wrong: string[] = [];
  const events = await views.events();
  for (const payment of history.payments) {
    const past = await history.merchant.history(payment.id);
    const changes = past.filter(({ from, to }) => from !== to).map(({ to }) => to);
    const reported = events.filter((one) => one.type === 'payment.status_changed' && one.payment_id === payment.id);
    const own = deliveries.filter((one) => one.payment_id === payment.id).reverse();
    const changed = changes.join();
    const statuses = own.map((one) => one.payment_status).join();
    const reportedStatuses = reported.map(({ data }) => (data['payment'] as { status: string }).status).join();
    if (statuses !== (payment.webhook_endpoint === null ? '' : changed))
      wrong.push(`payment ${payment.id} changed to ${changed}, deliveries have ${statuses}`);
    if (reportedStatuses !== changed)
      wrong.push(`payment ${payment.id} changed to ${changed}, events have ${reportedStatuses}`);
    const isErased = history.erased.has(payment.customer?.['id'] as number);
    const { webhook_endpoint: address, status } = await history.merchant.payment(payment.id);
    const isCut = address !== null && isErased && FINAL.includes(status);
    if (!(isCut ? isOriginOf(address, payment.webhook_endpoint!) : address === payment.webhook_endpoint))
      wrong.push(`payment ${payment.id}, ${status}, erased: ${isErased}, has the address ${address}`);
    for (const [index, { request_body: body }] of own.entries()) {
      if (isErased !== (body === '')) wrong.push(`a body of payment ${payment.id}, erased: ${isErased}, is ${body}`);
      if (body !== '' && JSON.stringify(reported[index]?.data) !== body)
        wrong.push(`an event of ${payment.id} has another body`);
    }
  }
  if (new Set(events.map(({ id }) => id)).size < events.length) wrong.push('an event is returned twice');
  return [
    ...wrong,
    ...wrongFailures(
      history,
      events.filter(({ type }) => type === 'delivery.failed'),
      deliveries,
    ),
  ];
}

function wrongFailures(
  history: WebhookHistory,
  events: readonly { data: Record<string, unknown> }[],
  deliveries: readonly Delivery[],
): string[] {
  return deliveries.flatMap((delivery) => {
    const ends = events
      .filter(({ data }) => data['delivery_id'] === delivery.id)
      .map(({ data }) => Number(data['attempts']));
    const addresses = events
      .filter(({ data }) => data['delivery_id'] === delivery.id)
      .map(({ data }) => String(data['webhook_endpoint']));
    if (addresses.some((one) => !/^http:\/\/127\.0\.0\.1:\d+$/i.test(one)))
      return [`delivery ${delivery.id} is reported as failed at ${addresses.join()}`];
    const isRetried = history.retries.some((retry) => retry.delivery === delivery.id);
    const attempts = delivery.attempts.map((one) => one.status_code);
    const expected: number[] = [];
    let inRun = 0;
    for (const [index, code] of attempts.entries()) {
      inRun = isSuccess(code) ? 0 : inRun + 1;
      if (code === 410 || inRun === 4) expected.push(index + 1);
      if (code === 410 || inRun === 4) inRun = 0;
    }
    // a retry of a pending delivery can begin a run at any attempt
    const isRight = isRetried
      ? (delivery.status === 'failed') === (ends.at(-1) === attempts.length) &&
        ends.every((number) => number <= attempts.length && !isSuccess(attempts[number - 1]!))
      : ends.join() === expected.join();
    return isRight
      ? []
      : [`delivery ${delivery.id} with ${attempts.join()} is reported as failed at attempts ${ends.join()}`];
  });
}

/** Checks that lists and statistics agree, with any filter. */
export async function wrongLists(
  history: WebhookHistory,
  views: WebhookViews,
  listed: readonly Listed[],
): Promise<string[]> {
  const wrong: string[] = [];
  const same = (what: string, found: readonly { id: number }[], isIn: (one: Listed) => boolean): void => {
    const expected = listed.filter(isIn);
    if (idsOf(found) !== idsOf(expected)) wrong.push(`${what} has ${idsOf(found)} instead of ${idsOf(expected)}`);
  };
  same('the list', listed, () => true);
  if (idsOf([...listed].sort(newestFirst)) !== idsOf(listed)) wrong.push('the list is out of order');
  if (new Set(listed.map((one) => one.webhook_id)).size < listed.length) wrong.push('a webhook-id is there twice');
  if (
    listed
      .map(({ id }) => id)
      .sort((one, other) => one - other)
      .join() !== (await history.deliveryIds()).join()
  )
    wrong.push('the list is not complete');
  for (const status of ['pending', 'delivered', 'failed'] as const) {
    same(status, await views.deliveries({ status, limit: 3 }), (one) => one.status === status);
    const { id } = history.shops[0]!;
    const byShop = await views.all<Listed>(`/webhooks/shop/${id}/deliveries`, { status, limit: 7 });
    same(`${status} of a shop`, byShop, (one) => one.status === status && one.shop_id === id);
  }
  for (const endpoint of new Set(listed.map((one) => one.webhook_endpoint)))
    same(
      endpoint,
      await views.deliveries({ webhook_endpoint: endpoint, limit: 5 }),
      (one) => one.webhook_endpoint === endpoint,
    );
  const middle = listed[Math.floor(listed.length / 2)];
  if (middle) {
    const { created_at: from, payment_id } = middle;
    same('from', await views.deliveries({ from, limit: 4 }), (one) => one.created_at >= from);
    same('to', await views.deliveries({ to: from, limit: 4 }), (one) => one.created_at < from);
    same('of a payment', await views.deliveries({ payment_id, limit: 1 }), (one) => one.payment_id === payment_id);
  }
  for (const { id, payments, withWebhooks, secrets } of history.shops) {
    const stats = await views.stats(id);
    const counted = [stats.total_payments, stats.payments_with_webhooks].join();
    if (counted !== [payments, withWebhooks].join())
      wrong.push(`shop ${id} counts ${counted} instead of ${payments}, ${withWebhooks}`);
    const recent = listed.filter((one) => one.shop_id === id).slice(0, RECENT);
    if (idsOf(stats.recent_webhooks) !== idsOf(recent))
      wrong.push(`shop ${id} has recent ${idsOf(stats.recent_webhooks)}`);
    if (!secrets.current(Date.now()).includes(stats.webhook_secret)) wrong.push(`shop ${id} shows another secret`);
  }
  return wrong;
}

/** Counts of endpoints are up to two seconds late. A worker whose connection broke may have lost or doubled some. */
export async function wrongEndpoints(
  history: WebhookHistory,
  views: WebhookViews,
  { deliveries }: Evidence,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const { id } of history.shops) {
    const own = deliveries.filter((one) => one.shop_id === id).flatMap(({ attempts }) => attempts);
    const expected = [own.length, own.filter((one) => isSuccess(one.status_code)).length, 0].join();
    const counted = async (): Promise<string> => {
      const endpoints = (await views.endpoints()).filter((one) => one.shop_id === id);
      const sum = (field: 'attempts' | 'delivered' | 'pending'): number =>
        endpoints.reduce((total, endpoint) => total + endpoint[field], 0);
      return [sum('attempts'), sum('delivered'), sum('pending')].join();
    };
    if (history.harness.wasCut) continue;
    await eventually(async () => assert.equal(await counted(), expected), { timeoutMs: 10_000 }).catch(async () =>
      wrong.push(`endpoints of shop ${id} count ${await counted()} instead of ${expected}`),
    );
  }
  return [...wrong, ...(await wrongHealth(history, views, deliveries))];
}

async function wrongHealth(
  history: WebhookHistory,
  views: WebhookViews,
  deliveries: readonly Delivery[],
): Promise<string[]> {
  const { harness, key } = history;
  return (await views.endpoints()).flatMap(({ shop_id, origin, status }) => {
    const latest = harness
      .book(key)
      .filter(
        ({ request }) => request.headers['webhook-shop-id'] === String(shop_id) && !request.headers['webhook-test'],
      )
      .filter((one) => one.origin === harness.originOf(origin))
      .at(-1);
    const delivery = deliveries.find((one) => one.webhook_id === latest?.request.headers['webhook-id']);
    if (!latest || delivery === undefined) return [];
    const isFine = isSuccess(statusOf(latest.behaviour));
    const isFirstAttempt = delivery.attempts.length < 2 && delivery.status !== 'failed';
    if (isFirstAttempt || (status === 'healthy') === isFine) return [];
    return [`endpoint ${origin} of shop ${shop_id} is ${status}, its last answer was ${latest.behaviour}`];
  });
}

/** Checks that the answers of tests match the received requests. */
export function wrongTests({ tests, harness, key }: WebhookHistory): string[] {
  return tests.flatMap(({ shop, answer, from, to }) => {
    const got = harness
      .book(key)
      .filter(
        ({ request }) =>
          request.headers['webhook-test'] === 'true' && request.arrivedAt >= from && request.arrivedAt <= to,
      )
      .filter(({ request }) => request.headers['webhook-shop-id'] === String(shop.id))
      .filter(({ request }) => request.body.toString() === answer.request_body);
    const wrong: string[] = [];
    if (!got.some(({ request }) => request.headers['signature'] === answer.signature))
      wrong.push('a test was not received as answered');
    const signed = shop.secrets
      .current(from, to)
      .map((secret) => createHmac('sha256', secret).update(answer.request_body).digest('hex'));
    if (!signed.includes(answer.signature)) wrong.push('a test was signed with another secret');
    if (answer.delivered !== isSuccess(answer.status_code))
      wrong.push(`the answer of a test says delivered: ${answer.delivered}`);
    return wrong;
  });
}
