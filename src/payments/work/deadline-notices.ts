import { Injectable } from '@nestjs/common';
import { toJsonAmount } from '../../shared/money.js';
import { Database, type Statement, type Transaction } from '../../platform/database/database.js';
import type { WorkKind } from '../../platform/due-work/due-work.js';
import type { PaymentRow } from '../money/state/payment.js';
import { type DisputeRow, toDisputeFields } from '../store/dispute.js';
import { FIND_ANY_DISPUTE } from '../store/dispute.queries.js';
import { RECORD_EVENT } from '../store/event-sql.js';
import { LOCK_PAYMENT } from '../store/payment.queries.js';

const INTERVAL_MS = 5_000;
/** A notice that a worker did not write is due again then. */
const LEASE_MS = 60_000;
/** A capture or void under way decides within this time whether the authorisation lapses. */
const UNDER_WAY_MS = 600_000;
const BATCH = 10;

const LAPSE_KIND = 'lapse_notice';
const EVIDENCE_KIND = 'evidence_notice';

/**
 * Writes `authorization.lapsing` a day before an authorisation lapses, and `dispute.due` two days before evidence is due.
 * Triggers plan them with the times (`LAPSE_NOTICE`, `EVIDENCE_NOTICE`). The event commits with the end of its work, so it is
 * written once for any number of workers that claim the work, and whenever they die. A payment is locked before the work.
 */
@Injectable()
export class DeadlineNotices {
  readonly works: WorkKind[] = [
    this.work(LAPSE_KIND, 'notices of lapses', (transaction, id) => this.lapsing(transaction, id)),
    this.work(EVIDENCE_KIND, 'notices of evidence due', (transaction, id) => this.evidenceDue(transaction, id)),
  ];

  constructor(private readonly database: Database) {}

  private work(
    kind: string,
    name: string,
    run: (transaction: Transaction, id: number) => Promise<number | undefined>,
  ): WorkKind {
    const times = { everyMs: INTERVAL_MS, leaseMs: LEASE_MS };
    return { kind, name, ...times, batch: BATCH, run: ({ subjectId }) => this.notice(subjectId, run) };
  }

  private notice(id: number, run: (transaction: Transaction, id: number) => Promise<number | undefined>) {
    return this.database.transaction((transaction) => run(transaction, id));
  }

  private async lapsing(transaction: Transaction, id: number): Promise<number | undefined> {
    const [payment] = await transaction.query<PaymentRow>(LOCK_PAYMENT, [id]);
    if (payment?.status !== 'processing' || payment.capture_before === null) return undefined;
    const [underWay] = await transaction.query(FIND_UNDER_WAY, [id]);
    if (underWay) return UNDER_WAY_MS;
    if (!(await isOurs(transaction, LAPSE_KIND, id))) return undefined;
    const {
      attempt,
      payment_provider: provider,
      amount_authorized: amount,
      currency,
      capture_before: before,
    } = payment;
    const data = { payment_id: id, attempt, provider, amount: toJsonAmount(amount), currency };
    const text = JSON.stringify({ ...data, capture_before: before.toISOString() });
    await transaction.query(RECORD_EVENT, [id, attempt, 'authorization.lapsing', text]);
    return undefined;
  }

  private async evidenceDue(transaction: Transaction, id: number): Promise<undefined> {
    const [found] = await transaction.query<DisputeRow>(FIND_ANY_DISPUTE, [id]);
    if (!found) return;
    await transaction.query(LOCK_PAYMENT, [found.payment_id]);
    // a report may have changed it until the lock
    const [dispute] = await transaction.query<DisputeRow>(FIND_ANY_DISPUTE, [id]);
    if (dispute?.status !== 'open' || !dispute.evidence_due_by) return;
    if (!(await isOurs(transaction, EVIDENCE_KIND, id))) return;
    const data = JSON.stringify(toDisputeFields(dispute));
    await transaction.query(RECORD_EVENT, [dispute.payment_id, dispute.attempt, 'dispute.due', data]);
  }
}

/** Ends the work. Only one of several workers that claimed it finds it, and none if it was put off meanwhile. */
const isOurs = async (transaction: Transaction, kind: string, id: number): Promise<boolean> =>
  (await transaction.query(END_NOTICE, [kind, id, LEASE_MS])).length > 0;

/** $1 kind, $2 subject, $3 the longest time of a claim in ms. */
const END_NOTICE: Statement = {
  name: 'payments.end_notice',
  text: `DELETE FROM due_work WHERE kind = $1 AND subject_id = $2 AND part = 0
      AND due_at <= clock_timestamp() + $3 * interval '1 ms' RETURNING subject_id`,
};

/** The captures and voids of the payment $1 that have no outcome. */
const FIND_UNDER_WAY: Statement = {
  name: 'payments.find_capture_under_way',
  text: `SELECT id FROM provider_operations
    WHERE payment_id = $1 AND kind IN ('capture', 'void') AND state IN ('open', 'pending', 'unknown') LIMIT 1`,
};
