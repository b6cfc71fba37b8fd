import type { Statement } from '@payment-orchestrator/provider-kit';

/**
 * A CTE that lets its statement commit without waiting for the disk: a crash of the server may lose it until a later commit
 * that waits. Then the notification is sent again.
 */
const LAZY_COMMIT = `lazy AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/** A notification to send now. */
export interface DueNotification {
  id: string;
  reference: string;
  shop_id: number;
  body: string;
  signature: string;
  /** Including this one. */
  tries: number;
}

/**
 * Claims due notifications, except those of a transaction that is locked by a change: a void under way ends before the
 * notification that it withdraws could be sent. After a crash the claim may be lost, and the notification is sent
 * again.
 */
const claim = (which: string): string => `WITH ${LAZY_COMMIT}, due AS MATERIALIZED (
      SELECT n.id FROM lazy, sandbox_notifications n JOIN sandbox_transactions t ON t.reference = n.reference
      WHERE n.due_at <= now() ${which} FOR UPDATE OF n SKIP LOCKED FOR SHARE OF t SKIP LOCKED
    )
    UPDATE sandbox_notifications n SET tries = n.tries + 1, due_at = clock_timestamp() + $2 * interval '1 ms'
    FROM due WHERE n.id = due.id
    RETURNING n.id, n.reference, n.shop_id, n.body, n.signature, n.tries`;

/** Claims due notifications: $1 limit, $2 ms until they are due again if this process dies. */
export const CLAIM_DUE: Statement = { name: 'sandbox.claim_due', text: claim('ORDER BY n.due_at LIMIT $1') };

/** Claims the due notifications of a transaction: $1 reference, $2 as above. */
export const CLAIM_FOR_REFERENCE: Statement = {
  name: 'sandbox.claim_for_reference',
  text: claim('AND n.reference = $1'),
};

/** In how many ms the next one is due; `null`: there is none. */
export const NEXT_DUE: Statement = {
  name: 'sandbox.next_due',
  text: `SELECT (extract(epoch FROM min(due_at) - clock_timestamp()) * 1000)::double precision AS ms
    FROM sandbox_notifications WHERE due_at IS NOT NULL`,
};

/** Deletes a notification that was delivered or has no tries left: $1 id. */
export const DROP_NOTIFICATION: Statement = {
  name: 'sandbox.drop_notification',
  text: `WITH ${LAZY_COMMIT} DELETE FROM sandbox_notifications n USING lazy WHERE n.id = $1`,
};

/** Schedules the next try: $1 id, $2 in how many ms. */
export const POSTPONE_NOTIFICATION: Statement = {
  name: 'sandbox.postpone_notification',
  text: `WITH ${LAZY_COMMIT} UPDATE sandbox_notifications n SET due_at = clock_timestamp() + $2 * interval '1 ms'
    FROM lazy WHERE n.id = $1`,
};

/** Deletes the notifications of a changed transaction: $1 reference. */
export const WITHDRAW_NOTIFICATIONS: Statement = {
  name: 'sandbox.withdraw_notifications',
  text: `DELETE FROM sandbox_notifications WHERE reference = $1`,
};

/** Schedules a notification: $1 id, $2 reference, $3 shop, $4 body, $5 signature, $6 in how many ms. */
export const INSERT_NOTIFICATION: Statement = {
  name: 'sandbox.insert_notification',
  text: `INSERT INTO sandbox_notifications (id, reference, shop_id, body, signature, due_at)
    VALUES ($1, $2, $3, $4, $5, clock_timestamp() + $6 * interval '1 ms')`,
};
