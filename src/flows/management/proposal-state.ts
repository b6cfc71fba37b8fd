import type { ApprovalRequestRow } from './version-approvals.queries.js';

/**
 * The way of a version as a proposal. `draft`: no one is asked yet. `waiting`: for an approval. `approved`, `rejected`,
 * `withdrawn`: the end of the request. `rolling_out`: a part of the payments uses it. `active`: all of them. `superseded`: it
 * was active, or is an older draft than the active version.
 */
export const PROPOSAL_STATES = [
  'draft',
  'waiting',
  'approved',
  'rejected',
  'withdrawn',
  'rolling_out',
  'active',
  'superseded',
] as const;

export type ProposalState = (typeof PROPOSAL_STATES)[number];

interface Proposed {
  status: 'draft' | 'candidate' | 'active' | 'retired';
  version: number;
  active_version: number;
  approvals: readonly unknown[];
  last_request: Pick<ApprovalRequestRow, 'status'> | null;
}

/** An approval is final, so it holds regardless of later requests. Pure. */
export function proposalState({ status, version, active_version, approvals, last_request }: Proposed): ProposalState {
  if (status === 'active') return 'active';
  if (status === 'candidate') return 'rolling_out';
  if (status === 'retired') return 'superseded';
  if (last_request?.status === 'waiting') return 'waiting';
  if (approvals.length > 0) return 'approved';
  if (last_request?.status === 'rejected') return 'rejected';
  if (version < active_version) return 'superseded';
  return last_request?.status === 'withdrawn' ? 'withdrawn' : 'draft';
}
