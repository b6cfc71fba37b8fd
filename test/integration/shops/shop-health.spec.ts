import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { tidy } from '../../../src/platform/counters/counter.js';
import { DECLINES } from '../../../src/insights/shop-reports/shop-reports.queries.js';
import { SHOP_OUTCOMES } from '../../../src/shops/shop-outcomes-sql.js';
import { SystemClock } from '../../../src/shared/clock.js';
import { type ShopOutcome, ShopOutcomesService } from '../../../src/shops/shop-outcomes.service.js';
import { ShopStatsService } from '../../../src/shops/shop-stats.service.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';

let api: TestApi;
let merchant: Merchant;
let shop: ShopAnswer;
let made = 0;
/** The time of the clock: first the next full minute, so that windows begin at a known time. */
let now: number;

beforeAll(async () => {
  api = await startApi({ PROVIDER_TIMEOUT_MS: '2500' });
  merchant = new Merchant(await api.login());
  jest.spyOn(SystemClock.prototype, 'now').mockImplementation(() => new Date(now));
});
afterAll(() => api.stop());

beforeEach(async () => {
  now = Math.ceil(Date.now() / 60_000) * 60_000;
  shop = await merchant.createShop(`Shop ${++made}`);
});

const MINUTE = 60_000;
const DAY = 86_400_000;
const wait = (ms: number) => (now += ms);
const record = async (outcome: ShopOutcome, times = 1, shopId = shop.id) => {
  for (let time = 0; time < times; time++) {
    await api
      .get(Database)
      .transaction((transaction) => api.get(ShopOutcomesService).record(transaction, shopId, outcome));
  }
};
const health = async (id = shop.id) =>
  dataOf<{ health: { status: string; since: string | null; window: unknown } }>(await merchant.api.get(`/shops/${id}`))
    .health;
const warnings = async () => dataOf<{ warnings: object[] }>(await merchant.api.get(`/shops/${shop.id}`)).warnings;
const time = (ms: number) => new Date(ms).toISOString();

describe('a shop’s health', () => {
  it('counts outcomes that the shop is responsible for, for five minutes', async () => {
    await record('approved', 3);
    await record('declined', 2);
    wait(4 * MINUTE);
    await record('failed');
    expect(await health()).toEqual({ status: 'healthy', since: null, window: { approved: 3, declined: 2, failed: 1 } });
    wait(MINUTE);
    expect((await health()).window).toEqual({ approved: 0, declined: 0, failed: 1 });
  });

  it('turns unhealthy at five of ten faults, half-open after a minute, and healthy after a successful payment', async () => {
    await record('approved', 5);
    await record('failed', 4);
    expect(await health()).toMatchObject({ status: 'healthy', since: null });
    const began = now;
    await record('failed');
    expect(await health()).toEqual({
      status: 'unhealthy',
      since: time(began),
      window: { approved: 5, declined: 0, failed: 5 },
    });
    wait(MINUTE - 1);
    // payments that were sent earlier neither prolong nor end the outage
    await record('failed');
    await record('approved');
    expect((await health()).status).toBe('unhealthy');
    wait(1);
    expect(await health()).toMatchObject({ status: 'probing', since: time(began + MINUTE) });
    await record('failed');
    expect(await health()).toMatchObject({ status: 'unhealthy', since: time(began) });
    wait(MINUTE);
    expect((await health()).status).toBe('probing');
    wait(30 * MINUTE);
    expect((await health()).status).toBe('probing'); // no outcome is no recovery
    await record('declined'); // it works: the customer's bank declined
    expect(await health()).toMatchObject({ status: 'healthy', since: time(now) });
  });

  it('starts a new count after an outage', async () => {
    await record('failed', 12);
    wait(MINUTE);
    await record('approved');
    await record('failed', 8);
    expect(await health()).toMatchObject({ status: 'healthy', window: { approved: 1, failed: 8 } });
    await record('failed', 1);
    expect(await health()).toMatchObject({ status: 'unhealthy', since: time(now) });
  });

  it('needs one statement for many shops, and returns only those with outcomes', async () => {
    const other = await merchant.createShop(`Shop ${++made}`);
    const silent = await merchant.createShop(`Shop ${++made}`);
    await record('failed', 10);
    await record('approved', 2, other.id);
    const ids = [shop.id, other.id, silent.id];
    const statsByShop = api.get(ShopStatsService);
    const failing = { approved: 0, declined: 0, failed: 10, health: 'unhealthy' };
    expect([...(await statsByShop.statsOf(ids))]).toEqual([
      [shop.id, failing],
      [other.id, { approved: 2, declined: 0, failed: 0, health: 'healthy' }],
    ]);
    expect([...(await statsByShop.outages(ids))]).toEqual([[shop.id, failing]]);
  });

  it('counts every one of many concurrent outcomes', async () => {
    const outcomes = Array.from({ length: 60 }, (_, index): ShopOutcome => (index % 3 === 0 ? 'failed' : 'approved'));
    await Promise.all(outcomes.map((outcome) => record(outcome)));
    expect((await health()).window).toEqual({ approved: 40, declined: 0, failed: 20 });
  });

  const pruned = () => tidy(api.database.database, SHOP_OUTCOMES, 1_000, new Date(now));
  const kept = async (): Promise<object[]> => {
    const counts = 'sum(approved)::int AS approved, sum(declined)::int AS declined, sum(failed)::int AS failed';
    return (await api.database.pool.query<object>(`SELECT ${counts} FROM shop_outcomes WHERE shop_id = $1`, [shop.id]))
      .rows;
  };

  it('stays in an outage after a payment method that the account does not have', async () => {
    await record('failed', 10);
    wait(2 * MINUTE);
    await record('unusable');
    expect((await health()).status).toBe('probing');
    await record('declined');
    expect((await health()).status).toBe('healthy');
  });

  it('deletes outcomes that are older than the window', async () => {
    for (const outcome of ['approved', 'approved', 'declined', 'failed'] as const) await record(outcome);
    wait(61 * MINUTE);
    await record('approved');
    expect(await pruned()).toBeGreaterThan(0);
    expect(await pruned()).toBe(0);
    expect(await kept()).toEqual([{ approved: 1, declined: 0, failed: 0 }]);
  });
});

describe('payments', () => {
  const answering = (token: string) =>
    merchant.createShop(`Shop ${++made}`, { provider_credentials: { simulate: token } });

  it.each([
    ['tok_success', { approved: 1, declined: 0, failed: 0 }],
    ['tok_decline', { approved: 0, declined: 1, failed: 0 }],
    ['tok_soft_decline', { approved: 0, declined: 1, failed: 0 }],
    ['tok_unavailable', { approved: 0, declined: 0, failed: 1 }],
    ['tok_timeout', { approved: 0, declined: 0, failed: 1 }],
    ['tok_pending', { approved: 0, declined: 0, failed: 0 }],
  ])('%s count as %j', async (token, window) => {
    const { id } = await answering(token);
    await merchant.createFlow(`flow ${made}`, [id]);
    await merchant.pay(`flow ${made}`);
    expect((await health(id)).window).toEqual(window);
  });

  it('with a payment method that the account does not have count as a warning only', async () => {
    await merchant.createFlow(`flow ${made}`, [shop.id]);
    await merchant.pay(`flow ${made}`, { payment_method: { token: 'tok_misspelt' } });
    await merchant.pay(`flow ${made}`, {
      payment_method: { options: [{ provider: 'sandbox', token: 'tok_misspelt' }] },
    });
    expect((await health()).window).toEqual({ approved: 0, declined: 0, failed: 0 });
    expect(await warnings()).toEqual([{ code: 'payment_method_unusable', since: time(now), payments: 2 }]);
    // as a key without a permission at Stripe would have refused the second
    await api.database.pool.query(
      `UPDATE payment_attempts SET decline_code = 'permission_missing'
        WHERE payment_id = (SELECT max(payment_id) FROM payment_attempts WHERE shop_id = $1)`,
      [shop.id],
    );
    expect(await warnings()).toMatchObject([
      { code: 'payment_method_unusable', payments: 1 },
      { code: 'permission_missing', payments: 1 },
    ]);
    await daysPass(2);
    expect(await warnings()).toEqual([]);
  });

  it('count once when the provider’s notification settles them', async () => {
    await merchant.createFlow(`flow ${made}`, [shop.id]);
    const payment = await merchant.pay(`flow ${made}`, { payment_method: { token: 'tok_pending' } });
    await merchant.notify(payment, { id: `evt_a_${made}`, status: 'completed' });
    await merchant.notify(payment, { id: `evt_b_${made}`, status: 'completed' });
    expect((await health()).window).toEqual({ approved: 1, declined: 0, failed: 0 });
  });

  it('skip a failing shop, and use it again while it is half-open', async () => {
    const [failing, working] = [await answering('tok_unavailable'), shop];
    const flow = `flow ${made}`;
    const shops = [failing, working].map(({ id }, index) => ({ shop_id: id, priority: index + 1 }));
    dataOf(await merchant.api.post('/flows', { name: flow, strategy: 'priority', shops, max_attempts: 2 }));
    const firstTried = async (payments: number) => {
      let count = 0;
      for (let payment = 0; payment < payments; payment++) {
        const { id, status } = await merchant.pay(flow);
        expect(status).toBe('completed');
        const attempts = dataOf<unknown[]>(await merchant.api.get(`/payments/${id}/attempts`));
        if (attempts.length === 2) count++;
      }
      return count;
    };
    expect(await firstTried(12)).toBe(10);
    wait(MINUTE);
    await merchant.api.patch(`/shops/${failing.id}`, { provider_credentials: { simulate: null } });
    // one in twenty is let through: the probability of none among these is negligible
    let probes = 0;
    while ((await health(failing.id)).status === 'probing' && probes++ < 500) await merchant.pay(flow);
    expect(await health(failing.id)).toMatchObject({ status: 'healthy', window: { approved: 1 } });
  });

  it('still go to the only shop, for any number of its failures', async () => {
    const { id } = await answering('tok_unavailable');
    const flow = `flow ${made}`;
    await merchant.createFlow(flow, [id]);
    for (let payment = 0; payment < 12; payment++) expect((await merchant.pay(flow)).shop.id).toBe(id);
    expect((await health(id)).status).toBe('unhealthy');
  });
});

interface Report {
  health: { status: string };
  unhealthy_until: string | null;
  health_rule: object;
  last_hour: object;
  minutes: { at: string; approved: number; declined: number; failed: number }[];
  declines: { since: string; configuration_faults: object; codes: object[] };
}

const report = async (): Promise<Report> => dataOf(await merchant.api.get(`/shops/${shop.id}/stats`));
/** Moves all earlier attempts back by this number of days; tokens stay valid. */
const daysPass = (days: number) =>
  api.database.pool.query(`UPDATE payment_attempts SET started_at = started_at - $1 * interval '1 day'`, [days]);

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
    expect(hour).toEqual({ approved: 3, declined: 1, failed: 0, routing_rate: 0.75, approval_rate: 0.75 });
  });

  it('contains no rate without outcomes', async () => {
    const { last_hour: hour, declines, unhealthy_until: until, health_rule: rule } = await report();
    expect(hour).toEqual({ approved: 0, declined: 0, failed: 0, routing_rate: null, approval_rate: null });
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
         CASE WHEN n % 6 = 0 THEN 'card_declined' END, now(), now() FROM generate_series(1, 4000) n`,
    );
    const values = [9001, new Date(now - 7 * DAY), new Date(now - DAY), 20_000, 50];
    // a snapshot of another connection may keep a VACUUM from marking the pages
    await eventually(async () => {
      await pool.query('VACUUM ANALYZE payment_attempts');
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${DECLINES.text}`, values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('Index Only Scan using payment_attempts_declines_by_start');
    });
  });
});
