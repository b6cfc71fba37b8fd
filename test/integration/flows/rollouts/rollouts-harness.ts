import { expect } from '@jest/globals';
import type { Answer } from '../../../support/app/application.js';
import type { Caller } from '../flows-harness.js';

export interface RolloutBody {
  id: number;
  flow_id: number;
  version: number;
  base_version: number;
  percent: number;
  key: string;
  status: string;
  end_cause: string | null;
  ended_at: string | null;
  stages: { stage: number; percent: number; since: string; reason: string | null }[];
}

export interface FlowWithRollout {
  id: number;
  name: string;
  path: string;
  rollout: RolloutBody;
}

/** A `Caller`, or a client of a whole API. */
type Requests = <T>(...call: Parameters<Caller>) => Promise<Pick<Answer<T>, 'status' | 'body'>>;

let flowsMade = 0;

/** A new flow with version 1, and version 2 as a draft. */
export async function aFlowWithDraft(
  call: Requests,
  base: object,
  candidate: object,
): Promise<Omit<FlowWithRollout, 'rollout'>> {
  const name = `flow with a draft ${++flowsMade}`;
  const made = await call<{ data: { id: number } }>('POST', '/flows', { name, ...base });
  expect(made.status).toBe(201);
  const path = `/flows/${made.body.data.id}`;
  expect((await call('POST', `${path}/versions`, candidate)).status).toBe(201);
  return { id: made.body.data.id, name, path };
}

/** The same, with a rollout of version 2. */
export async function aRollout(
  call: Requests,
  base: object,
  candidate: object,
  request: object = {},
): Promise<FlowWithRollout> {
  const flow = await aFlowWithDraft(call, base, candidate);
  const body = { version: 2, percent: 50, key: 'payment', ...request };
  const started = await call<{ data: RolloutBody }>('POST', `${flow.path}/rollouts`, body);
  expect(started.status).toBe(201);
  return { ...flow, rollout: started.body.data };
}
