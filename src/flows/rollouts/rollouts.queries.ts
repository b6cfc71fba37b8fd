import type { Statement } from '../../platform/database/database.js';
import type { Condition } from '@payment-orchestrator/routing/definition/condition';
import { abortsOf } from '../routing/activation-event-sql.js';
import { insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';
import type { RolloutKey } from '@payment-orchestrator/routing/decision/rollout';

/** A period with one percent. */
interface StageRow {
  /** From 1. */
  stage: number;
  percent: number;
  /** In JSON. */
  since: string;
  reason: string | null;
}

export interface RolloutRow {
  id: number;
  flow_id: number;
  /** The candidate. */
  version: number;
  /** The version that was active when the rollout began. */
  base_version: number;
  percent: number;
  key: RolloutKey;
  /** Only payments that meet it take part; `null`: all. */
  when: Condition | null;
  status: 'running' | 'promoted' | 'aborted';
  /** All three or none: the guardrail. */
  max_drop_points: number | null;
  min_payments: number | null;
  confidence: number | null;
  reason: string | null;
  /** `null` while it is running. */
  end_cause: 'requested' | 'guardrail' | 'flow_deleted' | null;
  end_reason: string | null;
  started_by: string;
  ended_by: string | null;
  started_at: Date;
  updated_at: Date;
  ended_at: Date | null;
  /** In order; the last one is the present one, or the one in which it ended. */
  stages: StageRow[];
}

const SELECT_ROLLOUT = `SELECT r.id, r.flow_id, r.version, r.base_version, r.percent::float8 AS percent, r.key,
    r.condition AS when, r.status,
    r.max_drop_points, r.min_payments, r.confidence, r.reason, r.end_cause, r.end_reason, r.started_by, r.ended_by,
    r.started_at, r.updated_at, r.ended_at, (
      SELECT json_agg(json_build_object('stage', s.stage, 'percent', s.percent, 'since', s.since, 'reason', s.reason)
        ORDER BY s.stage)
      FROM flow_rollout_stages s WHERE s.rollout_id = r.id) AS stages
  FROM flow_rollouts r JOIN flows f ON f.id = r.flow_id
  WHERE f.merchant_id = $1 AND f.id = $2 AND f.deleted_at IS NULL`;

/** $1 merchant, $2 flow, $3 rollout. */
export const FIND_ROLLOUT: Statement = { name: 'rollouts.find', text: `${SELECT_ROLLOUT} AND r.id = $3` };

/** Newest first; $1 merchant, $2 flow, $3 the id to start below, $4 the number of rows. */
export const ROLLOUTS_PAGE: Statement = {
  name: 'rollouts.page',
  text: `${SELECT_ROLLOUT} AND r.id < $3 ORDER BY r.id DESC LIMIT $4`,
};

/**
 * Rollout, first stage and counter of a locked flow: $1 flow, $2 candidate, $3 percent, $4 key, $5 to $7 guardrail, $8
 * reason, $9 actor, $10 condition as JSON or `null`.
 */
export const INSERT_ROLLOUT: Statement = {
  name: 'rollouts.insert',
  text: `WITH rollout AS (
      INSERT INTO flow_rollouts (flow_id, merchant_id, version, base_version, percent, key, max_drop_points, min_payments,
        confidence, reason, started_by, condition)
      SELECT id, merchant_id, $2, active_version, $3, $4, $5, $6, $7, $8, $9, $10 FROM flows WHERE id = $1
      RETURNING id, percent, reason, started_by
    ), stage AS (
      INSERT INTO flow_rollout_stages (rollout_id, stage, percent, reason, changed_by)
      SELECT id, 1, percent, reason, started_by FROM rollout
    ), counter AS (INSERT INTO flow_rollout_counters (rollout_id) SELECT id FROM rollout)
    SELECT id FROM rollout`,
};

/** Begins the next stage of a running rollout, whose flow is locked: $1 rollout, $2 percent, $3 reason, $4 actor. */
export const BEGIN_STAGE: Statement = {
  name: 'rollouts.begin_stage',
  text: `WITH rollout AS (
      UPDATE flow_rollouts SET percent = $2, stage = stage + 1, updated_at = now() WHERE id = $1 AND status = 'running'
      RETURNING id, stage, percent
    )
    INSERT INTO flow_rollout_stages (rollout_id, stage, percent, reason, changed_by)
    SELECT id, stage, percent, $3, $4 FROM rollout`,
};

/** Ends a running rollout whose candidate is active now: $1 rollout, $2 reason, $3 actor. */
export const END_PROMOTED: Statement = {
  name: 'rollouts.end_promoted',
  text: `UPDATE flow_rollouts SET status = 'promoted', end_cause = 'requested', end_reason = $2, ended_by = $3, ended_at = now(),
      updated_at = now()
    WHERE id = $1 AND status = 'running'`,
};

/**
 * Aborts a running rollout whose flow is locked, with its event: $1 rollout, $2 cause, $3 reason, $4 actor, $5 the numbers
 * of the guardrail as JSON, or `null`.
 */
export const ABORT_ROLLOUT: Statement = {
  name: 'rollouts.abort',
  text: `WITH aborted AS (
      UPDATE flow_rollouts SET status = 'aborted', end_cause = $2, end_reason = $3, ended_by = $4, ended_at = now(),
        updated_at = now()
      WHERE id = $1 AND status = 'running'
      RETURNING id, flow_id, version, end_cause
    ), of_flows AS (
      SELECT f.id, f.merchant_id, f.name, f.active_version AS version, x.version AS previous_version, x.end_cause,
        x.id AS rollout_id, $5::json AS guardrail
      FROM aborted x JOIN flows f ON f.id = x.flow_id
    ), ${insertEvents([], abortsOf('of_flows'))}
    SELECT id FROM aborted`,
};

/** The flow of the rollout $1, if it is running. */
export const FLOW_OF_RUNNING: Statement = {
  name: 'rollouts.flow_of_running',
  text: `SELECT merchant_id, flow_id, version FROM flow_rollouts WHERE id = $1 AND status = 'running'`,
};
