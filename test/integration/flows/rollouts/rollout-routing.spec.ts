import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RoutedPayment } from '../../../../src/flows/routing/routing.service.js';
import { sharedApi, type TestApi } from '../../../support/app/api-app.js';
import { dataOf, Merchant } from '../../../support/app/merchant.js';
import type { TestDatabase } from '../../../support/servers/database.js';
import { type Caller, type FlowsApplication, over, withFlows } from '../flows-harness.js';
import { aFlowWithDraft, aRollout, type FlowWithRollout } from './rollouts-harness.js';

interface RolloutChoice {
  id: number;
  version: number;
  stage: number;
  bucket: number;
  percent: number;
  key: string;
}
interface SimulationBody {
  data: {
    result: { primary_shop: { shop_id: number } };
    explanation: {
      flow_version: number | null;
      rollout: RolloutChoice | null;
      shops: { shop_id: number; smallest_change?: { field: string; to: unknown } | null }[];
    };
    picks: { counter: number; shop_id: number }[];
    shares: { shop_id: number; picks: number }[];
  };
}

let database: TestDatabase;
let app: FlowsApplication;
let merchant: number;
let call: Caller;
let alpha: number;
let beta: number;

withFlows((flows) => ({ database, app, merchant, call, alpha, beta } = flows));

const EURO = { amount: 10, currency: 'EUR' };
const route = ({ name }: { name: string }, fields: object = {}): Promise<RoutedPayment> =>
  app.routing.route(merchant, name, { ...EURO, ...fields });
const simulate = async ({ name }: { name: string }, fields: object = {}): Promise<SimulationBody['data']> =>
  (await call<SimulationBody>('POST', '/flows/simulate', { flow_name: name, ...EURO, explain: true, ...fields })).body
    .data;
const changeTo = ({ path, rollout }: FlowWithRollout, percent: number) =>
  call('PATCH', `${path}/rollouts/${rollout.id}`, { percent });
const weighted = (one: number, other: number) => ({
  strategy: 'weighted',
  shops: [
    { shop_id: alpha, weight: one },
    { shop_id: beta, weight: other },
  ],
});
const customers = Array.from({ length: 60 }, (_, index) => index + 1);

describe('a rollout by customer', () => {
  it('gives a customer one version, the one that a simulation says, and never back while the percent rises', async () => {
    const flow = await aRollout(call, over(alpha), over(beta), { percent: 20, key: 'customer' });
    let before = new Set<number>();
    for (const percent of [20, 60, 100]) {
      await changeTo(flow, percent);
      const now = new Set<number>();
      for (const customerId of customers) {
        const { flowVersion, shop, trace } = await route(flow, { customerId });
        expect((await route(flow, { customerId })).flowVersion).toBe(flowVersion);
        expect(shop.id).toBe(flowVersion === 2 ? beta : alpha);
        if (flowVersion === 2) now.add(customerId);
        if (customerId > 10) continue;
        const { explanation, result } = await simulate(flow, { customer_id: customerId });
        expect([explanation.flow_version, explanation.rollout]).toEqual([flowVersion, trace.rollout]);
        expect(result.primary_shop.shop_id).toBe(shop.id);
      }
      expect([...before].every((customer) => now.has(customer))).toBe(true);
      before = now;
    }
    expect(before.size).toBe(customers.length);
  });

  it('takes the id of a new customer, who keeps the version', async () => {
    const flow = await aRollout(call, over(alpha), over(beta), { key: 'customer' });
    for (const id of customers) {
      const first = await app.routing.route(merchant, flow.name, EURO, () => Promise.resolve(id));
      expect([first.newCustomerId, first.trace.customer_id]).toEqual([id, id]);
      expect((await route(flow, { customerId: id })).trace.rollout).toEqual(first.trace.rollout);
    }
  });
});

describe('a rollout by payment', () => {
  it('keeps the cycles of the weights exact in both versions', async () => {
    const flow = await aRollout(call, weighted(3, 1), weighted(1, 2));
    const routed = await Promise.all(Array.from({ length: 240 }, () => route(flow, { customerId: 7 })));
    for (const [version, cycle, alphasShare] of [
      [1, 4, 3],
      [2, 3, 1],
    ] as const) {
      const own = routed.filter(({ flowVersion }) => flowVersion === version);
      const picks = new Map(own.map(({ trace, shop }) => [(trace.reasoning as { counter: number }).counter, shop.id]));
      expect([...picks.keys()].sort((one, other) => one - other)).toEqual(own.map((_, index) => index));
      expect(own.length).toBeGreaterThan(60);
      for (let from = 0; from + cycle <= own.length; from += cycle) {
        const shops = Array.from({ length: cycle }, (_, index) => picks.get(from + index));
        expect(shops.filter((shop) => shop === alpha)).toHaveLength(alphasShare);
      }
    }
    for (const { flowVersion, trace } of routed) {
      expect(trace.rollout).toMatchObject({ id: flow.rollout.id, version: 2, stage: 1, percent: 50, key: 'payment' });
      expect([flowVersion, trace.flow_version]).toEqual(trace.rollout!.bucket < 5_000 ? [2, 2] : [1, 1]);
    }
  });

  it('appears in simulations with its shares and both counters', async () => {
    const flow = await aRollout(call, over(alpha), over(beta), { percent: 25 });
    const { shares, picks } = await simulate(flow, { count: 1_000 });
    const byShop = new Map(shares.map(({ shop_id: shop, picks: count }) => [shop, count]));
    expect(Math.abs(byShop.get(beta)! - 250)).toBeLessThan(4 * Math.sqrt((1_000 * 3) / 16));
    for (const shop of [alpha, beta]) {
      const counters = picks.filter(({ shop_id: picked }) => picked === shop).map(({ counter }) => counter);
      expect(counters).toEqual(counters.map((_, index) => index));
    }
    const draft = await simulate(flow, { definition: over(beta) });
    expect(draft.explanation).toMatchObject({ flow_version: null, rollout: null });
  });
});

describe('a rollout with a condition', () => {
  it('knows a new customer by the id that the later payments have', async () => {
    const when = { customer_id: { exists: true } };
    const flow = await aRollout(call, over(alpha), over(beta), { percent: 100, when });
    const first = await app.routing.route(merchant, flow.name, EURO, () => Promise.resolve(7));
    expect([first.flowVersion, first.newCustomerId]).toEqual([2, 7]);
    expect((await route(flow, { customerId: 7 })).flowVersion).toBe(2);
    expect((await route(flow)).flowVersion).toBe(1);
  });

  it('leaves all other payments to the active version, uncounted', async () => {
    const when = { country: { equals: 'DE' } };
    const flow = await aRollout(call, over(alpha), over(beta), { percent: 100, when });
    expect(flow.rollout).toMatchObject({ when });
    expect(await route(flow, { country: 'DE' })).toMatchObject({ flowVersion: 2, trace: { rollout: { version: 2 } } });
    const other = await route(flow, { country: 'FR' });
    expect([other.flowVersion, other.trace.rollout]).toEqual([1, undefined]);
    const { explanation, result } = await simulate(flow, { country: 'FR' });
    expect([explanation.rollout, result.primary_shop.shop_id]).toEqual([null, alpha]);
  });

  it('lets the smallest change of a simulation lead into it', async () => {
    const candidate = { ...over(alpha, beta), shops: [{ shop_id: alpha, enabled: false }, { shop_id: beta }] };
    const base = {
      ...over(alpha, beta),
      shops: [{ shop_id: alpha }, { shop_id: beta, conditions: { countries: ['DE'] } }],
    };
    const flow = await aRollout(call, base, candidate, { percent: 100, when: { country: { equals: 'DE' } } });
    const { explanation } = await simulate(flow, { country: 'FR' });
    const change = explanation.shops.find(({ shop_id: shop }) => shop === beta)!.smallest_change!;
    expect(change.field).toBe('country');
    const changed = await simulate(flow, { country: change.to });
    expect(changed.result.primary_shop.shop_id).toBe(beta);
  });
});

it('a candidate by cost knows the fees that the base does not need, in every read', async () => {
  await database.pool.query('UPDATE shops SET fees = $2 WHERE id = $1', [beta, '[{"percent":1,"fixed":0}]']);
  const cheapest = { ...over(alpha, beta), strategy: 'lowest_cost' };
  const flow = await aRollout(call, over(alpha), cheapest, { percent: 100 });
  for (let read = 0; read < 3; read++) {
    const { shop, trace } = await route(flow);
    expect([shop.id, trace.reasoning]).toMatchObject([beta, { by: 'lowest_cost' }]);
  }
});

it('the next read of a flow follows the start, a change and the end of its rollout', async () => {
  const flow = await aFlowWithDraft(call, over(alpha), over(beta));
  expect((await route(flow)).trace.rollout).toBeUndefined();
  const body = { version: 2, percent: 100, key: 'payment' };
  const { id } = (await call<{ data: { id: number } }>('POST', `${flow.path}/rollouts`, body)).body.data;
  expect((await route(flow)).flowVersion).toBe(2);
  await call('PATCH', `${flow.path}/rollouts/${id}`, { percent: 0 });
  expect(await route(flow)).toMatchObject({ flowVersion: 1, trace: { rollout: { stage: 2, percent: 0 } } });
  await call('POST', `${flow.path}/rollouts/${id}/promote`);
  const promoted = await route(flow);
  expect([promoted.flowVersion, promoted.trace.rollout]).toEqual([2, undefined]);
});

describe('payments', () => {
  let api: TestApi;
  beforeAll(async () => void (api = await sharedApi()));
  afterAll(() => api?.stop());

  it('keep their version when repeated, and count for it', async () => {
    const client = await api.login();
    const paying = new Merchant(client);
    const shop = await paying.createShop('Berlin');
    const flow = await paying.createFlow('rolled out', [shop.id]);
    const path = `/flows/${flow.id}`;
    await client.post(`${path}/versions`, { strategy: 'priority', shops: [{ shop_id: shop.id }] });
    const started = await client.post<{ data: { id: number } }>(`${path}/rollouts`, {
      version: 2,
      percent: 50,
      key: 'payment',
    });
    const rolloutId = started.body.data.id;
    const request = { flow_name: flow.name, amount: 10, currency: 'EUR', payment_method: { token: 'tok_success' } };
    for (let order = 0; order < 12; order++) {
      const headers = { 'idempotency-key': `order-${order}` };
      const first = await client.request<{ data: { id: number } }>('POST', '/payments', request, headers);
      const again = await client.request<{ data: { id: number } }>('POST', '/payments', request, headers);
      expect(again.body).toEqual(first.body);
    }
    const { rows } = await api.database.pool.query<{
      flow_version: number;
      rollout_stage: number;
      decision: { flow_version: number; rollout: RolloutChoice };
    }>('SELECT flow_version, rollout_stage, decision FROM payments WHERE rollout_id = $1', [rolloutId]);
    expect(rows).toHaveLength(12);
    for (const { flow_version: version, rollout_stage: stage, decision } of rows) {
      expect(decision).toMatchObject({ flow_version: version, rollout: { id: rolloutId, stage } });
      expect(version).toBe(decision.rollout.bucket < 5_000 ? 2 : 1);
    }
    const { comparison } = dataOf<{
      comparison: { versions: { version: number; payments: number; approved: number }[] };
    }>(await client.get(`${path}/rollouts/${rolloutId}`));
    for (const { version, payments, approved } of comparison.versions) {
      const own = rows.filter(({ flow_version: each }) => each === version).length;
      expect([payments, approved]).toEqual([own, own]);
    }
  });

  it("count for the candidate's own rules, once also if one declines them", async () => {
    const client = await api.login();
    const paying = new Merchant(client);
    const { id: shop } = await paying.createShop('Ruled');
    const use = { shops: [shop], strategy: 'priority' as const };
    const german = { when: { country: { equals: 'DE' } }, use };
    const american = { when: { country: { equals: 'US' } }, decline: { code: 'blocked_country' } };
    const rules = { strategy: 'rules', shops: [{ shop_id: shop }], default: use };
    const name = 'rolled out rules';
    const { id } = dataOf<{ id: number }>(await client.post('/flows', { name, ...rules, rules: [german] }));
    const path = `/flows/${id}`;
    await client.post(`${path}/versions`, { ...rules, rules: [american, german] });
    const started = await client.post<{ data: { id: number } }>(`${path}/rollouts`, {
      version: 2,
      percent: 100,
      key: 'payment',
    });
    const method = { payment_method: { token: 'tok_success' } };
    const paid = [];
    for (const country of ['DE', 'US', 'DE', 'FR']) paid.push(await paying.pay(name, { country, ...method }));
    // as the active version: the candidate's own rule has no place in it
    const { rules: facts } = dataOf<{ rules: { rule: unknown; hits_24h: number }[] }>(
      await client.get(`${path}/rules`),
    );
    expect(facts.map(({ rule, hits_24h: hits }) => [rule, hits])).toEqual([
      [0, 2],
      ['default', 1],
    ]);
    const { comparison } = dataOf<{ comparison: { versions: object[] } }>(
      await client.get(`${path}/rollouts/${started.body.data.id}`),
    );
    expect(comparison.versions).toMatchObject([{ payments: 0 }, { payments: 4, approved: 3, declined: 1 }]);
    const course = dataOf<object>(await client.get(`${path}/rollouts/${started.body.data.id}/over-time`));
    const outcomes = { base: { approved: 0, declined: 0 }, candidate: { approved: 3, declined: 1 } };
    expect(course).toMatchObject({ step: 'hour', steps: [outcomes] });
    const decision = dataOf(await client.get(`/payments/${paid[1]!.id}/decision`));
    expect(decision).toMatchObject({ rollout: { id: started.body.data.id, version: 2, stage: 1 }, rule: 0 });
  });
});
