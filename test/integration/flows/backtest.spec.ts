import { describe, expect, it } from '@jest/globals';
import type { RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import type { FeeEntry } from '@payment-orchestrator/routing/facts/fees';
import type { TestDatabase } from '../../support/servers/database.js';
import { type Caller, type FlowsApplication, over, type ProblemBody, withFlows } from './flows-harness.js';
import { generatePayments } from './generated-payments.js';

interface BacktestBody {
  payments: number;
  truncated: boolean;
  first_created_at: string | null;
  last_created_at: string | null;
  shops: { shop_id: number; before: { payments: number; share: number }; after: { payments: number; share: number } }[];
  approval: Record<'before' | 'after' | 'difference', object | null> & { doubt: string | null };
  changed: number;
  without_shop: number;
  moves: { from_shop_id: number; to_shop_id: number | null; payments: number }[];
  differences: { payment_id: number; from_shop_id: number; to_shop_id: number | null; explanation: object }[];
  counter: object | null;
  draws: object | null;
}
interface Flow {
  id: number;
  name: string;
}

describe('a backtest', () => {
  let database: TestDatabase;
  let app: FlowsApplication;
  let merchant: number;
  let call: Caller;
  let alpha: number;
  let beta: number;
  let gamma: number;

  withFlows((flows) => ({ database, app, merchant, call, alpha, beta, gamma } = flows));

  let flowsMade = 0;
  async function aFlow(definition: object = over(alpha, beta)): Promise<Flow> {
    const body = { name: `flow ${++flowsMade}`, ...definition };
    return (await call<{ data: Flow }>('POST', '/flows', body)).body.data;
  }
  async function pay(flow: Flow, request: RoutingRequest, takenBy?: number): Promise<void> {
    const { shop, trace } = await app.routing.route(merchant, flow.name, request);
    await database.pool.query(
      `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, customer_id, payment_session_id, payment_provider,
         amount, currency, country, metadata, decision, created_at, updated_at, expires_at)
       VALUES ($1, $2, $3, 1, $4, 'ps_test', 'sandbox', $5, $6, $7, $8, $9, now(), now(), now())`,
      [
        merchant,
        takenBy ?? shop.id,
        flow.id,
        request.customerId ?? 4_711,
        request.amount,
        request.currency,
        request.country ?? null,
        request.metadata ?? null,
        trace,
      ],
    );
  }
  async function backtest(flow: Flow, request: object): Promise<BacktestBody> {
    const { status, body } = await call<{ data: BacktestBody }>('POST', `/flows/${flow.id}/backtest`, request);
    expect([status, (body as unknown as ProblemBody).errors]).toEqual([200, undefined]);
    return body.data;
  }
  const setFees = (shopId: number, fees: FeeEntry[]) =>
    database.pool.query('UPDATE shops SET fees = $2 WHERE id = $1', [shopId, JSON.stringify(fees)]);
  const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  it('keeps the stored facts about the payment methods', async () => {
    const flow = await aFlow();
    const methods = [{ options: [{ provider: 'sandbox', account: 'eu' }] }, { card: { bin: '41111122' } }, null];
    for (const method of methods) {
      await pay(flow, { amount: 10, currency: 'EUR' });
      await database.pool.query(
        'UPDATE payments SET payment_method = $2 WHERE id = (SELECT max(id) FROM payments WHERE flow_id = $1)',
        [flow.id, method],
      );
    }
    const definition = {
      strategy: 'rules',
      shops: [{ shop_id: alpha }, { shop_id: beta }, { shop_id: gamma }],
      rules: [{ when: { 'card.bin': { starts_with: ['4'] } }, use: { shops: [gamma], strategy: 'priority' } }],
      default: { shops: [alpha, beta], strategy: 'priority' },
    };
    const { shops, without_shop: withoutShop } = await backtest(flow, { definition });
    expect(withoutShop).toBe(1);
    expect(shops.find(({ shop_id: id }) => id === gamma)!.after.payments).toBe(1);
  });

  it('reports the changes, and changes nothing', async () => {
    const flow = await aFlow();
    for (const amount of [10, 20, 30, 60, 50]) await pay(flow, { amount, currency: 'EUR', country: 'DE' });
    await setFees(alpha, [{ percent: 1, fixed: 0 }]);
    await setFees(gamma, [{ percent: 2, fixed: 0.1, currency: 'EUR' }]);
    const before = await database.dump();
    const definition = {
      strategy: 'priority',
      shops: [
        { shop_id: alpha, conditions: { max_amount: 25 } },
        { shop_id: gamma, priority: 2, conditions: { max_amount: 50 } },
      ],
    };
    const { body } = await call('POST', `/flows/${flow.id}/backtest`, { definition });
    expect(await database.dump()).toBe(before);
    expect(body).toEqual({
      success: true,
      data: {
        flow: { id: flow.id, name: flow.name, version: null, strategy: 'priority' },
        payments: 5,
        truncated: false,
        first_created_at: timestamp,
        last_created_at: timestamp,
        shops: [
          {
            shop_id: alpha,
            shop_name: 'Alpha',
            before: { payments: 3, share: 0.6 },
            after: { payments: 2, share: 0.4 },
          },
          { shop_id: beta, shop_name: 'Beta', before: { payments: 2, share: 0.4 }, after: { payments: 0, share: 0 } },
          { shop_id: gamma, shop_name: 'Gamma', before: { payments: 0, share: 0 }, after: { payments: 2, share: 0.4 } },
        ],
        changed: 4,
        without_shop: 1,
        declined: { before: 0, after: 0 },
        violations: [],
        moves: [
          { from_shop_id: alpha, to_shop_id: gamma, declined: false, payments: 2 },
          { from_shop_id: beta, to_shop_id: null, declined: false, payments: 1 },
          { from_shop_id: beta, to_shop_id: alpha, declined: false, payments: 1 },
        ],
        differences: [
          expect.objectContaining({ amount: 20, from_shop_id: beta, to_shop_id: alpha }),
          expect.objectContaining({
            payment_id: expect.any(Number),
            created_at: timestamp,
            amount: 30,
            currency: 'EUR',
            country: 'DE',
            from_shop_id: alpha,
            to_shop_id: gamma,
            explanation: expect.objectContaining({
              flow_version: null,
              strategy: 'priority',
              shops: [
                expect.objectContaining({
                  shop_id: alpha,
                  picked: false,
                  tests: expect.objectContaining({ max_amount: 'failed', min_amount: 'passed' }),
                }),
                expect.objectContaining({ shop_id: gamma, picked: true }),
              ],
            }),
          }),
          expect.objectContaining({ amount: 60, to_shop_id: null }),
          expect.objectContaining({ amount: 50, to_shop_id: gamma }),
        ],
        approval: {
          payments: 0,
          without_outcome: 5,
          without_probability: 0,
          before: null,
          after: null,
          difference: null,
          effective_payments: 0,
          overlap: 0,
          doubt: 'not_enough_payments',
        },
        costs: [{ currency: 'EUR', payments: 3, before: 0.9, after: 1.9, difference: 1, without_fees: 2 }],
        counter: { recorded: 4, from_zero: 0 },
        draws: null,
      },
    });
  });

  it('names the assertions that the draft breaks', async () => {
    const flow = await aFlow();
    const never = { when: { currency: { equals: 'EUR' } }, never: beta };
    const definition = { ...over(alpha, beta), assertions: [{ when: {}, at_least: 2 }, never] };
    const { body } = await call<{ data: object }>('POST', `/flows/${flow.id}/backtest`, { definition });
    const message = expect.stringContaining(`must never go to shop ${beta}, but {`);
    expect(body.data).toMatchObject({ violations: [{ field: 'assertions[1]', message }] });
  });

  it.each(['round_robin', 'weighted', 'sticky', 'priority'])(
    'finds no difference in an unchanged %s flow',
    async (strategy) => {
      const shops = [
        { shop_id: alpha, weight: 3 },
        { shop_id: beta },
        { shop_id: gamma, conditions: { min_amount: 20 } },
      ];
      const flow = await aFlow({ strategy, shops });
      await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          pay(flow, {
            amount: 5 + index,
            currency: 'EUR',
            // every third payment has a new customer, which the decision does not know yet
            ...(index % 3 > 0 && { customerId: 1 + (index % 7) }),
          }),
        ),
      );
      expect(await backtest(flow, { version: 1 })).toMatchObject({
        payments: 30,
        changed: 0,
        differences: [],
        draws: null,
      });
    },
  );

  it('compares with the original decision, not with the shop after failover', async () => {
    const flow = await aFlow();
    await pay(flow, { amount: 10, currency: 'EUR' }, beta);
    expect(await backtest(flow, { version: 1 })).toMatchObject({ changed: 0, moves: [] });
  });

  it('estimates the approval rate of a draft from the outcomes of first attempts', async () => {
    const flow = await aFlow();
    for (let n = 0; n < 200; n++) await pay(flow, { amount: 10, currency: 'EUR', customerId: 1 + n });
    // Alpha approves nine in ten payments, Beta five; two more of Beta's are completed by a second shop
    await database.pool.query(
      `UPDATE payments SET attempt = CASE WHEN is_second THEN 2 ELSE 1 END,
         status = CASE WHEN is_second OR n % 10 < CASE picked WHEN $2 THEN 5 ELSE 9 END THEN 'completed' ELSE 'failed' END
       FROM (SELECT id AS payment_id, shop_id AS picked, row_number() OVER (PARTITION BY shop_id ORDER BY id) AS n FROM payments WHERE flow_id = $1) x,
         LATERAL (SELECT picked = $2 AND n % 10 IN (7, 8) AS is_second) y
       WHERE payment_id = id`,
      [flow.id, beta],
    );
    const { approval } = await backtest(flow, { definition: over(alpha) });
    expect(approval).toMatchObject({
      payments: 200,
      before: { estimate: 0.7 },
      after: { estimate: expect.closeTo(0.9, 1) },
      effective_payments: 100,
      overlap: 1,
      doubt: null,
    });
    expect((await backtest(flow, { definition: over(gamma) })).approval).toMatchObject({
      after: null,
      overlap: 0,
      doubt: 'not_enough_overlap',
    });
  });

  it('reads metadata if rules use it', async () => {
    const flow = await aFlow();
    await pay(flow, { amount: 10, currency: 'EUR', metadata: { tier: 'gold' } });
    await pay(flow, { amount: 10, currency: 'EUR', metadata: { tier: 'none' } });
    const rules = [{ when: { 'metadata.tier': { equals: 'gold' } }, use: { shops: [gamma], strategy: 'round_robin' } }];
    const definition = {
      ...over(alpha, beta, gamma),
      strategy: 'rules',
      rules,
      default: { shops: [beta], strategy: 'success_rate' },
    };
    expect(await backtest(flow, { definition })).toMatchObject({
      changed: 1,
      moves: [{ from_shop_id: alpha, to_shop_id: gamma, payments: 1 }],
      differences: [{ explanation: { rule: 0 } }],
      counter: { recorded: 1, from_zero: 0 },
      draws: { recorded: 0, seeded: 1, seed: 1 },
    });
  });

  it('runs drafts and older versions', async () => {
    const flow = await aFlow();
    await pay(flow, { amount: 10, currency: 'EUR' });
    await call('POST', `/flows/${flow.id}/versions`, over(gamma));
    expect(await backtest(flow, { version: 2 })).toMatchObject({
      flow: { version: 2 },
      changed: 1,
      differences: [{ explanation: { flow_version: 2 } }],
    });
  });

  it('reads each of many payments once, also with equal times', async () => {
    const flow = await aFlow();
    const newest = await generatePayments(database, flow.id, [alpha, beta], 3_001);
    const result = await backtest(flow, { definition: over(alpha) });
    expect(result).toMatchObject({ payments: 3_001, changed: 1_500, counter: { recorded: 0, from_zero: 3_001 } });
    expect(result.differences).toHaveLength(20);
    expect(result.last_created_at).toBe(new Date(newest).toISOString());
  });

  it('uses the newest payments of the range', async () => {
    const flow = await aFlow();
    const newest = await generatePayments(database, flow.id, [alpha, beta], 40);
    const at = (seconds: number) => new Date(newest - seconds * 1_000).toISOString();
    const taken = async (range: object) => {
      const {
        payments,
        truncated,
        first_created_at: first,
        last_created_at: last,
      } = await backtest(flow, {
        version: 1,
        ...range,
      });
      return [payments, truncated, first, last];
    };
    expect(await taken({})).toEqual([40, false, at(9), at(0)]);
    expect(await taken({ limit: 40 })).toEqual([40, false, at(9), at(0)]);
    expect(await taken({ limit: 5 })).toEqual([5, true, at(1), at(0)]);
    expect(await taken({ from: at(3), to: at(1) })).toEqual([8, false, at(3), at(2)]);
    expect(await taken({ from: at(3), to: at(1), limit: 6 })).toEqual([6, true, at(3), at(2)]);
    expect(await taken({ to: at(7) })).toEqual([8, false, at(9), at(8)]);
    expect(await taken({ from: '2030-01-01T00:00:00+02:00' })).toEqual([0, false, null, null]);
  });

  it.each<[string, object, string]>([
    ['nothing to run', {}, 'definition'],
    ['a version and a definition', { version: 1, definition: over(1) }, 'version'],
    ['a version of 0', { version: 0 }, 'version'],
    ["a draft with another merchant's shop", { definition: over(999_999) }, 'definition.shops[0].shop_id'],
    ['a draft without shops', { definition: { strategy: 'weighted' } }, 'definition.shops'],
    ['more payments than the maximum', { version: 1, limit: 100_001 }, 'limit'],
    ['a time without a zone', { version: 1, from: '2026-11-20T00:00:00' }, 'from'],
    ['a day that does not exist', { version: 1, to: '2026-02-30T00:00:00Z' }, 'to'],
    ['a day of a week', { version: 1, from: '2026-W47-1T00:00:00Z' }, 'from'],
    ['a day of a year', { version: 1, from: '2026-325T00:00:00Z' }, 'from'],
    ['a time without its punctuation', { version: 1, to: '20261121T000000Z' }, 'to'],
    ['an hour without its minutes', { version: 1, to: '2026-11-21T00Z' }, 'to'],
    ['a comma for a point', { version: 1, to: '2026-11-21T01:02:03,5Z' }, 'to'],
    [
      'a range that ends before it begins',
      { version: 1, from: '2026-11-20T00:00:00Z', to: '2026-11-20T00:00:00Z' },
      'to',
    ],
    ['an unknown field', { version: 1, colour: 'red' }, 'colour'],
  ])('refuses %s', async (_, request, field) => {
    const flow = await aFlow();
    const { status, body } = await call<ProblemBody>('POST', `/flows/${flow.id}/backtest`, request);
    expect([status, body.errors?.[0]?.field]).toEqual([422, field]);
  });

  it('refuses an unknown version', async () => {
    const { id } = await aFlow();
    expect(await call('POST', `/flows/${id}/backtest`, { version: 2 })).toMatchObject({
      status: 404,
      body: { code: 'flow_version_not_found' },
    });
  });
});
