import { expect, it } from '@jest/globals';
import { CODES_LEFT_OUT, segmentCells } from '../../../src/flows/routing/segment-cells.queries.js';
import { COUNT_CHANGES } from '../../../src/insights/approvals/approval-cells.queries.js';
import { SEGMENT_FIELDS } from '@payment-orchestrator/routing/facts/segment';
import type { TestDatabase } from '../../support/servers/database.js';
import { aShop, type Caller, type FlowsApplication, type ProblemBody, withFlows } from './flows-harness.js';

let database: TestDatabase;
let app: FlowsApplication;
let merchant: number;
let call: Caller;

withFlows((flows) => ({ database, app, merchant, call } = flows));

let made = 0;

/** Two new shops: nothing is known about them, and no process has read their rates. */
async function twoShops(): Promise<[one: number, other: number]> {
  made++;
  return [await aShop(database, merchant, `One ${made}`), await aShop(database, merchant, `Other ${made}`)];
}

async function aFlow(shops: number[], by?: string[]): Promise<string> {
  const name = `by ${by?.join(' and ') ?? 'shop'} ${++made}`;
  const options = by && { success_rate: { by } };
  const body = { name, strategy: 'success_rate', ...options, shops: shops.map((shop_id) => ({ shop_id })) };
  expect((await call('POST', '/flows', body)).status).toBe(201);
  return name;
}

interface Paid {
  shop: number;
  scheme: string;
  attempts: number;
  approved: number;
  declineCode?: string;
}

/** Payments whose attempts have ended, as the service records them. */
async function pay({ shop, scheme, attempts, approved, declineCode }: Paid): Promise<void> {
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
       currency, country, payment_method, created_at, updated_at, expires_at)
     SELECT $1, $2, 1, 1, 's', 'sandbox', 1, 'EUR', 'DE', $3, now(), now(), now() FROM generate_series(1, $4::int)
     RETURNING id`,
    [merchant, shop, { type: 'card', card: { scheme, bin: '41111122' } }, attempts],
  );
  const ids = rows.map(({ id }) => id);
  await database.pool.query(
    `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, started_at, reference)
     SELECT id, 1, $2, 'sandbox', now(), gen_random_uuid() FROM unnest($1::bigint[]) id`,
    [ids, shop],
  );
  const end = `UPDATE payment_attempts SET outcome = $2, decline_code = $3, ended_at = now() WHERE payment_id = ANY ($1)`;
  await database.pool.query(end, [ids.slice(0, approved), 'approved', null]);
  await database.pool.query(end, [ids.slice(approved), 'declined', declineCode ?? 'do_not_honor']);
}

/** One run of the worker's job. */
const countAttempts = () => database.pool.query({ ...COUNT_CHANGES, values: [new Date(0), 10_000] });

const aRequest = (scheme?: string) => ({
  amount: 10,
  currency: 'EUR',
  country: 'DE',
  paymentMethod: { type: 'card', card: { ...(scheme && { scheme }), bin: '41111122' } },
});

async function sharesOf(flow: string, scheme: string, count = 60): Promise<Map<number, number>> {
  const shares = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    const { id } = (await app.routing.route(merchant, flow, aRequest(scheme))).shop;
    shares.set(id, (shares.get(id) ?? 0) + 1 / count);
  }
  return shares;
}

interface SuccessRateReasoning {
  segment?: { values: Record<string, string | null>; rates: number[][] };
}

async function segmentOf(flow: string, scheme?: string) {
  const { reasoning } = (await app.routing.route(merchant, flow, aRequest(scheme))).trace;
  const { segment } = reasoning as SuccessRateReasoning;
  return {
    values: segment!.values,
    levels: new Map(segment!.rates.map(([id, level]) => [id, level])),
    rates: segment!.rates,
  };
}

it('sends each scheme to the shop that approves it, while flat rates do not separate the shops', async () => {
  const [one, other] = await twoShops();
  for (const [shop, scheme, approved] of [
    [one, 'visa', 95],
    [one, 'mastercard', 60],
    [other, 'visa', 60],
    [other, 'mastercard', 95],
  ] as const) {
    await pay({ shop, scheme, attempts: 100, approved });
  }
  await countAttempts();
  const [flat, byScheme] = [await aFlow([one, other]), await aFlow([one, other], ['card.scheme'])];
  expect((await sharesOf(byScheme, 'visa')).get(one)).toBeGreaterThan(0.85);
  expect((await sharesOf(byScheme, 'mastercard')).get(other)).toBeGreaterThan(0.85);
  for (const scheme of ['visa', 'mastercard']) {
    const share = (await sharesOf(flat, scheme)).get(one) ?? 0;
    expect([scheme, share > 0.15 && share < 0.85]).toEqual([scheme, true]);
  }
});

it('reads the rates by segment for the candidate of a rollout, although the base needs none', async () => {
  const [one, other] = await twoShops();
  await pay({ shop: one, scheme: 'visa', attempts: 100, approved: 95 });
  await countAttempts();
  const shops = [one, other].map((shop_id) => ({ shop_id }));
  const name = `rolled out by scheme ${made}`;
  const flow = await call<{ data: { id: number } }>('POST', '/flows', { name, strategy: 'round_robin', shops });
  const path = `/flows/${flow.body.data.id}`;
  const options = { success_rate: { by: ['card.scheme'] } };
  await call('POST', `${path}/versions`, { strategy: 'success_rate', ...options, shops });
  const body = { version: 2, percent: 100, key: 'payment' };
  expect((await call('POST', `${path}/rollouts`, body)).status).toBe(201);
  for (let read = 0; read < 3; read++) {
    const { values, levels } = await segmentOf(name, 'visa');
    expect([values, levels.get(one)]).toEqual([{ 'card.scheme': 'visa' }, 1]);
  }
});

it('records the segment, and a simulation explains it with the same rates', async () => {
  const [one, other] = await twoShops();
  await pay({ shop: one, scheme: 'visa', attempts: 50, approved: 40 });
  await pay({ shop: other, scheme: 'visa', attempts: 2, approved: 2 });
  await pay({ shop: other, scheme: 'amex', attempts: 60, approved: 50 });
  await pay({ shop: one, scheme: 'visa', attempts: 30, approved: 0, declineCode: 'insufficient_funds' });
  await countAttempts();
  const flow = await aFlow([one, other], ['card.scheme', 'card.bin']);
  const { values, rates } = await segmentOf(flow, 'visa');
  expect(values).toEqual({ 'card.scheme': 'visa', 'card.bin': '411111' });
  // a payer without money says nothing about the shop
  expect(rates).toContainEqual([one, 2, 40, 10, expect.any(Number), expect.any(Number)]);
  expect(rates).toContainEqual([other, 0, 0, 0, expect.any(Number), expect.any(Number)]);
  const simulated = await call<{ data: { explanation: { reasoning: SuccessRateReasoning } } }>(
    'POST',
    '/flows/simulate',
    {
      flow_name: flow,
      amount: 10,
      currency: 'EUR',
      country: 'DE',
      payment_method: aRequest('visa').paymentMethod,
      explain: true,
    },
  );
  const { segment } = simulated.body.data.explanation.reasoning;
  expect(segment!.values).toEqual(values);
  expect(segment!.rates.toSorted()).toEqual(rates.toSorted());
});

it('backs off to whole shops for an unknown value, and while the cells are not counted', async () => {
  const [one, other] = await twoShops();
  await pay({ shop: one, scheme: 'visa', attempts: 100, approved: 90 });
  const flow = await aFlow([one, other], ['card.scheme']);
  // the worker is down: the log waits
  expect((await segmentOf(flow, 'visa')).levels).toEqual(new Map([one, other].map((id) => [id, 0])));
  await countAttempts();
  const again = await aFlow([other, one], ['card.scheme', 'country']);
  expect((await segmentOf(again, 'visa')).levels.get(one)).toBe(2);
  const unknown = await segmentOf(again);
  expect(unknown.values).toEqual({ 'card.scheme': null, country: 'DE' });
  expect([...unknown.levels.values()]).toEqual([0, 0]);
});

it('decides without segments if the cells cannot be read', async () => {
  const flow = await aFlow(await twoShops(), ['country']);
  await database.pool.query('ALTER TABLE approval_cells RENAME TO away');
  try {
    expect([...(await segmentOf(flow, 'visa')).levels.values()]).toEqual([0, 0]);
  } finally {
    await database.pool.query('ALTER TABLE away RENAME TO approval_cells');
  }
});

it('reads any pair of fields by the primary key', async () => {
  const [shop] = await twoShops();
  await pay({ shop, scheme: 'visa', attempts: 3, approved: 2 });
  await countAttempts();
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  for (const by of SEGMENT_FIELDS.flatMap((first) => SEGMENT_FIELDS.map((second) => [first, second]))) {
    const fields = by[0] === by[1] ? by.slice(0, 1) : by;
    const values = [merchant, fields.includes('card.bin'), [shop], hour, CODES_LEFT_OUT, 100];
    const { rows } = await database.pool.query<{ first: string | null; approved: number; others: number }>({
      text: segmentCells(fields).text,
      values,
    });
    const total = rows.find(({ first }) => first === null);
    expect([fields, rows.length, total]).toEqual([
      fields,
      fields.length + 1,
      expect.objectContaining({ approved: 2, others: 1 }),
    ]);
  }
  const client = await database.pool.connect();
  await client.query('SET enable_seqscan = off');
  const { rows: plan } = await client.query<{ 'QUERY PLAN': string }>({
    text: `EXPLAIN ${segmentCells(['card.scheme', 'country']).text}`,
    values: [merchant, false, [shop], hour, CODES_LEFT_OUT, 100],
  });
  client.release(true);
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('Index Scan Backward using approval_cells_pkey');
  expect(text).not.toContain('Sort Key: c.hour');
});

it.each([
  [['card.scheme', 'card.scheme'], 'success_rate.by'],
  [[], 'success_rate.by'],
  [['amount'], 'success_rate.by'],
  [['country', 'currency', 'card.bin'], 'success_rate.by'],
])('refuses to divide payments by %j', async (by, field) => {
  const body = { name: 'refused', strategy: 'success_rate', success_rate: { by }, shops: [{ shop_id: 1 }] };
  const { status, body: problem } = await call<ProblemBody>('POST', '/flows', body);
  expect([status, problem.errors.map((error) => error.field)]).toEqual([422, expect.arrayContaining([field])]);
});

it('refuses a fifth list of fields in one flow', async () => {
  const [one] = await twoShops();
  const lists = [['country'], ['currency'], ['card.bin'], ['card.scheme'], ['card.scheme', 'country']];
  const body = {
    name: 'refused',
    strategy: 'rules',
    shops: [{ shop_id: one }],
    rules: lists.map((by, amount) => ({
      when: { amount: { equals: 1 + amount } },
      use: { shops: [one], strategy: 'success_rate', success_rate: { by } },
    })),
    default: { shops: [one], strategy: 'success_rate', success_rate: { by: ['country'] } },
  };
  const { status, body: problem } = await call<ProblemBody>('POST', '/flows', body);
  expect([status, problem.errors.map(({ field }) => field)]).toEqual([422, ['rules[4].use.success_rate.by']]);
});
