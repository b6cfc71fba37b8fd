import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { CODES_LEFT_OUT, type SegmentCellRow, segmentCells } from '../../../src/flows/routing/segment-cells.queries.js';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { earlyIn, HOUR_MS } from '../../support/early-in.js';
import { age, aRetention } from '../retention/archive-harness.js';
import { countingJobs } from './counting-harness.js';

// "Approval rate" is the share of approved attempts among the ended ones; the attempts of a shop are counted once, in
// `approval_cells`. "Routing rate" leaves out what the shop is not responsible for. A rollout compares payments.

interface Counts {
  approved: number;
  declined: number;
  failed: number;
}
interface Cell extends Counts {
  shop_id: number;
  pending: number;
  approval_rate: { estimate: number } | null;
  decline_codes: { code: string; count: number }[];
}
interface Report {
  last_hour: Counts & { routing_rate: number | null };
  declines: { codes: { code: string; party: string; last_day: number; last_week: number }[] };
}

let api: TestApi;
let merchant: Merchant;
let shops: ShopAnswer[];
let rolloutPath: string;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await api.database.pool.query<Row>(text, values)).rows;
const get = async <T>(path: string): Promise<T> => dataOf(await merchant.api.get(path));
const pay = (token: string, fields: object = {}): Promise<PaymentAnswer> =>
  merchant.pay('checkout', { payment_method: { token }, ...fields });

/** A payment that the first shop declines because of the payer's card. */
function declinedByPayer(): Promise<PaymentAnswer> {
  jest
    .spyOn(api.get(SandboxProvider), 'charge')
    .mockResolvedValueOnce({ outcome: 'declined', declineCode: 'insufficient_funds' });
  return pay('tok_decline');
}

/** Moves a payment back, as if its attempts had begun and ended then. */
async function moveBack({ id }: PaymentAnswer, interval: string): Promise<void> {
  await query('UPDATE payment_attempts SET started_at = started_at - $2::interval WHERE payment_id = $1', [
    id,
    interval,
  ]);
  await query('UPDATE attempt_changes SET started_at = started_at - $2::interval WHERE payment_id = $1', [
    id,
    interval,
  ]);
}

beforeEach(async () => {
  await earlyIn(HOUR_MS);
  merchant = new Merchant(await api.loginAsAnotherMerchant());
  shops = [await merchant.createShop('Berlin'), await merchant.createShop('Zürich')];
  const strategy = { strategy: 'priority', max_attempts: 2 };
  const body = { ...strategy, shops: shops.map(({ id }, index) => ({ shop_id: id, priority: index + 1 })) };
  const { id } = dataOf<{ id: number }>(await merchant.api.post('/flows', { name: 'checkout', ...body }));
  await merchant.api.post(`/flows/${id}/versions`, body);
  const rollout = { version: 2, percent: 50, key: 'payment' };
  const started = dataOf<{ id: number }>(await merchant.api.post(`/flows/${id}/rollouts`, rollout));
  rolloutPath = `/flows/${id}/rollouts/${started.id}`;
});

/** Payments with every kind of attempt; the payments that count in a rollout, and how. */
async function everyKind(): Promise<void> {
  for (let order = 0; order < 3; order++) await pay('tok_success');
  const refunded = await pay('tok_success');
  await merchant.api.post(`/payments/${refunded.id}/refund`, {});
  expect((await merchant.payment(refunded.id)).status).toBe('refunded');
  for (let order = 0; order < 2; order++) await pay('tok_decline');
  await declinedByPayer();
  await pay('tok_soft_decline');
  await pay('tok_misspelt');
  await pay('tok_pending');
  jest.spyOn(api.get(SandboxProvider), 'charge').mockResolvedValueOnce({ outcome: 'unavailable', reason: 'down' });
  expect((await pay('tok_success')).shop.id).toBe(shops[1]!.id);
}

const sumOf = (counts: Counts[]): Counts => ({
  approved: counts.reduce((sum, { approved }) => sum + approved, 0),
  declined: counts.reduce((sum, { declined }) => sum + declined, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
});

/** The outcomes of a shop at each place that shows them. */
async function everywhere(shopId: number) {
  const counts = ({ approved, declined, failed }: Counts): Counts => ({ approved, declined, failed });
  const overview = await get<{ approvals: { shops: (Counts & { shop_id: number; hours: Counts[] })[] } }>(
    '/insights/overview',
  );
  const inOverview = overview.approvals.shops.find(({ shop_id: id }) => id === shopId)!;
  const { cells } = await get<{ cells: Cell[] }>('/insights/approvals');
  const bySegment = await get<{ cells: Cell[] }>('/insights/approvals?by=currency,card.scheme');
  const cell = cells.find(({ shop_id: id }) => id === shopId)!;
  const behind = async (outcome: string): Promise<number> => {
    const payments = await get<{ attempts: object[] }[]>(
      `/insights/approvals/payments?shop_id=${shopId}&outcome=${outcome}`,
    );
    return payments.reduce((sum, { attempts }) => sum + attempts.length, 0);
  };
  return {
    cell,
    overview: counts(inOverview),
    hours: sumOf(inOverview.hours),
    approvals: counts(cell),
    segments: sumOf(bySegment.cells.filter(({ shop_id: id }) => id === shopId)),
    payments: {
      approved: await behind('approved'),
      declined: await behind('declined'),
      failed: await behind('failed'),
    },
    report: await get<Report>(`/shops/${shopId}/stats`),
    warnings: (await get<{ warnings: { code: string; payments: number }[] }>(`/shops/${shopId}`)).warnings,
  };
}

it.each(['log', 'cells'])(
  'all places agree about the approvals of a shop, with its attempts in the %s',
  async (place) => {
    // ids are in the order of time
    const archived = await pay('tok_success');
    await moveBack(archived, '400 days');
    await age(api, [archived.id]);
    await everyKind();
    const yesterday = await pay('tok_decline');
    await moveBack(yesterday, '25 hours');
    const jobs = countingJobs(api.database);
    if (place === 'cells') await jobs.count();
    expect(await (await aRetention(api, undefined)).walk()).toBe(1);

    const expected = [
      { approved: 4, declined: 5, failed: 1 },
      { approved: 1, declined: 1, failed: 0 },
    ];
    for (const [index, { id }] of shops.entries()) {
      const { cell, overview, hours, approvals, segments, payments, report, warnings } = await everywhere(id);
      expect({ overview, hours, approvals, segments, payments }).toEqual({
        overview: expected[index],
        hours: expected[index],
        approvals: expected[index],
        segments: expected[index],
        payments: expected[index],
      });
      const { approved, declined, failed } = approvals;
      expect(cell.approval_rate!.estimate).toBeCloseTo(approved / (approved + declined + failed), 4);
      expect(cell.pending).toBe(index === 0 ? 1 : 0);
      // declines by code: the same ones, and those of the days before in the week
      const { codes } = report.declines;
      const dayCodes = codes
        .filter(({ last_day: day }) => day > 0)
        .map(({ code, last_day: count }) => ({ code, count }));
      expect(dayCodes.sort(byCode)).toEqual(cell.decline_codes.toSorted(byCode));
      expect(codes.reduce((sum, { last_week: week }) => sum + week, 0)).toBe(declined + (index === 0 ? 1 : 0));
      const unusable = codes.find(({ party }) => party === 'configuration')?.last_day ?? 0;
      expect(warnings.map(({ payments: count }) => count)).toEqual(unusable > 0 ? [unusable] : []);
      // the routing rate: without declines by the payer and for a missing payment method
      const byPayers = codes.find(({ party }) => party === 'payer')?.last_day ?? 0;
      expect(byPayers).toBe(index === 0 ? 1 : 0);
      const { routing_rate: rate, ...hour } = report.last_hour;
      // live: it also has the outcomes of this hour whose attempts were moved back
      const moved = { approved: index === 0 ? 1 : 0, declined: index === 0 ? 1 : 0 };
      const expectedHour = {
        approved: approved + moved.approved,
        declined: declined - byPayers - unusable + moved.declined,
        failed,
      };
      expect(hour).toMatchObject(expectedHour);
      expect(rate).toBeCloseTo(
        expectedHour.approved / (expectedHour.approved + expectedHour.declined + expectedHour.failed),
        10,
      );
    }

    if (place !== 'cells') return;
    // routing by segments: the same cells, with the same exceptions
    const [shop] = await query<{ merchant_id: number }>('SELECT merchant_id FROM shops WHERE id = $1', [shops[0]!.id]);
    const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
    const values = [shop!.merchant_id, false, shops.map(({ id }) => id), hour, CODES_LEFT_OUT, 1_000];
    const rates = await api.database.database.query<SegmentCellRow>(segmentCells(['currency']), values);
    const total = rates.filter(({ first }) => first === null).sort((one, other) => one.shop_id - other.shop_id);
    const yesterdays = 0.5 ** (25 / 12);
    expect(total).toMatchObject([
      { approved: 4, others: expect.closeTo(3 + 1 + yesterdays, 6) },
      { approved: 1, others: 1 },
    ]);
    // a rollout: payments, once each, and also those of the days before
    const { comparison } = await get<{ comparison: { versions: Counts[] } }>(rolloutPath);
    const compared = comparison.versions.reduce(
      (sum, { approved, declined }) => [sum[0]! + approved, sum[1]! + declined],
      [0, 0],
    );
    expect(compared).toEqual([6, 6]);
  },
);

const byCode = (one: { code: string }, other: { code: string }): number => one.code.localeCompare(other.code);
