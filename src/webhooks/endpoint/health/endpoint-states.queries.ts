import type { Statement } from '../../../platform/database/database.js';
import { isoTime } from '../../../platform/database/iso-time.js';
import { EVENT_POSITION } from '../../fan-out/fan-out-sql.js';
import { INSERT_AUDIT_ENTRIES } from '../../../shared/relations.js';

const NOW = `date_trunc('milliseconds', statement_timestamp())`;

/** A standing endpoint that exists, before a change of its state. */
export interface FoundState {
  status: 'active' | 'paused' | 'disabled';
}

/** Locks the endpoint $1 of the merchant $2 until the end of the transaction. Returns no row if it was deleted. */
export const LOCK_STATE: Statement = {
  name: 'webhooks.lock_endpoint_state',
  text: `SELECT status FROM webhook_endpoints WHERE id = $1 AND merchant_id = $2 AND status <> 'deleted' FOR NO KEY UPDATE`,
};

/** Sets the state of the endpoint $1 to $2. */
export const SET_STATE: Statement = {
  name: 'webhooks.set_endpoint_state',
  text: `UPDATE webhook_endpoints SET status = $2, status_reason = NULL, status_changed_at = ${NOW}, updated_at = ${NOW}
    WHERE id = $1`,
};

/** Deletes the endpoint $1. Its row stays, because deliveries and lanes refer to it; what only sending needs does not. */
export const DELETE_ENDPOINT: Statement = {
  name: 'webhooks.delete_endpoint',
  text: `UPDATE webhook_endpoints SET status = 'deleted', status_reason = NULL, status_changed_at = ${NOW}, updated_at = ${NOW},
      description = NULL, sealed_headers = NULL, sealed_auth = NULL, sealed_previous_secret = NULL
    WHERE id = $1`,
};

/**
 * Returns CTEs that disable active endpoints, with the audit entry of each, from a relation with `endpoint_id`, `reason` and
 * `failing_since`. `disabled` has those that changed. Its caller writes the event of `disabledEventsOf`, because a statement
 * should insert its events together.
 */
export const disablingEndpoints = (relation: string): string => `disabled AS (
      UPDATE webhook_endpoints e
      SET status = 'disabled', status_reason = x.reason, status_changed_at = ${NOW}, updated_at = ${NOW}
      FROM ${relation} x WHERE e.id = x.endpoint_id AND e.status = 'active'
      RETURNING e.id, e.merchant_id, e.url, x.reason, x.failing_since
    ), disabling_audited AS (
      ${INSERT_AUDIT_ENTRIES}
      SELECT merchant_id, 'system', 'endpoint.disabled', 'endpoint', id::text, '{}', json_build_object('reason', reason)
      FROM disabled
    )`;

/** Selects the events of `disabled`: position, merchant, shop, payment, type and data. Of the address only the origin. */
export const DISABLED_EVENTS = `SELECT ${EVENT_POSITION}, merchant_id, NULL::bigint, NULL::bigint, 'endpoint.disabled',
        json_build_object('endpoint_id', id, 'webhook_endpoint', coalesce(substring(url FROM '^[A-Za-z]+://[^/?#]+'), ''),
          'reason', reason, 'disabled_at', ${isoTime('statement_timestamp()')}, 'failing_since', ${isoTime('failing_since')})
      FROM disabled`;
