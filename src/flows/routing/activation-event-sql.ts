import { WEBHOOK_EVENTS } from '../../shared/relations.js';

/**
 * Selects the events of flows whose active version changed, for `insertEvents`, from a relation with `id`, `merchant_id`, `name`, `version`,
 * `previous_version` (null: the flow is new) and `was_active` (the version was active before). The flow is locked, and its
 * earlier events are committed: this one comes after them, regardless of the number of its transaction.
 */
export const activationsOf = (relation: string): string =>
  `SELECT ${NEXT_POSITION}, a.merchant_id,
      CASE WHEN ${IS_ROLL_BACK} THEN 'flow.rolled_back' ELSE 'flow.activated' END,
      CASE WHEN ${IS_ROLL_BACK} THEN json_build_object(${FACTS}, 'reason', 'requested', 'rollout_id', ${RUNNING_ROLLOUT},
        'guardrail', NULL) ELSE json_build_object(${FACTS}) END
    FROM ${relation} a`;

const FACTS = `'flow_id', a.id, 'flow_name', a.name, 'version', a.version, 'previous_version', a.previous_version`;

/** A rollout of an earlier version that is promoted. */
const RUNNING_ROLLOUT = `(SELECT r.id FROM flow_rollouts r WHERE r.flow_id = a.id AND r.status = 'running')`;

/**
 * Selects the events of flows whose rollout was aborted, from a relation with `id`, `merchant_id`, `name`, `version` (which
 * all payments get again), `previous_version` (the candidate), `end_cause`, `rollout_id` and `guardrail` (JSON). The flow is
 * locked.
 */
export const abortsOf = (relation: string): string =>
  `SELECT ${NEXT_POSITION}, a.merchant_id, 'flow.rolled_back', json_build_object(${FACTS}, 'reason', a.end_cause,
      'rollout_id', a.rollout_id, 'guardrail', a.guardrail)
    FROM ${relation} a`;

/**
 * Selects the events of flows that were renamed, from a relation with `id`, `merchant_id`, `name` and `previous_name`. The flow
 * is locked.
 */
export const renamesOf = (relation: string): string =>
  `SELECT ${NEXT_POSITION}, a.merchant_id, 'flow.renamed',
      json_build_object('flow_id', a.id, 'flow_name', a.name, 'previous_name', a.previous_name)
    FROM ${relation} a`;

const IS_ROLL_BACK = `a.was_active AND a.version < a.previous_version`;

const latest = (type: string): string =>
  `(SELECT max(w.event_position) FROM ${WEBHOOK_EVENTS} w WHERE w.merchant_id = a.merchant_id AND w.type = '${type}')`;

const FLOW_EVENTS = ['flow.activated', 'flow.rolled_back', 'flow.renamed'];

const NEXT_POSITION = `greatest(current_event_position(), ${FLOW_EVENTS.map(latest).join(', ')})`;
