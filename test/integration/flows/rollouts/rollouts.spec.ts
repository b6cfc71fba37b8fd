import { describe, expect, it } from '@jest/globals';
import { AuditLogService } from '../../../../src/audit/audit-log.service.js';
import { SYSTEM } from '../../../../src/audit/audit-context.js';
import { VersionApprovalsService } from '../../../../src/flows/management/version-approvals.service.js';
import { FlowsService } from '../../../../src/flows/management/flows.service.js';
import type { RolloutId } from '../../../../src/flows/rollouts/locked-rollout.js';
import { RolloutAborts } from '../../../../src/flows/rollouts/rollout-aborts.service.js';
import { RolloutsService } from '../../../../src/flows/rollouts/rollouts.service.js';
import type { Transaction } from '../../../../src/platform/database/database.js';
import type { TestDatabase } from '../../../support/servers/database.js';
import { aMerchant, type Caller, type FlowsApplication, over, type ProblemBody, withFlows } from '../flows-harness.js';
import { aFlowWithDraft, aRollout, type FlowWithRollout, type RolloutBody } from './rollouts-harness.js';

let database: TestDatabase;
let merchant: number;
let call: Caller;
let alpha: number;
let beta: number;

let app: FlowsApplication;
let aborts: RolloutAborts;

withFlows((flows) => {
  ({ database, app, merchant, call, alpha, beta } = flows);
  aborts = new RolloutAborts(database.database as never, new AuditLogService());
});

const CROSSED = {
  maxDropPoints: 2,
  dropPoints: 11.7,
  base: { payments: 120, approved: 110, declined: 10, refused: 0 },
  candidate: { payments: 110, approved: 80, declined: 20, refused: 5 },
};

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const refused = (code: string, status = 409) => ({ status, body: { code } });
const running = (request: object = {}): Promise<FlowWithRollout> => aRollout(call, over(alpha), over(beta), request);
const pathOf = ({ path, rollout }: FlowWithRollout): string => `${path}/rollouts/${rollout.id}`;
const read = async (flow: FlowWithRollout) => (await call<{ data: RolloutBody }>('GET', pathOf(flow))).body.data;
const end = (flow: FlowWithRollout, how: 'promote' | 'abort', body?: object) =>
  call<{ data: RolloutBody } & ProblemBody>('POST', `${pathOf(flow)}/${how}`, body);
const change = (flow: FlowWithRollout, percent: number, reason?: string) =>
  call<{ data: RolloutBody } & ProblemBody>('PATCH', pathOf(flow), { percent, reason });
const flowOf = async ({ path }: FlowWithRollout) =>
  (await call<{ data: { version: number; rollout: object | null } }>('GET', path)).body.data;
/** Without sequences: they count also what is rolled back. */
const dumpOfRows = async () => (await database.dump()).replaceAll(/^ +\(\d+,t\)$/gm, '');
const rowsOf = async <T>(statement: string, values: unknown[]): Promise<T[]> =>
  (await database.pool.query(statement, values)).rows as T[];
const eventsOf = (flow: FlowWithRollout) =>
  rowsOf<{ type: string; data: object }>(
    `SELECT type, data FROM webhook_events WHERE (data ->> 'flow_id')::bigint = $1 ORDER BY event_position, id`,
    [flow.id],
  );
const auditOf = (flow: FlowWithRollout) =>
  rowsOf<{ actor: string; action: string; details: object }>(
    `SELECT actor, action, details FROM audit_entries WHERE object_id = $1 AND action LIKE 'flow.rollout%' ORDER BY id`,
    [String(flow.id)],
  );

describe('the start of a rollout', () => {
  it('returns it, and shows it with the flow', async () => {
    const guardrail = { max_drop_points: 2.5 };
    const flow = await running({ percent: 12.5, key: 'customer', guardrail, reason: 'Beta costs less' });
    const { rollout } = flow;
    expect(rollout).toEqual({
      id: rollout.id,
      flow_id: flow.id,
      version: 2,
      base_version: 1,
      percent: 12.5,
      key: 'customer',
      when: null,
      status: 'running',
      guardrail: { max_drop_points: 2.5, min_payments: 100, confidence: 0.95 },
      reason: 'Beta costs less',
      end_cause: null,
      end_reason: null,
      started_by: 'test',
      ended_by: null,
      started_at: TIME,
      updated_at: TIME,
      ended_at: null,
      stages: [{ stage: 1, percent: 12.5, since: TIME, reason: 'Beta costs less' }],
    });
    expect(await read(flow)).toMatchObject(rollout);
    const shown = { version: 1, rollout: { id: rollout.id, version: 2, percent: 12.5, key: 'customer' } };
    expect(await flowOf(flow)).toMatchObject(shown);
    const { body } = await call<{ data: object[] }>('GET', '/flows?limit=1');
    expect(body.data).toMatchObject([shown]);
    const details = { rollout_id: rollout.id, version: 2, percent: 12.5, key: 'customer', reason: 'Beta costs less' };
    expect(await auditOf(flow)).toEqual([{ actor: 'client', action: 'flow.rollout_started', details }]);
  });

  it('fails while one is running, for the active version and for another base', async () => {
    const flow = await running();
    expect(await call('POST', `${flow.path}/rollouts`, { version: 2, percent: 5, key: 'payment' })).toMatchObject(
      refused('flow_rollout_running'),
    );
    const other = await aFlowWithDraft(call, over(alpha), over(beta));
    const start = (request: object) =>
      call<ProblemBody>('POST', `${other.path}/rollouts`, { version: 2, percent: 5, key: 'payment', ...request });
    const before = await database.dump();
    expect(await start({ version: 1 })).toMatchObject(refused('flow_version_active'));
    expect(await start({ version: 3 })).toMatchObject(refused('flow_version_not_found', 404));
    expect(await start({ based_on_version: 2 })).toMatchObject(refused('flow_changed'));
    expect(await database.dump()).toBe(before);
  });

  it.each<[string, object]>([
    ['percent', { percent: 100.01 }],
    ['percent', { percent: -1 }],
    ['percent', { percent: 33.333 }],
    ['percent', { percent: 1e-7 }],
    ['key', { key: 'shop' }],
    ['guardrail.max_drop_points', { guardrail: { max_drop_points: 0.05 } }],
    ['guardrail.min_payments', { guardrail: { max_drop_points: 2, min_payments: 19 } }],
    ['guardrail.confidence', { guardrail: { max_drop_points: 2, confidence: 1 } }],
    ['reason', { reason: '' }],
    ['when.colour', { when: { colour: { equals: 'red' } } }],
  ])('fails with an invalid %s', async (field, request) => {
    const flow = await aFlowWithDraft(call, over(alpha), over(beta));
    const body = { version: 2, percent: 5, key: 'payment', ...request };
    const answer = await call<ProblemBody>('POST', `${flow.path}/rollouts`, body);
    expect([answer.status, answer.body.errors[0]!.field]).toEqual([422, field]);
  });

  it('fails for a version that breaks its assertions', async () => {
    const broken = { ...over(beta), assertions: [{ when: {}, at_least: 2 }] };
    const flow = await aFlowWithDraft(call, over(alpha), broken);
    const answer = await call('POST', `${flow.path}/rollouts`, { version: 2, percent: 5, key: 'payment' });
    expect(answer).toMatchObject(refused('flow_assertion_violated'));
  });

  it('happens once if it is requested twice at the same time', async () => {
    const flow = await aFlowWithDraft(call, over(alpha), over(beta));
    const start = () => call('POST', `${flow.path}/rollouts`, { version: 2, percent: 5, key: 'payment' });
    const answers = await Promise.all([start(), start(), start(), start()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const { body } = await call<{ data: object[] }>('GET', `${flow.path}/rollouts`);
    expect(body.data).toHaveLength(1);
  });
});

describe('the rollouts of a flow', () => {
  it('come newest first, by pages', async () => {
    const flow = await running();
    await end(flow, 'abort');
    const again = { version: 2, percent: 1, key: 'customer' };
    const { body: second } = await call<{ data: RolloutBody }>('POST', `${flow.path}/rollouts`, again);
    type Page = { data: RolloutBody[]; pagination: { next_cursor: string | null } };
    const first = (await call<Page>('GET', `${flow.path}/rollouts?limit=1`)).body;
    expect(first.data).toEqual([second.data]);
    const next = (await call<Page>('GET', `${flow.path}/rollouts?cursor=${first.pagination.next_cursor}`)).body;
    expect(next.data).toMatchObject([{ id: flow.rollout.id, status: 'aborted' }]);
    expect(next.pagination.next_cursor).toBeNull();
  });

  it('stay unknown to other merchants and other flows', async () => {
    const flow = await running();
    const other = await running();
    const stranger = app.as(await aMerchant(database));
    const before = await database.dump();
    for (const [method, url, body] of [
      ['GET', `${flow.path}/rollouts`, undefined],
      ['POST', `${flow.path}/rollouts`, { version: 2, percent: 5, key: 'payment' }],
      ['GET', pathOf(flow), undefined],
      ['PATCH', pathOf(flow), { percent: 5 }],
      ['POST', `${pathOf(flow)}/promote`, {}],
      ['POST', `${pathOf(flow)}/abort`, {}],
    ] as const) {
      expect(await stranger(method, url, body)).toMatchObject(refused('flow_not_found', 404));
      if (!url.startsWith(pathOf(flow))) continue;
      const elsewhere = url.replace(flow.path, other.path);
      expect(await call(method, elsewhere, body)).toMatchObject(refused('flow_rollout_not_found', 404));
    }
    expect(await database.dump()).toBe(before);
  });
});

describe('a running rollout', () => {
  it('changes its percent in stages, and once for a repeated request', async () => {
    const flow = await running({ percent: 5 });
    expect((await change(flow, 20, 'no declines')).body.data).toMatchObject({ percent: 20, status: 'running' });
    await change(flow, 0);
    expect((await change(flow, 0)).body.data).toEqual(expect.objectContaining({ percent: 0 }));
    expect((await read(flow)).stages).toEqual([
      { stage: 1, percent: 5, since: TIME, reason: null },
      { stage: 2, percent: 20, since: TIME, reason: 'no declines' },
      { stage: 3, percent: 0, since: TIME, reason: null },
    ]);
    expect((await auditOf(flow)).map(({ action }) => action)).toEqual([
      'flow.rollout_started',
      'flow.rollout_changed',
      'flow.rollout_changed',
    ]);
    await Promise.all([1, 2, 3, 3, 3].map((percent) => change(flow, percent)));
    const { stages } = await read(flow);
    expect(stages.map(({ stage }) => stage)).toEqual(stages.map((_, index) => index + 1));
  });

  it('takes at most a hundred stages', async () => {
    const flow = await running();
    await database.pool.query(
      `INSERT INTO flow_rollout_stages (rollout_id, stage, percent, changed_by)
      SELECT $1, stage, 5, 'test' FROM generate_series(2, 100) AS stage`,
      [flow.rollout.id],
    );
    await database.pool.query('UPDATE flow_rollouts SET stage = 100 WHERE id = $1', [flow.rollout.id]);
    expect(await change(flow, 60)).toMatchObject(refused('flow_rollout_stages_reached'));
    expect((await end(flow, 'promote')).status).toBe(200);
  });

  it('gives its version the status of a candidate until it ends, also one that was active before', async () => {
    const flow = await running({ percent: 5 });
    type Versions = { data: { status: string; rollout: object | null }[] };
    const versions = async () =>
      (await call<Versions>('GET', `${flow.path}/versions`)).body.data.map(({ status, rollout }) => [status, rollout]);
    const candidate = { id: flow.rollout.id, version: 2, percent: 5, key: 'payment' };
    expect(await versions()).toEqual([
      ['candidate', candidate],
      ['active', null],
    ]);
    await change(flow, 12.5);
    const { body } = await call<{ data: object }>('GET', `${flow.path}/versions/2`);
    expect(body.data).toMatchObject({ status: 'candidate', rollout: { percent: 12.5 } });
    await end(flow, 'abort');
    expect(await versions()).toEqual([
      ['draft', null],
      ['active', null],
    ]);
    expect((await call('POST', `${flow.path}/versions/2/activate`)).status).toBe(200);
    await call('POST', `${flow.path}/rollouts`, { version: 1, percent: 5, key: 'payment' });
    expect((await versions()).map(([status]) => status)).toEqual(['active', 'candidate']);
  });

  it('keeps other versions from becoming active, but no name from changing', async () => {
    const flow = await running();
    await call('POST', `${flow.path}/versions`, over(alpha, beta));
    const before = await database.dump();
    for (const version of [2, 3])
      expect(await call('POST', `${flow.path}/versions/${version}/activate`)).toMatchObject(
        refused('flow_rollout_running'),
      );
    expect(await call('PATCH', flow.path, { max_attempts: 2 })).toMatchObject(refused('flow_rollout_running'));
    expect((await call('POST', `${flow.path}/versions/1/activate`)).status).toBe(200);
    expect(await database.dump()).toBe(before);
    const renamed = await call('PATCH', flow.path, { name: `${flow.name} again` });
    expect(renamed).toMatchObject({ status: 200, body: { data: { version: 1, rollout: { id: flow.rollout.id } } } });
    await end(flow, 'abort');
    expect((await call('PATCH', flow.path, { max_attempts: 2 })).status).toBe(200);
  });

  it('ends with its flow', async () => {
    const flow = await running();
    expect((await call('DELETE', flow.path)).status).toBe(204);
    expect(await call('GET', pathOf(flow))).toMatchObject(refused('flow_not_found', 404));
    const ends = await rowsOf('SELECT status, end_cause, ended_by FROM flow_rollouts WHERE id = $1', [flow.rollout.id]);
    expect(ends).toEqual([{ status: 'aborted', end_cause: 'flow_deleted', ended_by: 'test' }]);
    const details = { rollout_id: flow.rollout.id, version: 2, cause: 'flow_deleted' };
    expect((await auditOf(flow)).slice(1)).toEqual([{ actor: 'client', action: 'flow.rollout_aborted', details }]);
  });
});

describe('the end of a rollout', () => {
  const facts = (flow: FlowWithRollout) => ({ flow_id: flow.id, flow_name: flow.name });

  it('by promotion activates the candidate once', async () => {
    const flow = await running();
    const { body } = await end(flow, 'promote', { reason: 'better' });
    const ended = {
      status: 'promoted',
      end_cause: 'requested',
      end_reason: 'better',
      ended_by: 'test',
      ended_at: TIME,
    };
    expect(body.data).toMatchObject(ended);
    const before = await database.dump();
    expect((await end(flow, 'promote')).body.data).toEqual(body.data);
    for (const answer of [await end(flow, 'abort'), await change(flow, 5)])
      expect(answer).toMatchObject(refused('flow_rollout_ended'));
    expect(await database.dump()).toBe(before);
    expect(await flowOf(flow)).toMatchObject({ version: 2, rollout: null });
    expect((await eventsOf(flow)).at(-1)).toEqual({
      type: 'flow.activated',
      data: { ...facts(flow), version: 2, previous_version: 1 },
    });
    const details = { rollout_id: flow.rollout.id, version: 2, reason: 'better' };
    expect((await auditOf(flow)).at(-1)).toMatchObject({ action: 'flow.rollout_promoted', details });
    expect((await call('GET', `${flow.path}/versions/2`)).body).toMatchObject({
      data: { status: 'active', activated_by: 'test', reason: 'better' },
    });
  });

  it('by promotion of an earlier version is reported as rolled back', async () => {
    const flow = await running();
    await end(flow, 'promote');
    const again = await call<{ data: RolloutBody }>('POST', `${flow.path}/rollouts`, {
      version: 1,
      percent: 50,
      key: 'payment',
    });
    const back = { ...flow, rollout: again.body.data };
    await end(back, 'promote');
    expect((await eventsOf(flow)).at(-1)).toEqual({
      type: 'flow.rolled_back',
      data: {
        ...facts(flow),
        version: 1,
        previous_version: 2,
        reason: 'requested',
        rollout_id: back.rollout.id,
        guardrail: null,
      },
    });
  });

  it('by abort leaves the active version, once', async () => {
    const flow = await running();
    const { body } = await end(flow, 'abort', { reason: 'worse' });
    expect(body.data).toMatchObject({ status: 'aborted', end_cause: 'requested', end_reason: 'worse' });
    const before = await database.dump();
    expect((await end(flow, 'abort')).body.data).toEqual(body.data);
    expect(await end(flow, 'promote')).toMatchObject(refused('flow_rollout_ended'));
    expect(await database.dump()).toBe(before);
    expect(await flowOf(flow)).toMatchObject({ version: 1, rollout: null });
    expect((await eventsOf(flow)).at(-1)).toEqual({
      type: 'flow.rolled_back',
      data: {
        ...facts(flow),
        version: 1,
        previous_version: 2,
        reason: 'requested',
        rollout_id: flow.rollout.id,
        guardrail: null,
      },
    });
  });

  it('by its guardrail names the numbers, and only while it is running', async () => {
    const flow = await running({ guardrail: { max_drop_points: 2 } });
    const results = await Promise.all([1, 2].map(() => aborts.abortByGuardrail(flow.rollout.id, CROSSED)));
    expect(results.sort()).toEqual([false, true]);
    expect(await read(flow)).toMatchObject({ status: 'aborted', end_cause: 'guardrail', ended_by: 'system' });
    const events = (await eventsOf(flow)).filter(({ type }) => type === 'flow.rolled_back');
    const { base, candidate } = CROSSED;
    const guardrail = { max_drop_points: 2, drop_points: 11.7, base, candidate };
    expect(events).toMatchObject([{ data: { reason: 'guardrail', rollout_id: flow.rollout.id, guardrail } }]);
    const details = {
      rollout_id: flow.rollout.id,
      version: 2,
      cause: 'guardrail',
      drop_points: 11.7,
      max_drop_points: 2,
    };
    expect((await auditOf(flow)).slice(1)).toEqual([{ actor: 'system', action: 'flow.rollout_aborted', details }]);
  });

  it('by its guardrail does nothing to a deleted flow, also one that an older process deleted', async () => {
    const [deletedNow, deletedBefore] = [await running(), await running()];
    const [deletion] = await Promise.all([
      call('DELETE', deletedNow.path),
      aborts.abortByGuardrail(deletedNow.rollout.id, CROSSED),
    ]);
    expect(deletion.status).toBe(204);
    await rowsOf('UPDATE flows SET deleted_at = now() WHERE id = $1', [deletedBefore.id]);
    expect(await aborts.abortByGuardrail(deletedBefore.rollout.id, CROSSED)).toBe(false);
    expect((await eventsOf(deletedBefore)).map(({ type }) => type)).toEqual(['flow.activated']);
    const [ended] = await rowsOf<{ end_cause: string }>('SELECT end_cause FROM flow_rollouts WHERE id = $1', [
      deletedNow.rollout.id,
    ]);
    const events = (await eventsOf(deletedNow)).filter(({ type }) => type === 'flow.rolled_back');
    expect(events).toHaveLength(ended!.end_cause === 'guardrail' ? 1 : 0);
  });

  it('happens once if a promotion, an abort and a guardrail come at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const flow = await running();
      const [promoted, aborted, crossed] = await Promise.all([
        end(flow, 'promote'),
        end(flow, 'abort'),
        aborts.abortByGuardrail(flow.rollout.id, CROSSED),
      ]);
      const { status } = await read(flow);
      const wasPromoted = status === 'promoted';
      expect([promoted.status, aborted.status]).toEqual(wasPromoted ? [200, 409] : [409, 200]);
      if (wasPromoted) expect(crossed).toBe(false);
      expect((await flowOf(flow)).version).toBe(wasPromoted ? 2 : 1);
      expect(await eventsOf(flow)).toHaveLength(2);
      expect(await auditOf(flow)).toHaveLength(2);
    }
  });

  it.each<[string, (dying: never, id: RolloutId) => Promise<unknown>]>([
    ['promotion', (dying, id) => serviceOf(dying).promote(id, undefined, SYSTEM)],
    ['change', (dying, id) => serviceOf(dying).change(id, { percent: 7, reason: undefined }, SYSTEM)],
    ['abort', (dying, id) => abortsOf(dying).abort(id, undefined, SYSTEM)],
    ['deletion', (dying, { merchantId, flowId }) => flowsOf(dying).remove(merchantId, flowId)],
    ['guardrail', (dying, { rolloutId }) => abortsOf(dying).abortByGuardrail(rolloutId, CROSSED)],
  ])('commits as a whole, wherever the process dies during its %s', async (_, way) => {
    const flow = await running();
    const id = { merchantId: merchant, flowId: flow.id, rolloutId: flow.rollout.id };
    const before = await dumpOfRows();
    let deaths = 0;
    while (
      await way(dyingAfter(deaths), id).then(
        () => false,
        () => true,
      )
    ) {
      deaths++;
      expect(await dumpOfRows()).toBe(before);
    }
    expect(deaths).toBeGreaterThan(2);
    expect(await dumpOfRows()).not.toBe(before);
  });

  const audit = new AuditLogService();
  const noApprovals = new VersionApprovalsService(null as never, audit, { flowActivationApprovals: 0 });
  const serviceOf = (dying: never) => new RolloutsService(dying, null as never, noApprovals, audit, null as never);
  const flowsOf = (dying: never) =>
    new FlowsService(dying, null as never, null as never, audit, { maxFlowsPerMerchant: 1 });
  const abortsOf = (dying: never) => new RolloutAborts(dying, new AuditLogService());

  /** A database whose transactions fail at the statement after `count` others. */
  const dyingAfter = (count: number): never => {
    let left = count;
    const transaction = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
      database.database.transaction((real) =>
        work({
          ...real,
          query: (...parameters: Parameters<Transaction['query']>) => {
            if (left-- === 0) throw new Error('the process died');
            return real.query(...parameters);
          },
        } as Transaction),
      );
    return { transaction } as never;
  };
});
