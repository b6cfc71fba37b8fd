import type { Counter } from '../../platform/counters/counter.js';

/**
 * Outcomes by version and stage of a rollout. A trigger of `payments` counts all but the refused ones. `cluster` divides
 * customers, or payments without one, into 256 groups; those of sandbox payments are above (migration
 * `sandbox-rollout-counts`). The comparison of a rollout that has ended stays readable: at most 512 rows a stage.
 */
export const ROLLOUT_PAYMENTS: Counter = {
  counts: 'payments that a version of a flow got in a rollout',
  table: 'flow_rollout_counts',
  by: ['rollout_id', 'stage', 'candidate', 'cluster'],
  measures: ['payments', 'approved', 'declined', 'refused'],
  isSharded: true,
};
