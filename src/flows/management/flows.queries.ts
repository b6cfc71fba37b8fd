import type { Statement } from '../../platform/database/database.js';
import { SELECT_FLOW } from '../routing/flow.queries.js';
import { activationsOf, renamesOf } from '../routing/activation-event-sql.js';
import { PAYMENTS } from '../../shared/relations.js';
import { insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';

/**
 * Newest first; $2 the id to start below, $3 the number of rows, $4 text that the name contains, or `null`. Names need
 * no index: a merchant has at most `MAX_FLOWS_PER_MERCHANT` flows.
 */
export const FLOWS_PAGE: Statement = {
  name: 'flows.page',
  text: `${SELECT_FLOW} AND f.id < $2 AND ($4::text IS NULL OR strpos(lower(f.name), lower($4)) > 0)
    ORDER BY f.id DESC LIMIT $3`,
};

/** $1 merchant, $2 maximum → the number of the merchant's flows, counted up to the maximum */
export const COUNT_FLOWS: Statement = {
  name: 'flows.count',
  text: `SELECT count(*) AS count FROM (SELECT FROM flows WHERE merchant_id = $1 AND deleted_at IS NULL LIMIT $2) AS counted`,
};

/** Flow, first version, counter and event, all or nothing. $1 merchant, $2 name, $3 definition, $4 actor. */
export const INSERT_FLOW: Statement = {
  name: 'flows.insert',
  text: `
    WITH flow AS (INSERT INTO flows (merchant_id, name, active_version) VALUES ($1, $2, 1) RETURNING id, merchant_id, name),
      version AS (
        INSERT INTO flow_versions (flow_id, version, definition, activated_at, created_by, activated_by)
        SELECT id, 1, $3, now(), $4, $4 FROM flow
      ),
      counter AS (INSERT INTO flow_counters (flow_id) SELECT id FROM flow),
      activated AS (
        SELECT id, merchant_id, name, 1 AS version, NULL::integer AS previous_version, false AS was_active FROM flow
      ),
      ${insertEvents([], activationsOf('activated'))}
    SELECT id FROM flow`,
};

/** Writes name and active version of a locked flow, and the events of a new name and of a new version. Returns no row if nothing changes. */
export const UPDATE_FLOW: Statement = {
  name: 'flows.update',
  text: `
    WITH before AS MATERIALIZED (SELECT id, name, active_version FROM flows WHERE id = $1),
      updated AS (
        UPDATE flows f SET name = $2, active_version = $3, updated_at = now() FROM before b
        WHERE f.id = b.id AND (f.name, f.active_version) IS DISTINCT FROM ($2, $3)
        RETURNING f.id, f.merchant_id, f.name, f.active_version AS version, b.active_version AS previous_version,
          b.name AS previous_name
      ),
      renamed AS (SELECT * FROM updated WHERE name <> previous_name),
      activated AS (SELECT *, false AS was_active FROM updated WHERE version <> previous_version),
      ${insertEvents([], `${renamesOf('renamed')} UNION ALL ${activationsOf('activated')}`)}
    SELECT id FROM updated`,
};

/** Deletes the flow $1 and ends its rollout; $2 actor. Returns the rollout and its candidate, if one was running. */
export const DELETE_FLOW: Statement = {
  name: 'flows.delete',
  text: `WITH rollout AS (
      UPDATE flow_rollouts SET status = 'aborted', end_cause = 'flow_deleted', ended_by = $2, ended_at = now(),
        updated_at = now() WHERE flow_id = $1 AND status = 'running' RETURNING id, version
    ), deleted AS (UPDATE flows SET deleted_at = now(), updated_at = now() WHERE id = $1)
    SELECT id AS rollout_id, version FROM rollout`,
};

/** Reads open payments of the merchant, in the order of `payments_merchant_id_status_id`, until one is of the flow $1. */
export const HAS_OPEN_PAYMENTS: Statement = {
  name: 'flows.has_open_payments',
  text: `SELECT EXISTS (SELECT FROM ${PAYMENTS} payment WHERE merchant_id = (SELECT merchant_id FROM flows WHERE id = $1)
      AND status IN ('pending', 'processing') AND flow_id = $1) AS open`,
};
