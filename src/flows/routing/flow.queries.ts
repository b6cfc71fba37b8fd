import type { Statement } from '../../platform/database/database.js';
import { addTo } from '../../platform/counters/counter.js';
import { LAZY_COMMIT } from '../../platform/database/writes.js';
import { haveOutage, summariesOf } from '../../shops/shop-summary.js';
import { ROLLOUT_PAYMENTS } from './rollout-counter.js';
import type { FlowDefinition } from '@payment-orchestrator/routing/definition/definition';
import type { RunningRollout } from '@payment-orchestrator/routing/decision/rollout';

/** A flow in its active version. */
export interface FlowRow {
  id: number;
  name: string;
  version: number;
  definition: FlowDefinition;
  counter: number;
  /** `null`: none is running. */
  rollout: RunningRollout | null;
  created_at: Date;
  updated_at: Date;
}

/** The `RunningRollout` of the flow `f`, as JSON. */
export const RUNNING_ROLLOUT = `(
      SELECT json_build_object('id', r.id, 'version', r.version, 'stage', r.stage, 'percent', r.percent, 'key', r.key,
        'when', r.condition, 'counter', n.counter)
      FROM flow_rollouts r JOIN flow_rollout_counters n ON n.rollout_id = r.id
      WHERE r.flow_id = f.id AND r.status = 'running') AS rollout`;

const selectFlow = (further = ''): string => `
  SELECT f.id, f.name, f.active_version AS version, v.definition, c.counter, f.created_at, f.updated_at,
    ${RUNNING_ROLLOUT}${further}
  FROM flows f
  JOIN flow_versions v ON v.flow_id = f.id AND v.version = f.active_version
  JOIN flow_counters c ON c.flow_id = f.id
  WHERE f.merchant_id = $1 AND f.deleted_at IS NULL`;

/** $1 merchant. */
export const SELECT_FLOW = selectFlow();

/** A flow, and the definition of the candidate of its rollout. */
export interface RoutedFlowRow extends FlowRow {
  candidate_definition: FlowDefinition | null;
}

/** $1 merchant, $2 name → `RoutedFlowRow`. */
export const FLOW_BY_NAME: Statement = {
  name: 'flows.by_name',
  text: `${selectFlow(`, (
      SELECT v.definition FROM flow_rollouts r JOIN flow_versions v ON v.flow_id = r.flow_id AND v.version = r.version
      WHERE r.flow_id = f.id AND r.status = 'running') AS candidate_definition`)} AND f.name = $2`,
};

/** The current state of a flow whose definition is known, with the shops that the definition names. */
export interface FlowStateRow extends Omit<FlowRow, 'definition'> {
  /** JSON text of `ShopSummary[]`, unchanged as long as the shops are unchanged. */
  shops: string;
  /** Whether at least one of the shops is not healthy. */
  has_outage: boolean;
}

const flowState = (name: string, withFees: boolean): Statement => ({
  name,
  text: `SELECT f.id, f.name, f.active_version AS version, c.counter, f.created_at, f.updated_at,
      ${RUNNING_ROLLOUT}, ${summariesOf('$1', '$3::bigint[]', withFees)} AS shops,
      ${haveOutage('$3::bigint[]')} AS has_outage
    FROM flows f JOIN flow_counters c ON c.flow_id = f.id
    WHERE f.merchant_id = $1 AND f.deleted_at IS NULL AND f.name = $2`,
});

/** $1 merchant, $2 name, $3 ids of the shops. */
export const FLOW_STATE: Statement = flowState('flows.state', false);

/** The same for flows whose decisions use the shops' fees. */
export const FLOW_STATE_WITH_FEES: Statement = flowState('flows.state_with_fees', true);

/** Serialises the changes of one flow. Payments never take this lock, so they do not wait for it. */
export const LOCK_FLOW: Statement = {
  name: 'flows.lock',
  text: `SELECT id FROM flows WHERE merchant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
};

/**
 * Counts $2 routed payments in one statement; the row lock lasts until its commit. The commit is not flushed: the
 * values are used by payments that commit later. If those payments are lost, the values may be assigned again.
 */
export const ADVANCE_FLOW_COUNTER: Statement = {
  name: 'flows.advance_counter',
  text: `WITH ${LAZY_COMMIT} UPDATE flow_counters SET counter = counter + $2 FROM lazy WHERE flow_id = $1 RETURNING counter`,
};

/** The same for payments that the candidate of the rollout $1 routes. */
export const ADVANCE_CANDIDATE_COUNTER: Statement = {
  name: 'rollouts.advance_counter',
  text: `WITH ${LAZY_COMMIT} UPDATE flow_rollout_counters SET counter = counter + $2 FROM lazy WHERE rollout_id = $1
    RETURNING counter`,
};

/**
 * Counts a payment of a rollout that no shop takes, as the trigger `count_rollout_payment` counts the others: $1 rollout, $2
 * stage, $3 whether the candidate refused it, $4 the customer's id, or a random number that divides equally.
 */
export const COUNT_REFUSED: Statement = {
  name: 'rollouts.count_refused',
  text: `WITH ${LAZY_COMMIT} ${addTo(ROLLOUT_PAYMENTS, {
    columns: { rollout_id: '$1', stage: '$2', candidate: '$3', cluster: 'hashint8($4) & 255', refused: '1' },
    from: 'FROM lazy',
  })}`,
};

export const FLOW_BY_ID: Statement = { name: 'flows.by_id', text: `${SELECT_FLOW} AND f.id = $2` };
