import { expect, it, jest } from '@jest/globals';
import { AuditLogService } from '../../../../src/audit/audit-log.service.js';
import { RolloutGuardrails } from '../../../../src/flows/rollouts/guardrail.job.js';
import { RolloutAborts } from '../../../../src/flows/rollouts/rollout-aborts.service.js';
import type { Database } from '../../../../src/platform/database/database.js';
import { Metrics } from '../../../../src/platform/observability/metrics.js';
import type { TestDatabase } from '../../../support/servers/database.js';
import { type Caller, over, withFlows } from '../flows-harness.js';
import { aRollout, type FlowWithRollout, type RolloutBody } from './rollouts-harness.js';

let database: TestDatabase;
let call: Caller;
let alpha: number;
let beta: number;

withFlows((flows) => ({ database, call, alpha, beta } = flows), {});

const HALF = { share: 0.5, planned_share: 0.5 };
const GUARDRAIL = { max_drop_points: 5, min_payments: 50 };
const running = (request: object = { guardrail: GUARDRAIL }): Promise<FlowWithRollout> =>
  aRollout(call, over(alpha), over(beta), request);

/** The job of a worker with its own metrics. */
function aWorker(): { check: () => Promise<void>; aborts: RolloutAborts; aborted: () => Promise<number> } {
  const metrics = new Metrics();
  const connections = database.database as unknown as Database;
  const aborts = new RolloutAborts(connections, new AuditLogService());
  const { job } = new RolloutGuardrails(connections, aborts, metrics);
  return {
    check: () => job.run(new AbortController().signal),
    aborts,
    aborted: async () => Number(/^flow_rollouts_aborted_total (\d+)$/m.exec(await metrics.render())![1]),
  };
}

/** Payments, each approved or declined. `customerId`: of one customer; by default each is of a customer of its own. */
async function pay(
  { rollout }: FlowWithRollout,
  version: number,
  approved: number,
  declined: number,
  customerId: number | null = null,
): Promise<void> {
  await database.pool.query(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
      status, created_at, updated_at, expires_at, rollout_id, rollout_stage, customer_id)
    SELECT 1, 1, $1, $2, 'ps_test', 'sandbox', 100, 'USD', CASE WHEN number <= $3 THEN 'completed' ELSE 'failed' END, now(), now(),
      now(), $4, 1, $6 FROM generate_series(1, $3::integer + $5) number`,
    [rollout.flow_id, version, approved, rollout.id, declined, customerId],
  );
}

const read = async ({ path, rollout }: FlowWithRollout) =>
  (await call<{ data: RolloutBody }>('GET', `${path}/rollouts/${rollout.id}`)).body.data;
const rowsOf = async <T>(statement: string, value: unknown): Promise<T[]> =>
  (await database.pool.query(statement, [value])).rows as T[];
const eventsOf = async ({ id }: FlowWithRollout): Promise<unknown[]> => {
  const rows = await rowsOf<{ data: unknown }>(
    `SELECT data FROM webhook_events WHERE type = 'flow.rolled_back' AND (data ->> 'flow_id')::bigint = $1`,
    id,
  );
  return rows.map(({ data }) => data);
};
const auditOf = ({ id }: FlowWithRollout): Promise<unknown[]> =>
  rowsOf(
    `SELECT actor, details FROM audit_entries WHERE action = 'flow.rollout_aborted' AND object_id = $1`,
    String(id),
  );
const comparisonOf = async (flow: FlowWithRollout): Promise<unknown> =>
  ((await read(flow)) as RolloutBody & { comparison: unknown }).comparison;
const isAborted = async (flow: FlowWithRollout): Promise<boolean> => (await read(flow)).status === 'aborted';

it('RolloutGuardrails aborts a bad candidate once, with two workers, and leaves others', async () => {
  const [bad, good, unguarded] = [await running(), await running(), await running({})];
  for (const flow of [bad, good, unguarded]) await pay(flow, 1, 180, 20);
  await pay(bad, 2, 140, 60);
  await pay(good, 2, 178, 22);
  await pay(unguarded, 2, 0, 200);
  const workers = [aWorker(), aWorker()];
  await Promise.all(workers.map(({ check }) => check()));
  for (const { check } of workers) await check();
  expect([await isAborted(bad), await isAborted(good), await isAborted(unguarded)]).toEqual([true, false, false]);
  expect(await read(bad)).toMatchObject({ end_cause: 'guardrail', ended_by: 'system', end_reason: null });
  const guardrail = {
    max_drop_points: 5,
    drop_points: 20,
    base: { payments: 200, approved: 180, declined: 20, refused: 0 },
    candidate: { payments: 200, approved: 140, declined: 60, refused: 0 },
  };
  expect(await eventsOf(bad)).toEqual([
    expect.objectContaining({ flow_id: bad.id, reason: 'guardrail', rollout_id: bad.rollout.id, guardrail }),
  ]);
  expect(await auditOf(bad)).toEqual([
    { actor: 'system', details: expect.objectContaining({ cause: 'guardrail', drop_points: 20, version: 2 }) },
  ]);
  const counted = await Promise.all(workers.map(({ aborted }) => aborted()));
  expect(counted[0]! + counted[1]!).toBe(1);
});

it('RolloutGuardrails aborts by the payments of one customer, unless customers are divided', async () => {
  const byPayment = await running({ guardrail: GUARDRAIL, key: 'payment' });
  const byCustomer = await running({ guardrail: GUARDRAIL, key: 'customer' });
  const { rows } = await database.pool.query<{ id: number }>(
    'INSERT INTO customers (merchant_id) VALUES (1) RETURNING id',
  );
  for (const flow of [byPayment, byCustomer]) {
    await pay(flow, 1, 120, 0, rows[0]!.id);
    await pay(flow, 2, 0, 120, rows[0]!.id);
  }
  await aWorker().check();
  expect([await isAborted(byPayment), await isAborted(byCustomer)]).toEqual([true, false]);
  expect(await comparisonOf(byCustomer)).toMatchObject({ guardrail: { evidence: 0, payments_needed: null } });
});

it('RolloutGuardrails waits for the minimum of payments', async () => {
  const flow = await running();
  await pay(flow, 1, 180, 20);
  await pay(flow, 2, 0, 49);
  const { check } = aWorker();
  await check();
  expect(await isAborted(flow)).toBe(false);
  await pay(flow, 2, 0, 1);
  await check();
  expect(await isAborted(flow)).toBe(true);
});

it('RolloutGuardrails repeats an abort that failed, and checks the other rollouts meanwhile', async () => {
  const flows = [await running(), await running()];
  for (const flow of flows) {
    await pay(flow, 1, 180, 20);
    await pay(flow, 2, 0, 100);
  }
  const { check, aborts, aborted } = aWorker();
  jest.spyOn(aborts, 'abortByGuardrail').mockRejectedValueOnce(new Error('the process dies before the abort'));
  await check();
  expect([await isAborted(flows[0]!), await isAborted(flows[1]!)]).toEqual([false, true]);
  await check();
  expect(await isAborted(flows[0]!)).toBe(true);
  expect(await aborted()).toBe(2);
  expect(await eventsOf(flows[0]!)).toHaveLength(1);
});

it('GET /flows/{id}/rollouts/{rollout_id} compares the versions, and shows how close the guardrail is', async () => {
  const [flow, unguarded] = [await running(), await running({})];
  expect(await comparisonOf(unguarded)).toMatchObject({
    difference: null,
    doubt: 'not_enough_payments',
    guardrail: null,
  });
  await pay(flow, 1, 180, 20);
  await pay(flow, 2, 170, 30);
  const payments = { payments: 200, refused: 0 };
  const rate = (estimate: number) => ({ estimate, low: expect.any(Number), high: expect.any(Number) });
  expect(await comparisonOf(flow)).toEqual({
    versions: [
      { version: 1, role: 'base', ...payments, approved: 180, declined: 20, approval_rate: rate(0.9), ...HALF },
      { version: 2, role: 'candidate', ...payments, approved: 170, declined: 30, approval_rate: rate(0.85), ...HALF },
    ],
    difference: rate(-0.05),
    doubt: null,
    guardrail: {
      evidence: expect.closeTo(0.35, 1),
      payments_needed: expect.any(Number),
      is_waiting_for_payments: false,
    },
  });
});
