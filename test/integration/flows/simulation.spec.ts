import { beforeAll, describe, expect, it } from '@jest/globals';
import { STRIPE_CURRENCIES } from '../../../packages/provider-stripe/src/amount.js';
import { CURRENCIES } from '../../../src/shared/money.js';
import { DocumentedAnswers } from '../../support/fuzz/documented-answers.js';
import { committedOpenApi, operationsOf } from '../../support/fuzz/openapi-operations.js';
import type { TestDatabase } from '../../support/servers/database.js';
import {
  aMerchant,
  aShop,
  type Caller,
  type FlowsApplication,
  type ProblemBody,
  storedCounter,
  withFlows,
} from './flows-harness.js';

interface SimulationBody {
  data: {
    success: boolean;
    flow: { id: number; name: string; strategy: string };
    result: {
      strategy: string;
      primary_shop: { shop_id: number; shop_name: string; priority: number; weight: number } | null;
      current_counter: number | null;
      next_counter: number | null;
    };
    picks?: { counter: number | null; shop_id: number | null }[];
    shares?: { shop_id: number; shop_name: string; picks: number; share: number }[];
    draws?: { source: string; seed: number };
    explanation?: {
      flow_version: number | null;
      shops: {
        shop_id: number;
        picked: boolean;
        tests: Record<string, string>;
        smallest_change?: { field: string; from: unknown; to: unknown } | null;
      }[];
      reasoning: Record<string, unknown> | null;
      fallbacks: number[];
    };
  };
}

let database: TestDatabase;
let app: FlowsApplication;
let merchant: number;
let call: Caller;
let alpha: number;
let beta: number;
let gamma: number;

withFlows((flows) => ({ database, app, merchant, call, alpha, beta, gamma } = flows));

let flowsMade = 0;
async function aFlow(definition: Record<string, unknown>): Promise<{ id: number; name: string }> {
  const request = { name: `flow ${++flowsMade}`, ...definition };
  const { status, body } = await call<{ data: { id: number; name: string } }>('POST', '/flows', request);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.data;
}
const aWeightedFlow = () =>
  aFlow({
    strategy: 'weighted',
    shops: [
      { shop_id: alpha, weight: 5 },
      { shop_id: beta, weight: 3 },
      { shop_id: gamma, weight: 2 },
    ],
  });
async function simulate(flowName: string, request: Record<string, unknown> = {}): Promise<SimulationBody['data']> {
  const { status, body } = await call<SimulationBody>('POST', '/flows/simulate', { flow_name: flowName, ...request });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.data;
}
async function refusal(request: Record<string, unknown>): Promise<string[]> {
  const { status, body } = await call<ProblemBody>('POST', '/flows/simulate', request);
  expect([status, body.code]).toEqual([422, 'validation_failed']);
  return body.errors.map(({ field, message }) => `${field} ${message}`);
}

const everyStrategy = (): Record<string, unknown>[] => {
  const shops = [
    { shop_id: alpha, weight: 5, priority: 2 },
    { shop_id: beta, weight: 3 },
    { shop_id: gamma, weight: 2, conditions: { currencies: ['EUR'] } },
  ];
  return [
    ...['round_robin', 'weighted', 'priority', 'sticky'].map((strategy) => ({ strategy, shops })),
    {
      strategy: 'rules',
      shops,
      rules: [
        { when: { currency: { equals: 'EUR' } }, use: { shops: [gamma], strategy: 'round_robin' } },
        { when: { customer_id: { exists: true } }, use: { shops: [alpha, beta], strategy: 'sticky' } },
      ],
      default: { shops: [alpha, beta], strategy: 'weighted' },
    },
  ];
};

describe('a simulation', () => {
  it('names the shop that a payment then gets, for every strategy and request', async () => {
    for (const definition of everyStrategy()) {
      const { name, id } = await aFlow(definition);
      for (let turn = 0; turn < 12; turn++) {
        const currency = turn % 3 === 0 ? 'EUR' : 'USD';
        const customer = turn % 4 === 3 ? 77 : undefined;
        const simulated = await simulate(name, { currency, ...(customer && { customer_id: customer }) });
        const routed = await app.routing.route(merchant, name, { amount: 100, currency, customerId: customer });
        expect([definition.strategy, turn, routed.shop.id]).toEqual([
          definition.strategy,
          turn,
          simulated.result.primary_shop!.shop_id,
        ]);
        expect(await storedCounter(database, id)).toBe(simulated.result.next_counter);
      }
    }
  });

  it('keeps the counter like a payment that no shop takes', async () => {
    for (const definition of everyStrategy()) {
      const { name, id } = await aFlow({
        ...definition,
        shops: (definition.shops as object[]).map((shop) => ({ ...shop, conditions: { min_amount: 1_000 } })),
      });
      const { result, success } = await simulate(name);
      const refused = app.routing.route(merchant, name, { amount: 100, currency: 'USD' });
      await expect(refused).rejects.toMatchObject({ code: 'no_available_shop' });
      expect([success, result.next_counter]).toEqual([false, await storedCounter(database, id)]);
    }
  });

  it('returns no counter for success_rate, and names the source of its random numbers', async () => {
    const { name } = await aFlow({ strategy: 'success_rate', shops: [{ shop_id: alpha }, { shop_id: beta }] });
    const one = await simulate(name, { count: 50 });
    expect(one.result).toMatchObject({ current_counter: null, next_counter: null });
    expect(one.draws).toEqual({ source: 'seeded', seed: 1 });
    expect(await simulate(name, { count: 50 })).toEqual(one);
    const other = await simulate(name, { count: 50, seed: 2 });
    expect(other.picks).not.toEqual(one.picks);
    expect((await app.routing.route(merchant, name, { amount: 1, currency: 'USD' })).trace).toMatchObject({
      reasoning: { by: 'success_rate', draw: expect.any(Number) },
    });
  });
});

describe('a what-if simulation', () => {
  it('with a count returns the next picks and the share of each shop', async () => {
    const { name } = await aWeightedFlow();
    await app.routing.route(merchant, name, { amount: 1, currency: 'USD' });
    const { picks, shares, result } = await simulate(name, { count: 10 });
    expect(picks!.map(({ counter }) => counter)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(picks![0]!.shop_id).toBe(result.primary_shop!.shop_id);
    expect(shares).toEqual([
      { shop_id: alpha, shop_name: 'Alpha', picks: 5, share: 0.5 },
      { shop_id: beta, shop_name: 'Beta', picks: 3, share: 0.3 },
      { shop_id: gamma, shop_name: 'Gamma', picks: 2, share: 0.2 },
    ]);
  });

  it('with a count returns picks without a shop if no shop takes the payment', async () => {
    const { name } = await aFlow({
      strategy: 'weighted',
      shops: [{ shop_id: alpha, conditions: { currencies: ['EUR'] } }],
    });
    const { picks, shares, success } = await simulate(name, { count: 2 });
    expect(success).toBe(false);
    expect(picks).toEqual([
      { counter: 0, shop_id: null },
      { counter: 0, shop_id: null },
    ]);
    expect(shares).toEqual([{ shop_id: alpha, shop_name: 'Alpha', picks: 0, share: 0 }]);
  });

  it('assumes that shops are disabled, unhealthy or have another weight', async () => {
    const { name } = await aWeightedFlow();
    const shares = async (override: Record<string, unknown>): Promise<(number | undefined)[]> =>
      (await simulate(name, { count: 100, overrides: { shops: { [alpha]: override } } })).shares!.map(
        (each) => each.picks,
      );
    expect(await shares({ enabled: false })).toEqual([0, 60, 40]);
    expect(await shares({ weight: 15 })).toEqual([75, 15, 10]);
    expect(await shares({ healthy: false })).toEqual([0, 60, 40]);
    expect(await shares({ healthy: true, enabled: true })).toEqual([50, 30, 20]);
  });

  it('assumes that a disabled shop is enabled', async () => {
    const off = await aShop(database, merchant, 'Off', false);
    const { name } = await aFlow({ strategy: 'round_robin', shops: [{ shop_id: off, enabled: false }] });
    expect((await simulate(name)).success).toBe(false);
    expect((await simulate(name, { overrides: { shops: { [off]: { enabled: true } } } })).success).toBe(true);
  });

  it('assumes another counter', async () => {
    const { name } = await aWeightedFlow();
    const { picks } = await simulate(name, { count: 10 });
    for (const at of [3, 7]) {
      const { result } = await simulate(name, { at_counter: at });
      expect(result).toMatchObject({ current_counter: at, next_counter: at + 1 });
      expect(result.primary_shop!.shop_id).toBe(picks![at]!.shop_id);
    }
    expect((await simulate(name, { at_counter: 2 ** 53 - 2_000, count: 1_000 })).picks).toHaveLength(1_000);
  });

  it('assumes a draft of the flow', async () => {
    const { id, name } = await aWeightedFlow();
    const definition = { strategy: 'priority', shops: [{ shop_id: beta, priority: 0 }, { shop_id: alpha }] };
    const simulated = await simulate(name, { definition, explain: true });
    expect(simulated).toMatchObject({
      flow: { id, name, strategy: 'priority' },
      result: { strategy: 'priority', primary_shop: { shop_id: beta, priority: 0, weight: 1 } },
      explanation: { flow_version: null },
    });
    expect(
      (await call<SimulationBody>('POST', '/flows/simulate', { flow_name: name, definition, simple: true })).body,
    ).toBe(true);
  });

  it('fails with the names of invalid fields', async () => {
    const { name } = await aWeightedFlow();
    const stranger = await aShop(database, await aMerchant(database), 'Theirs');
    expect(await refusal({ flow_name: name, count: 1_001 })).toEqual(['count must not be greater than 1000, got 1001']);
    expect(
      await refusal({ flow_name: name, overrides: { shops: { [stranger]: { enabled: true } }, shop: {} } }),
    ).toEqual([
      `overrides.shops.${stranger} is not a shop of the flow`,
      'overrides.shop is not a known field: use shops',
    ]);
    expect(await refusal({ flow_name: name, overrides: { shops: { [alpha]: { weight: 0, disabled: 1 } } } })).toEqual([
      `overrides.shops.${alpha}.weight must be an integer from 1 to 1000000`,
      `overrides.shops.${alpha}.disabled is not a known field: use enabled, weight, healthy, fees`,
    ]);
    const rule = {
      when: { currency: { equals: 'EUR' }, amount: { mim: 5 } },
      use: { shops: [alpha], strategy: 'weighted' },
    };
    const definition = {
      strategy: 'rules',
      shops: [{ shop_id: alpha }, { shop_id: stranger }],
      rules: [rule],
      default: { shops: [beta], strategy: 'weighted' },
    };
    expect(await refusal({ flow_name: name, definition })).toEqual([
      'definition.shops[1].shop_id is not a shop of yours',
      'definition.rules[0].when.amount.mim is not a test of this field: use equals, in, not, min, max',
      `definition.default.shops[0] shop ${beta} is not a shop of this flow`,
    ]);
    expect(await refusal({ flow_name: name, definition: { ...definition, naem: 1 } })).toEqual([
      'definition.naem is not a known field',
    ]);
    expect((await call('POST', '/flows/simulate', { flow_name: 'nowhere', definition })).status).toBe(404);
  });

  it('checks a draft like a stored flow', async () => {
    const { name } = await aWeightedFlow();
    const when = { country: { equals: 'DE' } };
    const use = { shops: [alpha], strategy: 'weighted' };
    const definition = {
      strategy: 'rules',
      shops: [{ shop_id: alpha }],
      rules: [
        { when, use },
        { when, use },
      ],
      default: use,
    };
    const written = await call<ProblemBody>('POST', '/flows', { name: 'never', ...definition });
    expect(written.status).toBe(422);
    expect(await refusal({ flow_name: name, definition })).toEqual(
      written.body.errors.map(({ field, message }) => `definition.${field} ${message}`),
    );
  });
});

describe('explanations', () => {
  it('list the tests of each shop, and the smallest change that would have picked it', async () => {
    const { name } = await aFlow({
      strategy: 'priority',
      shops: [
        { shop_id: alpha },
        { shop_id: beta, priority: 0, conditions: { currencies: ['EUR'] } },
        { shop_id: gamma, priority: 2 },
      ],
    });
    const { explanation } = await simulate(name, { explain: true });
    const passed = {
      disabled: 'passed',
      currency: 'passed',
      country: 'passed',
      min_amount: 'passed',
      max_amount: 'passed',
      unhealthy: 'passed',
    };
    expect(explanation).toEqual({
      flow_version: 1,
      rollout: null,
      strategy: 'priority',
      rule: null,
      passed_over: [],
      refused: false,
      declined: null,
      shops: [
        {
          shop_id: beta,
          picked: false,
          tests: { ...passed, currency: 'failed' },
          smallest_change: { field: 'currency', from: 'USD', to: 'EUR' },
        },
        { shop_id: alpha, picked: true, tests: passed },
        {
          shop_id: gamma,
          picked: false,
          tests: passed,
          smallest_change: { field: 'definition.shops[2].priority', from: 2, to: 0 },
        },
      ],
      reasoning: { by: 'priority', counter: 0, priority: 1, position: 0, of: 1 },
      fallbacks: [gamma],
      least_bad: false,
      probed: null,
    });
    expect(await simulate(name)).not.toHaveProperty('explanation');
    expect((await simulate(name, { currency: 'EUR' })).result.primary_shop!.shop_id).toBe(beta);
  });

  it('cover a payment that no shop takes', async () => {
    const { name } = await aFlow({
      strategy: 'weighted',
      shops: [{ shop_id: alpha, conditions: { countries: ['DE'] } }],
    });
    const { explanation } = await simulate(name, { explain: true });
    expect(explanation).toMatchObject({
      reasoning: null,
      fallbacks: [],
      shops: [{ picked: false, smallest_change: { field: 'country', from: null, to: 'DE' } }],
    });
  });

  it('name a metadata field by its path, also if the value is an object', async () => {
    const tier = { equals: 'gold' };
    const { name } = await aFlow({
      strategy: 'rules',
      shops: [{ shop_id: alpha }, { shop_id: beta }],
      rules: [{ when: { 'metadata.order': tier }, use: { strategy: 'priority', shops: [beta] } }],
      default: { strategy: 'priority', shops: [alpha] },
    });
    const order = { tier: ['gold'] };
    const answer = await call<SimulationBody>('POST', '/flows/simulate', {
      flow_name: name,
      metadata: { order },
      explain: true,
    });
    const change = answer.body.data.explanation!.shops.find(({ shop_id: id }) => id === beta)!.smallest_change;
    expect(change).toEqual({ field: 'metadata.order', from: order, to: 'gold' });
    const document = committedOpenApi();
    const operation = operationsOf(document).find((each) => each.name === 'POST /flows/simulate')!;
    expect(new DocumentedAnswers(document).errors(operation, answer)).toEqual([]);
  });
});

describe('a simulation of a payer whose accounts are known', () => {
  let atStripe: number;
  let name: string;

  beforeAll(async () => {
    atStripe = await aShop(database, merchant, 'At Stripe');
    await database.pool.query("UPDATE shops SET provider = 'stripe', provider_account = 'eu' WHERE id = $1", [
      atStripe,
    ]);
    const shops = [{ shop_id: alpha }, { shop_id: atStripe, priority: 2 }];
    ({ name } = await aFlow({ strategy: 'priority', shops }));
  });

  const result = async (request: Record<string, unknown>) => {
    const { result: pick, explanation } = await simulate(name, { ...request, explain: true });
    const tests = explanation!.shops.map(({ shop_id: id, tests: each }) => [id, each] as const);
    const changes = explanation!.shops.map(({ shop_id: id, smallest_change: change }) => [id, change] as const);
    return { pick: pick.primary_shop?.shop_id, tests: new Map(tests), changes: new Map(changes) };
  };

  it('picks a shop of the accounts, without tokens', async () => {
    const options = [{ provider: 'stripe' }];
    const { pick, tests, changes } = await result({ payment_method: { options } });
    expect(pick).toBe(atStripe);
    expect(tests.get(alpha)).toMatchObject({ no_payment_method: 'failed' });
    expect(tests.get(atStripe)).toMatchObject({ no_payment_method: 'passed' });
    const to = [...options, { provider: 'sandbox', account: 'default' }];
    expect(changes.get(alpha)).toEqual({ field: 'payment_method.options', from: options, to });
    expect((await result({ payment_method: { options: to } })).pick).toBe(alpha);
  });

  it('answers no shop if none has the account, and any shop if no accounts are named', async () => {
    const other = await simulate(name, { payment_method: { options: [{ provider: 'stripe', account: 'us' }] } });
    expect([other.success, other.result.primary_shop]).toEqual([false, null]);
    const { pick, tests } = await result({ payment_method: { type: 'card', token: 'tok_success' } });
    expect(pick).toBe(alpha);
    expect(tests.get(alpha)).not.toHaveProperty('no_payment_method');
  });

  it('excludes a shop whose provider does not accept the currency', async () => {
    const refused = CURRENCIES.find((currency) => !STRIPE_CURRENCIES.includes(currency))!;
    const amounts = { currency: refused, payment_method: { options: [{ provider: 'stripe' }] } };
    const { pick, tests, changes } = await result(amounts);
    expect(pick).toBeUndefined();
    expect(tests.get(atStripe)).toMatchObject({ capability_missing: 'failed', no_payment_method: 'passed' });
    expect(tests.get(alpha)).toMatchObject({ capability_missing: 'passed' });
    expect(changes.get(atStripe)).toEqual({ field: 'currency', from: refused, to: 'USD' });
  });

  it('uses the facts about the card in rules', async () => {
    const definition = {
      strategy: 'rules',
      shops: [{ shop_id: alpha }, { shop_id: atStripe }],
      rules: [
        {
          when: { 'payment_method.type': { equals: 'card' }, 'card.bin': { starts_with: ['5', '4111'] } },
          use: { shops: [atStripe], strategy: 'priority' },
        },
      ],
      default: { shops: [alpha], strategy: 'priority' },
    };
    const cards = ['41111122', '411222', '555555'];
    const picks = cards.map(
      async (bin) => (await result({ definition, payment_method: { type: 'card', card: { bin } } })).pick,
    );
    expect(await Promise.all(picks)).toEqual([atStripe, alpha, atStripe]);
    const { changes } = await result({ definition, payment_method: { type: 'card' } });
    expect(changes.get(atStripe)).toEqual({ field: 'payment_method.card.bin', from: null, to: '544444' });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ options: [] }, 'payment_method.options'],
    [{ options: [{ account: 'eu' }] }, 'payment_method.options[0].provider'],
    [{ options: [{ provider: 'stripe', account: 'e u' }] }, 'payment_method.options[0].account'],
    [{ card: { bin: '4111' } }, 'payment_method.card.bin'],
  ])('refuses %j', async (method, field) => {
    const [error] = await refusal({ flow_name: name, payment_method: method });
    expect(error!.split(' ')[0]).toBe(field);
  });
});

it('a simulation includes every earlier change, for any number of concurrent simulations of the flow', async () => {
  const shop = await aShop(database, merchant, 'Wavering');
  const { name } = await aFlow({ strategy: 'round_robin', shops: [{ shop_id: shop }] });
  for (let round = 0; round < 10; round++) {
    const underWay = Array.from({ length: 20 }, () => simulate(name));
    const enabled = round % 2 === 1;
    await database.pool.query('UPDATE shops SET enabled = $2 WHERE id = $1', [shop, enabled]);
    const after = await Promise.all(Array.from({ length: 5 }, () => simulate(name)));
    expect(after.map(({ success }) => success)).toEqual(Array<boolean>(5).fill(enabled));
    await Promise.all(underWay);
  }
});

it('a simulation leaves every table unchanged, for any request', async () => {
  const names: string[] = [];
  for (const definition of [
    ...everyStrategy(),
    { strategy: 'success_rate', shops: [{ shop_id: alpha }, { shop_id: beta }] },
  ]) {
    const { name } = await aFlow(definition);
    await app.routing.route(merchant, name, { amount: 1, currency: 'USD' });
    names.push(name);
  }
  const drafts = [undefined, ...everyStrategy()];
  const before = await database.dump();
  for (const name of names) {
    await Promise.all(
      drafts.map((definition, index) =>
        simulate(name, {
          count: 1 + 30 * index,
          at_counter: 1_000 * index,
          explain: index % 2 === 0,
          seed: index,
          customer_id: 900_000 + index,
          metadata: { index },
          overrides: { shops: { [alpha]: { enabled: index % 2 === 0, weight: index + 1, healthy: index % 3 === 0 } } },
          ...(definition && { definition }),
        }),
      ),
    );
  }
  expect(await database.dump()).toBe(before);
});
