import { isDeepStrictEqual } from 'node:util';
import { makeTasksDue } from '../../app/scheduled-tasks.js';
import { eventually } from '../../eventually.js';
import type { WebhookHistory } from './history.js';
import { mayRecover } from './oracle.js';
import { type Listed, WebhookViews } from './views.js';
import type { WebhookHarness } from './webhook-harness.js';

const TOO_OLD = `interval '200 days'`;

/**
 * Makes half of all deliveries too old to be kept, and retries every other one of them while they are removed: an
 * accepted retry is sent. Newer deliveries do not change, except failed ones of an endpoint that answers again. Everything
 * has drained before.
 */
export async function wrongRetention(harness: WebhookHarness, histories: readonly WebhookHistory[]): Promise<string[]> {
  const before = await Promise.all(histories.map((history) => new WebhookViews(history).deliveries({ limit: 100 })));
  const ids = before
    .flat()
    .map(({ id }) => id)
    .sort((one, other) => one - other);
  const last = ids[Math.floor(ids.length / 2)];
  if (last === undefined) return [];
  for (const history of histories) for (const origin of [0, 1, 2]) harness.behave(history.key, origin, 'fine');
  // ids grow with time, so no earlier delivery is newer
  await harness.query(
    `WITH aged AS (UPDATE webhook_deliveries SET created_at = created_at - ${TOO_OLD},
        last_attempt_at = last_attempt_at - ${TOO_OLD} WHERE id <= $1 AND created_at > now() - interval '1 day' RETURNING id)
      UPDATE webhook_attempts SET started_at = started_at - ${TOO_OLD} WHERE delivery_id IN (SELECT id FROM aged)`,
    [last],
  );
  await makeTasksDue(harness.api.database.pool);
  const retried = new Map<number, number>();
  await Promise.all(
    histories.map(async (history, index) => {
      for (const { id } of before[index]!.filter((_, place) => place % 2 === 0)) {
        if (id > last) continue;
        const { status } = await history.merchant.api.post(`/webhooks/deliveries/${id}/retry`, {});
        retried.set(id, status);
      }
    }),
  );
  await harness.drain(histories.map(({ merchantId }) => merchantId));
  const isKept = ({ id }: Listed): boolean => id > last || retried.get(id) === 202;
  const wrong: string[] = [];
  for (const [index, history] of histories.entries()) {
    const views = new WebhookViews(history);
    const expected = before[index]!.filter(isKept);
    const idsOf = (rows: readonly Listed[]): string => rows.map(({ id }) => id).join(' ');
    const kept = await eventually(
      async () => {
        const rows = await views.deliveries({ limit: 100 });
        return rows.length <= expected.length && rows;
      },
      { timeoutMs: 60_000 },
    ).catch(() => views.deliveries({ limit: 100 }));
    if (idsOf(kept) !== idsOf(expected)) wrong.push(`kept: ${idsOf(kept)}, expected: ${idsOf(expected)}`);
    const retriedAt = new Set(kept.filter(({ id }) => id <= last).map(endpointOf));
    for (const row of kept) {
      const was = before[index]!.find(({ id }) => id === row.id)!;
      const isSentAgain = retriedAt.has(endpointOf(row)) && (await isRecovered(views, was, row));
      if (row.id > last && !isDeepStrictEqual(row, was) && !isSentAgain) wrong.push(`delivery ${row.id} has changed`);
      if (row.id <= last && !(row.status === 'delivered' && row.attempt_count === was.attempt_count + 1))
        wrong.push(`delivery ${row.id} was retried and is ${row.status} after ${row.attempt_count}`);
    }
    for (const shop of history.shops) {
      const { total_payments: payments } = await views.stats(shop.id);
      if (payments !== shop.payments)
        wrong.push(`shop ${shop.id} counts ${payments} payments instead of ${shop.payments}`);
    }
  }
  const unexpected = [...retried].filter(([, status]) => ![202, 404, 409].includes(status));
  return [...wrong, ...unexpected.map(([id, status]) => `a retry of ${id} answers ${status}`)];
}

const endpointOf = ({ shop_id: shop, webhook_endpoint: address }: Listed): string =>
  `${shop} ${new URL(address).origin}`;

/** Whether the recovery of its endpoint sent a failed delivery once more. */
async function isRecovered(
  views: WebhookViews,
  was: Listed,
  { id, status, attempt_count: count }: Listed,
): Promise<boolean> {
  if (was.status !== 'failed' || status !== 'delivered' || count !== was.attempt_count + 1) return false;
  return mayRecover((await views.delivery(id)).attempts.slice(0, -1));
}
