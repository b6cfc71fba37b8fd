/**
 * Inserts the event of a flow whose active version changed, from a relation with `id`, `merchant_id`, `name`, `version`,
 * `previous_version` (null: the flow is new) and `was_active` (the version was active before). The flow is locked, and its
 * earlier events are committed: this one comes after them, regardless of the number of its transaction.
 */
export const insertActivationsFrom = (relation: string): string =>
  `INSERT INTO webhook_events (event_position, merchant_id, type, data)
    SELECT greatest(current_event_position(), ${latest('flow.activated')}, ${latest('flow.rolled_back')}), a.merchant_id,
      CASE WHEN ${IS_ROLL_BACK} THEN 'flow.rolled_back' ELSE 'flow.activated' END,
      CASE WHEN ${IS_ROLL_BACK} THEN json_build_object(${FACTS}, 'reason', 'requested') ELSE json_build_object(${FACTS}) END
    FROM ${relation} a`;

const FACTS = `'flow_id', a.id, 'flow_name', a.name, 'version', a.version, 'previous_version', a.previous_version`;

const IS_ROLL_BACK = `a.was_active AND a.version < a.previous_version`;

const latest = (type: string): string =>
  `(SELECT max(w.event_position) FROM webhook_events w WHERE w.merchant_id = a.merchant_id AND w.type = '${type}')`;
