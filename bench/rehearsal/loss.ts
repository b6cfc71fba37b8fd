// Data committed after a backup, which is lost when only the backup is restored. It is read from the lost server's
// files, so that the oracle excuses exactly this loss.
import type { Evidence } from '../chaos/oracle/evidence.js';
import { SERVICE_TABLES } from '../support/delivery-tables.js';
import type { HarnessDatabase } from '../support/harness-database.js';

type Queryable = Pick<HarnessDatabase, 'query'>;

export interface Loss {
  payments: ReadonlySet<number>;
  /** For example `42 refunded`. */
  changes: ReadonlySet<string>;
  notifications: ReadonlySet<string>;
  /** Numbers that receivers store of their webhook-ids. */
  webhooks: ReadonlySet<number>;
  /** Deliveries in the backup whose attempts are lost and therefore repeated. */
  attempted: ReadonlySet<number>;
  /** References of payment attempts, by which the provider identifies their charges. */
  references: ReadonlySet<string>;
  /** From the backup to the loss, in ms since 1970. */
  from: number;
  to: number;
}

const SETS = {
  payments: 'SELECT id AS one FROM payments',
  changes: `SELECT payment_id || ' ' || to_status AS one FROM payment_status_changes`,
  notifications: 'SELECT notification_id AS one FROM provider_notifications',
  webhooks: `SELECT ${SERVICE_TABLES.receiptNumber} AS one FROM ${SERVICE_TABLES.all} d`,
  references: 'SELECT reference AS one FROM payment_attempts',
  attempts: `SELECT delivery_id || ' ' || number AS one FROM webhook_attempts`,
};

export async function readLoss(lost: Queryable, restored: Queryable, period: Pick<Loss, 'from' | 'to'>): Promise<Loss> {
  const missing = async (text: string): Promise<Set<unknown>> => {
    const [before, after] = [await lost.query<{ one: unknown }>(text), await restored.query<{ one: unknown }>(text)];
    const kept = new Set(after.map(({ one }) => one));
    return new Set(before.map(({ one }) => one).filter((one) => !kept.has(one)));
  };
  return {
    payments: (await missing(SETS.payments)) as Set<number>,
    changes: (await missing(SETS.changes)) as Set<string>,
    notifications: (await missing(SETS.notifications)) as Set<string>,
    webhooks: (await missing(SETS.webhooks)) as Set<number>,
    attempted: new Set([...(await missing(SETS.attempts))].map((attempt) => Number(String(attempt).split(' ')[0]))),
    references: (await missing(SETS.references)) as Set<string>,
    ...period,
  };
}

/** The evidence without promises and receipts of lost data. */
export function withoutLoss(evidence: Evidence, loss: Loss): Evidence {
  return {
    ...evidence,
    promised: evidence.promised.filter((promise) => {
      if (loss.payments.has(promise.paymentId)) return false;
      if (promise.kind === 'notified') return !loss.notifications.has(promise.notificationId);
      return promise.kind === 'created' || !loss.changes.has(`${promise.paymentId} ${promise.kind}`);
    }),
    receipts: evidence.receipts.filter(({ deliveryId, arrivedAt }) => {
      // `collect` keeps the number, negative, of a webhook-id without a row
      if (loss.webhooks.has(-deliveryId)) return false;
      return !loss.attempted.has(deliveryId) || arrivedAt < loss.from || arrivedAt > loss.to;
    }),
  };
}

/** The sandbox keeps its books in our database; those of a real provider would not have been lost. */
const BOOKS = ['sandbox_transactions', 'sandbox_operations', 'sandbox_refunds', 'sandbox_notifications'];

/** Copies the provider's latest books into the restored database. */
export async function copyBooks(lost: Queryable, restored: Queryable): Promise<void> {
  await restored.query(`TRUNCATE ${BOOKS.join(', ')} CASCADE`);
  for (const table of BOOKS) {
    const [row] = await lost.query<{ rows: string }>(
      `SELECT coalesce(json_agg(t), '[]')::text AS rows FROM ${table} t`,
    );
    await restored.query(
      `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${table}, $1)`,
      [row!.rows],
    );
  }
}

/** References in the loss for which the provider has captured money, or may still capture it. */
export async function lostCharges(restored: Queryable, { references }: Loss): Promise<string[]> {
  const rows = await restored.query<{ reference: string }>(
    `SELECT reference FROM sandbox_transactions
     WHERE reference = ANY ($1) AND coalesce(settles_as, status) IN ('captured', 'open') ORDER BY reference`,
    [[...references]],
  );
  return rows.map(({ reference }) => reference);
}
