import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { AuditLogService } from '../../../../src/audit/audit-log.service.js';
import { RolloutGuardrails } from '../../../../src/flows/rollouts/guardrail.job.js';
import { RolloutAborts } from '../../../../src/flows/rollouts/rollout-aborts.service.js';
import { Database } from '../../../../src/platform/database/database.js';
import { Metrics } from '../../../../src/platform/observability/metrics.js';
import type { ApiClient } from '../../../support/app/api-client.js';
import { startApi, type TestApi } from '../../../support/app/api-app.js';
import { dataOf, Merchant } from '../../../support/app/merchant.js';
import type { Caller } from '../flows-harness.js';
import { aRollout, type FlowWithRollout, type RolloutBody } from './rollouts-harness.js';

interface ComparedVersion {
  payments: number;
  approved: number;
  declined: number;
  refused: number;
  share: number | null;
}
interface ComparedBody extends RolloutBody {
  comparison: { versions: [ComparedVersion, ComparedVersion] };
}

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let shop: number;

beforeAll(async () => {
  api = await startApi();
  client = await api.login();
  merchant = new Merchant(client);
  shop = (await merchant.createShop('Berlin')).id;
});
afterAll(() => api?.stop());

const call = <T>(...[method, url, body]: Parameters<Caller>) => client.request<T>(method, url, body);
const definition = (conditions: object = {}) => ({ strategy: 'priority', shops: [{ shop_id: shop, conditions }] });
/** The shop takes no payment. */
const nothing = () => definition({ countries: ['AQ'] });
const refusing = (request: object): Promise<FlowWithRollout> => aRollout(call, definition(), nothing(), request);
const pay = async ({ name }: FlowWithRollout, fields: object = {}, key?: string): Promise<number> =>
  (await merchant.tryPay(name, { country: 'DE', ...fields }, key === undefined ? {} : { 'idempotency-key': key }))
    .status;
const read = async ({ path, rollout }: FlowWithRollout): Promise<ComparedBody> =>
  dataOf(await client.get(`${path}/rollouts/${rollout.id}`));
const changeTo = ({ path, rollout }: FlowWithRollout, percent: number) =>
  client.patch(`${path}/rollouts/${rollout.id}`, { percent });
const rowsOf = async <T>(statement: string, values: unknown[]): Promise<T[]> =>
  (await api.database.pool.query(statement, values)).rows as T[];
const countsOf = ({ rollout }: FlowWithRollout) =>
  rowsOf<{ stage: number; candidate: boolean; payments: number; refused: number }>(
    `SELECT stage, candidate, sum(payments)::integer AS payments, sum(refused)::integer AS refused FROM flow_rollout_counts
    WHERE rollout_id = $1 GROUP BY stage, candidate ORDER BY stage, candidate`,
    [rollout.id],
  );

it('a guardrail aborts a candidate that refuses all of its payments', async () => {
  const flow = await refusing({ guardrail: { max_drop_points: 5, min_payments: 20 } });
  const statuses: number[] = [];
  while (statuses.length < 200 && [201, 409].some((each) => statuses.filter((status) => status === each).length < 40))
    statuses.push(await pay(flow));
  const paid = statuses.filter((status) => status === 201).length;
  const refused = statuses.length - paid;
  const total = { approved: 0, declined: 0, refused: 0 };
  const { versions } = (await read(flow)).comparison;
  expect(versions).toMatchObject([
    { ...total, payments: paid, approved: paid },
    { ...total, payments: 0, refused },
  ]);
  expect(versions[1].share).toBeCloseTo(refused / statuses.length, 3);
  const database = api.get(Database);
  const guardrails = new RolloutGuardrails(database, new RolloutAborts(database, new AuditLogService()), new Metrics());
  await guardrails.checkAll(new AbortController().signal);
  expect(await read(flow)).toMatchObject({ status: 'aborted', end_cause: 'guardrail' });
  const [event] = await rowsOf<{ data: object }>(
    `SELECT data FROM webhook_events WHERE type = 'flow.rolled_back' AND (data ->> 'flow_id')::bigint = $1`,
    [flow.id],
  );
  expect(event!.data).toMatchObject({
    guardrail: { drop_points: 100, base: { approved: paid, refused: 0 }, candidate: { payments: 0, refused } },
  });
});

it('a refused payment counts for the version and stage that routed it', async () => {
  const flow = await aRollout(call, nothing(), nothing(), { percent: 0 });
  await pay(flow);
  await changeTo(flow, 100);
  await pay(flow);
  await pay(flow);
  expect(await countsOf(flow)).toEqual([
    { stage: 1, candidate: false, payments: 0, refused: 1 },
    { stage: 2, candidate: true, payments: 0, refused: 2 },
  ]);
});

it('a repeat under an idempotency key is routed again, so a refusal counts again and a payment once', async () => {
  const flow = await refusing({ percent: 100 });
  expect([await pay(flow, {}, 'refused'), await pay(flow, {}, 'refused')]).toEqual([409, 409]);
  await changeTo(flow, 0);
  expect([await pay(flow, {}, 'refused'), await pay(flow, {}, 'refused')]).toEqual([201, 201]);
  expect(await countsOf(flow)).toEqual([
    { stage: 1, candidate: true, payments: 0, refused: 2 },
    { stage: 2, candidate: false, payments: 1, refused: 0 },
  ]);
});

it('refused payments of a customer count in one cluster, those without a customer in many', async () => {
  const flow = await refusing({ percent: 0, key: 'customer' });
  await merchant.pay(flow.name, { customer: { reference: 'returning' } });
  await changeTo(flow, 100);
  const clustersOf = async (): Promise<number[]> => {
    const statement = 'SELECT DISTINCT cluster FROM flow_rollout_counts WHERE rollout_id = $1 AND refused > 0';
    return (await rowsOf<{ cluster: number }>(statement, [flow.rollout.id])).map(({ cluster }) => cluster);
  };
  for (let time = 0; time < 5; time++) await pay(flow, { customer: { reference: 'returning' } });
  const [known] = await rowsOf<{ cluster: number }>(
    'SELECT cluster & 255 AS cluster FROM flow_rollout_counts WHERE rollout_id = $1 AND payments > 0',
    [flow.rollout.id],
  );
  expect(await clustersOf()).toEqual([known!.cluster]);
  for (let time = 0; time < 20; time++) await pay(flow);
  expect((await clustersOf()).length).toBeGreaterThan(10);
});

it('neither simulations nor payments outside of the rollout count', async () => {
  const flow = await refusing({ percent: 100, when: { country: { equals: 'DE' } } });
  for (const count of [1, 50]) await client.post('/flows/simulate', { flow_name: flow.name, country: 'DE', count });
  await client.post(`${flow.path}/backtest`, { version: 2 });
  const other = await aRollout(call, nothing(), nothing(), { percent: 100, when: { country: { equals: 'DE' } } });
  expect(await pay(other, { country: 'FR' })).toBe(409);
  expect([await countsOf(flow), await countsOf(other)]).toEqual([[], []]);
});

it('a refusal that cannot be counted is still answered, and logged', async () => {
  const flow = await refusing({ percent: 100 });
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  await api.database.pool.query('ALTER TABLE flow_rollout_counts ADD CONSTRAINT none CHECK (refused = 0) NOT VALID');
  try {
    expect(await pay(flow)).toBe(409);
  } finally {
    await api.database.pool.query('ALTER TABLE flow_rollout_counts DROP CONSTRAINT none');
  }
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ rolloutId: flow.rollout.id }));
  expect(await countsOf(flow)).toEqual([]);
  error.mockRestore();
});
