import type { Statement } from '../../platform/database/database.js';
import { LAZY_COMMIT } from '../../platform/database/lazy-commit.js';
import { haveOutage, summariesOf } from '../../shops/shop-summaries-sql.js';
import type { FlowDefinition } from '../definition/definition.js';

/** A flow in its active version. */
export interface FlowRow {
  id: number;
  name: string;
  version: number;
  definition: FlowDefinition;
  counter: number;
  created_at: Date;
  updated_at: Date;
}

const SELECT_FLOW = `
  SELECT f.id, f.name, f.active_version AS version, v.definition, c.counter, f.created_at, f.updated_at
  FROM flows f
  JOIN flow_versions v ON v.flow_id = f.id AND v.version = f.active_version
  JOIN flow_counters c ON c.flow_id = f.id
  WHERE f.merchant_id = $1 AND f.deleted_at IS NULL`;

export const FLOW_BY_NAME: Statement = { name: 'flow_by_name', text: `${SELECT_FLOW} AND f.name = $2` };

export const FLOW_BY_ID: Statement = { name: 'flow_by_id', text: `${SELECT_FLOW} AND f.id = $2` };

/** A flow whose definition is known, if it still is in that version, with the shops that the definition names. */
export interface FlowStateRow extends Omit<FlowRow, 'definition'> {
  /** JSON text of `ShopSummary[]`, the same for as long as the shops are. */
  shops: string;
  /** Whether one of the shops is not healthy. */
  has_outage: boolean;
}

/** $1 merchant, $2 name, $3 ids of the shops. */
export const FLOW_STATE: Statement = {
  name: 'flow_state',
  text: `SELECT f.id, f.name, f.active_version AS version, c.counter, f.created_at, f.updated_at,
      ${summariesOf('$1', '$3::bigint[]')} AS shops, ${haveOutage('$3::bigint[]')} AS has_outage
    FROM flows f JOIN flow_counters c ON c.flow_id = f.id
    WHERE f.merchant_id = $1 AND f.deleted_at IS NULL AND f.name = $2`,
};

/** Newest first; $2 the id to start below, $3 the number of rows. */
export const FLOWS_PAGE: Statement = {
  name: 'flows_page',
  text: `${SELECT_FLOW} AND f.id < $2 ORDER BY f.id DESC LIMIT $3`,
};

/** $1 merchant, $2 how many at most → how many flows it has, counted no further than that */
export const COUNT_FLOWS: Statement = {
  name: 'count_flows',
  text: `SELECT count(*) AS count FROM (SELECT FROM flows WHERE merchant_id = $1 AND deleted_at IS NULL LIMIT $2) AS counted`,
};

/** Flow, first version and counter, all or nothing. */
export const INSERT_FLOW: Statement = {
  name: 'insert_flow',
  text: `
    WITH flow AS (INSERT INTO flows (merchant_id, name, active_version) VALUES ($1, $2, 1) RETURNING id),
      version AS (
        INSERT INTO flow_versions (flow_id, version, definition, activated_at) SELECT id, 1, $3, now() FROM flow
      ),
      counter AS (INSERT INTO flow_counters (flow_id) SELECT id FROM flow)
    SELECT id FROM flow`,
};

/** Serialises the changes of one flow; payments, which never lock it, are not held up. */
export const LOCK_FLOW: Statement = {
  name: 'lock_flow',
  text: `SELECT id FROM flows WHERE merchant_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
};

/** No row when nothing changes. */
export const UPDATE_FLOW: Statement = {
  name: 'update_flow',
  text: `UPDATE flows SET name = $2, active_version = $3, updated_at = now()
    WHERE id = $1 AND (name, active_version) IS DISTINCT FROM ($2, $3) RETURNING id`,
};

export const DELETE_FLOW: Statement = {
  name: 'delete_flow',
  text: `UPDATE flows SET deleted_at = now(), updated_at = now() WHERE id = $1`,
};

export const HAS_OPEN_PAYMENTS: Statement = {
  name: 'flow_has_open_payments',
  text: `SELECT EXISTS (SELECT FROM payments WHERE flow_id = $1 AND status IN ('pending', 'processing')) AS open`,
};

/**
 * Counts $2 routed payments at once; the row lock lasts for the commit of this one statement. Not flushed: the values are
 * used by payments that are committed later, and without those they may be given out again.
 */
export const ADVANCE_FLOW_COUNTER: Statement = {
  name: 'advance_flow_counter',
  text: `WITH ${LAZY_COMMIT} UPDATE flow_counters SET counter = counter + $2 FROM lazy WHERE flow_id = $1 RETURNING counter`,
};
