import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { FlowDefinition, FlowShop } from '@payment-orchestrator/routing/definition/definition';
import type { RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import { Database } from '../../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';
import { aMember } from '../../support/fuzz/flow-arbitraries.js';
import { aMerchant, aShop, type FlowsApplication, startFlows, storedCounter } from './flows-harness.js';

interface Simulated {
  data: { result: { primary_shop: { shop_id: number } | null } };
}

let database: TestDatabase;
let app: FlowsApplication;
let otherProcess: FlowsApplication;
let merchant: number;
let shops: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  [app, otherProcess] = await Promise.all([startFlows(database), startFlows(database)]);
  merchant = await aMerchant(database);
  shops = [];
  for (const name of ['Alpha', 'Beta', 'Gamma']) shops.push(await aShop(database, merchant, name));
});

afterAll(async () => {
  await Promise.all([app?.close(), otherProcess?.close()]);
  await database?.drop();
});

const aRequest: RoutingRequest = { amount: 100, currency: 'USD' };
let flowsMade = 0;
const aName = () => `flow ${++flowsMade}`;
const aDefinition = (...members: FlowShop[]): FlowDefinition => ({
  strategy: 'round_robin',
  shops: members.length > 0 ? members : shops.map((shop) => aMember(shop)),
});

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

function shares(routed: { shop: { id: number } }[]): number[] {
  return shops.map((id) => routed.filter(({ shop }) => shop.id === id).length);
}

describe('routing of payments', () => {
  it('stays exact over several processes', async () => {
    const { id, name } = await app.flows.create(merchant, aName(), aDefinition());
    const routed = await times(600, (index) =>
      (index % 2 === 0 ? app : otherProcess).routing.route(merchant, name, aRequest),
    );
    expect(shares(routed)).toEqual([200, 200, 200]);
    expect(await storedCounter(database, id)).toBe(600);
  });

  it('counts payments of different flows separately', async () => {
    const flows = await times(5, () => app.flows.create(merchant, aName(), aDefinition()));
    await times(50, (index) => app.routing.route(merchant, flows[index % 5]!.name, aRequest));
    expect(await Promise.all(flows.map(({ id }) => storedCounter(database, id)))).toEqual([10, 10, 10, 10, 10]);
  });

  it('records the flow, version and shop of the payment', async () => {
    const flow = await app.flows.create(merchant, aName(), aDefinition(aMember(shops[1]!)));
    expect(await app.routing.route(merchant, flow.name, aRequest)).toEqual({
      flowId: flow.id,
      flowVersion: 1,
      shop: expect.objectContaining({ id: shops[1], name: 'Beta', provider: 'sandbox', enabled: true }),
      fallbacks: [],
      maxAttempts: 1,
      capture: 'automatic',
      declined: undefined,
      newCustomerId: null,
      trace: {
        flow_version: 1,
        strategy: 'round_robin',
        shops: [shops[1]],
        failed: {},
        picked: shops[1],
        probability: 1,
        fallbacks: [],
        reasoning: { by: 'round_robin', counter: 0, position: 0, of: 1 },
      },
    });
  });

  it('routes as the simulation predicted, payment by payment', async () => {
    const { name } = await app.flows.create(merchant, aName(), aDefinition());
    for (let turn = 0; turn < 7; turn++) {
      const simulated = await app.as(merchant)<Simulated>('POST', '/flows/simulate', { flow_name: name });
      const { shop } = await app.routing.route(merchant, name, aRequest);
      expect(shop.id).toBe(simulated.body.data.result.primary_shop!.shop_id);
    }
  });

  it('refuses a payment that no shop takes, with the reasons, and does not count it', async () => {
    const disabled = await aShop(database, merchant, aName(), false);
    const { id, name } = await app.flows.create(
      merchant,
      aName(),
      aDefinition(
        aMember(disabled),
        aMember(shops[0]!, { priority: 2, conditions: { currencies: ['EUR'], min_amount: 200 } }),
      ),
    );
    await expect(app.routing.route(merchant, name, aRequest)).rejects.toMatchObject({
      code: 'no_available_shop',
      detail: `shop ${disabled}: disabled; shop ${shops[0]}: currency, min_amount`,
    });
    expect(await storedCounter(database, id)).toBe(0);
  });

  it('refuses a payment that the shops of a rule do not take, if the rule says so', async () => {
    const [gb, eu] = [await aShop(database, merchant, aName()), await aShop(database, merchant, aName())];
    const definition = (otherwise?: 'refuse') => ({
      ...aDefinition(aMember(gb, { conditions: { currencies: ['GBP'] } }), aMember(eu)),
      strategy: 'rules' as const,
      rules: [
        {
          when: { country: { equals: 'GB' } },
          use: { shops: [gb], strategy: 'priority' as const },
          ...(otherwise && { otherwise }),
        },
      ],
      default: { shops: [eu], strategy: 'priority' as const },
    });
    const british = { ...aRequest, country: 'GB' };
    const next = await app.flows.create(merchant, aName(), definition());
    expect((await app.routing.route(merchant, next.name, british)).trace).toMatchObject({
      rule: 'default',
      passed_over: [0],
      picked: eu,
    });
    const { name } = await app.flows.create(merchant, aName(), definition('refuse'));
    await expect(app.routing.route(merchant, name, british)).rejects.toMatchObject({
      code: 'no_available_shop',
      detail: `rules[0] refuses payments that none of its shops takes; shop ${gb}: currency; shop ${eu}: rule`,
    });
    expect((await app.routing.route(merchant, name, { ...british, currency: 'GBP' })).shop.id).toBe(gb);
    expect((await app.routing.route(merchant, name, aRequest)).shop.id).toBe(eu);
  });

  it('excludes a shop from the time it is disabled', async () => {
    const [one, other] = [await aShop(database, merchant, aName()), await aShop(database, merchant, aName())];
    const { name } = await app.flows.create(merchant, aName(), aDefinition(aMember(one), aMember(other)));
    await database.pool.query('UPDATE shops SET enabled = false WHERE id = $1', [one]);
    const routed = await times(4, () => app.routing.route(merchant, name, aRequest));
    expect(routed.map(({ shop }) => shop.id)).toEqual([other, other, other, other]);
  });

  describe('routing by a cached flow', () => {
    let one: number;
    let other: number;
    let flow: { id: number; name: string };

    beforeEach(async () => {
      [one, other] = [await aShop(database, merchant, aName()), await aShop(database, merchant, aName())];
      flow = await app.flows.create(merchant, aName(), aDefinition(aMember(one), aMember(other)));
      expect(await turns(2)).toEqual([one, other]);
    });

    /** The shops of this number of payments, one after the other. */
    async function turns(payments: number): Promise<number[]> {
      const routed: number[] = [];
      for (let index = 0; index < payments; index++)
        routed.push((await app.routing.route(merchant, flow.name, aRequest)).shop.id);
      return routed;
    }

    it('uses two statements: one reads the state, one counts', async () => {
      const query = jest.spyOn(Database.prototype, 'query');
      const routed = await turns(4);
      const statements = query.mock.calls.map(([{ name }]) => name);
      query.mockRestore();
      const each = ['flows.state', 'flows.advance_counter'];
      expect(statements.filter((name) => /flow/.test(name))).toEqual([...each, ...each, ...each, ...each]);
      expect(routed).toEqual([one, other, one, other]);
      expect(await storedCounter(database, flow.id)).toBe(6);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['shop is disabled', () => database.pool.query('UPDATE shops SET enabled = false WHERE id = $1', [one])],
      [
        'shop is in an outage',
        () =>
          database.pool.query('INSERT INTO shop_outages (shop_id, began_at, last_fault_at) VALUES ($1, now(), now())', [
            one,
          ]),
      ],
      [
        'version is activated by another process',
        () => otherProcess.flows.update(merchant, flow.id, { shops: [aMember(other)] }),
      ],
      [
        'flow gets its name',
        async () => {
          await otherProcess.flows.remove(merchant, flow.id);
          flow = await otherProcess.flows.create(merchant, flow.name, aDefinition(aMember(other)));
          await database.pool.query('UPDATE flow_counters SET counter = 2 WHERE flow_id = $1', [flow.id]);
        },
      ],
    ])('reacts at once when another %s, and counts each payment once', async (_, change) => {
      await change();
      expect(await turns(3)).toEqual([other, other, other]);
      expect(await storedCounter(database, flow.id)).toBe(5);
    });

    it('compares the fees of the moment with one statement, and does not read them for other strategies', async () => {
      const setFee = (shop: number, percent: number) =>
        database.pool.query('UPDATE shops SET fees = $2 WHERE id = $1', [
          shop,
          JSON.stringify([{ percent, fixed: 0 }]),
        ]);
      await setFee(one, 2);
      await setFee(other, 1);
      expect(await turns(2)).toEqual([one, other]);
      await app.flows.update(merchant, flow.id, { strategy: 'lowest_cost' });
      expect(await turns(2)).toEqual([other, other]);
      await setFee(one, 0.5);
      const query = jest.spyOn(Database.prototype, 'query');
      expect(await turns(2)).toEqual([one, one]);
      const statements = query.mock.calls.map(([{ name }]) => name);
      query.mockRestore();
      expect(statements).toEqual(['flows.state_with_fees', 'flows.state_with_fees']);
      expect(await storedCounter(database, flow.id)).toBe(4);
    });

    it('uses the shop again after its outage ends', async () => {
      const begin = `INSERT INTO shop_outages (shop_id, began_at, last_fault_at) VALUES ($1, now(), now())`;
      await database.pool.query(begin, [one]);
      expect(await turns(2)).toEqual([other, other]);
      await database.pool.query('DELETE FROM shop_outages WHERE shop_id = $1', [one]);
      expect(await turns(3)).toEqual([one, other, one]);
    });
  });

  it('takes the id of a new customer only if the flow uses it', async () => {
    const rule = {
      when: { customer_id: { exists: true } },
      use: { shops: [shops[0]!], strategy: 'weighted' as const },
    };
    const otherwise = { shops, strategy: 'round_robin' as const };
    for (const [changes, isTaken] of [
      [{}, false],
      [{ strategy: 'sticky' }, true],
      [{ strategy: 'rules', rules: [rule], default: otherwise }, true],
      [{ strategy: 'rules', rules: [{ ...rule, when: { currency: { equals: 'EUR' } } }], default: otherwise }, false],
    ] as [Partial<FlowDefinition>, boolean][]) {
      const { name } = await app.flows.create(merchant, aName(), { ...aDefinition(), ...changes });
      let asked = 0;
      const { newCustomerId, trace } = await app.routing.route(merchant, name, aRequest, () => {
        asked++;
        return Promise.resolve(4_711);
      });
      expect([asked, newCustomerId, trace.customer_id]).toEqual(isTaken ? [1, 4_711, 4_711] : [0, null, undefined]);
    }
  });

  it('refuses the flows of another merchant, and deleted ones', async () => {
    const { id, name } = await app.flows.create(merchant, aName(), aDefinition());
    const stranger = await aMerchant(database);
    await expect(app.routing.route(stranger, name, aRequest)).rejects.toMatchObject({ code: 'flow_not_found' });
    await app.flows.remove(merchant, id);
    await expect(app.routing.route(merchant, name, aRequest)).rejects.toMatchObject({ code: 'flow_not_found' });
  });

  it('uses one whole definition per payment while the flow changes', async () => {
    const [one, other] = [aMember(shops[0]!), aMember(shops[1]!)];
    const { id, name } = await app.flows.create(merchant, aName(), aDefinition(one));
    const changes = times(20, (index) => app.flows.update(merchant, id, { shops: [index % 2 === 0 ? other : one] }));
    const routed = await times(200, () => app.routing.route(merchant, name, aRequest));
    await changes;
    for (const { flowVersion, shop } of routed) {
      const { rows } = await database.pool.query<{ definition: FlowDefinition }>(
        'SELECT definition FROM flow_versions WHERE flow_id = $1 AND version = $2',
        [id, flowVersion],
      );
      expect(rows[0]!.definition.shops.map((member) => member.shop_id)).toEqual([shop.id]);
    }
    expect(await storedCounter(database, id)).toBe(200);
  });

  it('fails only the payments whose count is lost with a connection', async () => {
    const { id, name } = await app.flows.create(merchant, aName(), aDefinition());
    const lock = await database.pool.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM flow_counters WHERE flow_id = $1 FOR UPDATE', [id]);
    const first = app.routing.route(merchant, name, aRequest);
    const lost = expect(first).rejects.toThrow();
    await terminateWaiting(database);
    await lost;
    await lock.query('ROLLBACK');
    lock.release();
    expect((await app.routing.route(merchant, name, aRequest)).shop.id).toBe(shops[0]);
  });
});

/** Kills the connection that waits for the counter's row, as soon as there is one. */
async function terminateWaiting({ pool }: TestDatabase): Promise<void> {
  await eventually(async () => {
    const { rowCount } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE flow_counters%'`,
    );
    return rowCount === 1;
  });
}

describe('simulation', () => {
  it('leaves every table unchanged, for any number of runs', async () => {
    const { name } = await app.flows.create(merchant, aName(), aDefinition());
    await app.routing.route(merchant, name, aRequest);
    const before = await database.dump();
    const call = app.as(merchant);
    // fewer concurrent ones than the queue accepts
    for (let round = 0; round < 4; round++) {
      const answers = await times(50, (index) =>
        call('POST', '/flows/simulate', {
          flow_name: name,
          simple: index % 2 === 0,
          currency: index % 3 === 0 ? 'EUR' : 'USD',
        }),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
    expect(await database.dump()).toBe(before);
  });

  it('works without write access', async () => {
    const { name } = await app.flows.create(merchant, aName(), aDefinition());
    const url = new URL(database.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const readOnly = await startFlows({ ...database, url: url.href });
    try {
      await expect(readOnly.routing.route(merchant, name, aRequest)).rejects.toThrow(/read-only transaction/);
      const { body } = await readOnly.as(merchant)<Simulated>('POST', '/flows/simulate', { flow_name: name });
      expect(body.data.result.primary_shop!.shop_id).toBe(shops[0]);
    } finally {
      await readOnly.close();
    }
  });
});
