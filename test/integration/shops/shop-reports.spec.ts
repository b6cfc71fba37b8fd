import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { DECLINES } from '../../../src/payments/shop-reports/shop-reports.queries.js';
import { SystemClock } from '../../../src/shared/clock.js';
import { type ShopOutcome, ShopOutcomesService } from '../../../src/shops/shop-outcomes.service.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';

interface Report {
  health: { status: string };
  unhealthy_until: string | null;
  health_rule: object;
  last_hour: object;
  minutes: { at: string; approved: number; declined: number; failed: number }[];
  declines: { since: string; configuration_faults: object; codes: object[] };
}

const MINUTE = 60_000;
const DAY = 86_400_000;

let api: TestApi;
let merchant: Merchant;
let shop: ShopAnswer;
let made = 0;
/** The time of the clock. */
let now: number;

beforeAll(async () => {
  api = await startApi();
  merchant = new Merchant(await api.login());
  jest.spyOn(SystemClock.prototype, 'now').mockImplementation(() => new Date(now));
});
afterAll(() => api.stop());
beforeEach(async () => {
  now = Math.ceil(Date.now() / MINUTE) * MINUTE;
  shop = await merchant.createShop(`Shop ${++made}`);
});

const report = async (): Promise<Report> => dataOf(await merchant.api.get(`/shops/${shop.id}/stats`));
const record = async (outcome: ShopOutcome, times = 1): Promise<void> => {
  const outcomes = api.get(ShopOutcomesService);
  for (let time = 0; time < times; time++) {
    await api.get(Database).transaction((transaction) => outcomes.record(transaction, shop.id, outcome));
  }
};
/** Moves all earlier attempts back by this number of days; tokens stay valid. */
const daysPass = (days: number) =>
  api.database.pool.query(`UPDATE payment_attempts SET ended_at = ended_at - $1 * interval '1 day'`, [days]);

describe('the last hour of a shop', () => {
  it('consists of sixty minutes and their sum', async () => {
    await record('approved', 3);
    now += 2 * MINUTE;
    await record('declined');
    const { minutes, last_hour: hour } = await report();
    expect(minutes).toHaveLength(60);
    expect(minutes.at(-1)).toEqual({ at: new Date(now).toISOString(), approved: 0, declined: 1, failed: 0 });
    expect(minutes.at(-2)).toMatchObject({ approved: 0, declined: 0, failed: 0 });
    expect(minutes.at(-3)).toMatchObject({ approved: 3, declined: 0, failed: 0 });
    expect(hour).toEqual({ approved: 3, declined: 1, failed: 0, approval_rate: 0.75 });
  });

  it('contains no rate without outcomes', async () => {
    const { last_hour: hour, declines, unhealthy_until: until, health_rule: rule } = await report();
    expect(hour).toEqual({ approved: 0, declined: 0, failed: 0, approval_rate: null });
    const faults = { last_day: 0, last_week: 0 };
    expect(declines).toEqual({
      since: new Date(now - 7 * DAY).toISOString(),
      configuration_faults: faults,
      codes: [],
    });
    expect(until).toBeNull();
    expect(rule).toEqual({ window_minutes: 5, min_outcomes: 10, fault_share: 0.5, cool_down_seconds: 60 });
  });

  it('shows until when routing excludes the shop', async () => {
    await record('failed', 10);
    const unhealthy = await report();
    expect(unhealthy.health.status).toBe('unhealthy');
    expect(unhealthy.unhealthy_until).toBe(new Date(now + MINUTE).toISOString());
    now += MINUTE;
    expect(await report()).toMatchObject({ health: { status: 'probing' }, unhealthy_until: null });
  });
});

describe('the decline reasons of a shop', () => {
  it('add up by code for a day and a week, including charges with failover', async () => {
    const [other, flow] = [await merchant.createShop(`Shop ${++made}`), `flow ${made}`];
    await merchant.createFlow(flow, [shop.id]);
    await merchant.pay(flow, { payment_method: { token: 'tok_decline' } });
    await merchant.pay(flow, { payment_method: { token: 'tok_decline' } });
    await daysPass(3);
    await merchant.pay(flow, { payment_method: { token: 'tok_decline' } });
    await merchant.pay(flow, { payment_method: { token: 'tok_soft_decline' } });
    await merchant.pay(flow, { payment_method: { token: 'tok_nobody' } });
    await merchant.pay(flow);
    const { declines } = await report();
    expect(declines.codes).toEqual([
      { code: 'card_declined', party: 'issuer', last_day: 1, last_week: 3 },
      { code: 'issuer_unavailable', party: 'issuer', last_day: 1, last_week: 1 },
      { code: 'payment_method_unusable', party: 'configuration', last_day: 1, last_week: 1 },
    ]);
    expect(declines.configuration_faults).toEqual({ last_day: 1, last_week: 1 });
    await daysPass(8);
    expect((await report()).declines.codes).toEqual([]);
    const otherReport = dataOf<Report>(await merchant.api.get(`/shops/${other.id}/stats`));
    expect(otherReport.declines.codes).toEqual([]);
  });

  it('need only their index', async () => {
    const { pool } = api.database;
    await pool.query(
      `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, outcome, decline_code, started_at, ended_at)
       SELECT 1000000 + n, 1, 9000 + n % 5, 'sandbox', CASE WHEN n % 6 = 0 THEN 'declined' ELSE 'approved' END,
         CASE WHEN n % 6 = 0 THEN 'card_declined' END, now(), now() FROM generate_series(1, 10000) n`,
    );
    await pool.query('VACUUM ANALYZE payment_attempts');
    const values = [9001, new Date(now - 7 * DAY), new Date(now - DAY), 20_000, 50];
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${DECLINES.text}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('Index Only Scan using payment_attempts_declines');
  });
});
