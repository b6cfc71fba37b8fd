import { expect, it } from '@jest/globals';
import { proposalState } from './proposal-state.js';

type Proposed = Parameters<typeof proposalState>[0];

const DRAFT: Proposed = { status: 'draft', version: 5, active_version: 4, approvals: [], last_request: null };
const asked = (status: NonNullable<Proposed['last_request']>['status']) => ({ last_request: { status } });
const approvals = [{}];

it.each<[state: string, change: Partial<Proposed>]>([
  ['draft', {}],
  ['waiting', asked('waiting')],
  ['waiting', { ...asked('waiting'), active_version: 6 }],
  ['approved', { approvals }],
  ['approved', { ...asked('approved'), approvals }],
  ['rejected', asked('rejected')],
  ['withdrawn', asked('withdrawn')],
  ['superseded', { active_version: 6 }],
  ['superseded', { ...asked('withdrawn'), active_version: 6 }],
  ['superseded', { status: 'retired', ...asked('approved'), approvals }],
  ['rolling_out', { status: 'candidate', approvals }],
  ['active', { status: 'active', active_version: 5, ...asked('waiting') }],
])('a version is %s as a proposal: %j', (state, change) => {
  expect(proposalState({ ...DRAFT, ...change })).toBe(state);
});
