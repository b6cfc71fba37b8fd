import { Decimal } from 'decimal.js';
import type { ConnectorContext, ConnectorHost, DisputeKind, HostTransaction } from '@payment-orchestrator/provider-kit';
import { amountIn, difference } from '../answers.js';
import { fingerprintOf } from '../charge.js';
import { decisionByKey } from '../decisions.js';
import { notificationOf } from '../notification-body.js';
import type { SandboxNotifier } from '../notifier.js';
import { lock } from '../operations.js';
import { INSERT_OPERATION, LOCK_TRANSACTION } from '../operations.queries.js';
import { orderedUuid } from '../ordered-uuid.js';
import type { SandboxTransaction } from '../transactions.queries.js';
import { type ChangeTarget, type DashboardChanges, type DashboardRequest, refusal } from './changes.js';
import { type DisputeChange, disputeAfterChange, EVIDENCE_MS } from './dispute-change.js';
import {
  CHANGE_DISPUTE,
  FIND_DISPUTE,
  INSERT_DISPUTE,
  type SandboxDisputeRow,
  SUM_DISPUTED,
} from './disputes.queries.js';
import { DashboardRefused, invalidField } from './refused.js';

export interface NewDispute {
  kind: DisputeKind;
  /** Absent: the captured amount that is not disputed. */
  amount: number | undefined;
  reasonCode: string;
  networkReasonCode: string | undefined;
  evidenceDueBy: Date | undefined;
}

const ID = /^[\w-]{1,255}$/;

/**
 * Disputes of the sandbox's transactions. As for {@link DashboardChanges}, ledger and notification change together, and
 * the notification is sent before a method resolves.
 */
export class SandboxDisputes {
  constructor(
    private readonly database: ConnectorHost['database'],
    private readonly changes: DashboardChanges,
    private readonly notifier: SandboxNotifier,
    private readonly context: ConnectorContext,
  ) {}

  /** Opens a dispute of a captured transaction. A repeated key returns the dispute as it is now. */
  async open(target: ChangeTarget, dispute: NewDispute): Promise<SandboxDisputeRow> {
    const { merchantId } = target;
    const prepared = await this.changes.prepare(target, dispute.amount);
    const { reference, idempotencyKey } = prepared.request;
    const id = `sbd_${idempotencyKey}`;
    const opened = await this.database.transaction(async (transaction) => {
      const { held, earlier } = await lock(transaction, prepared.request);
      const fingerprint = disputeFingerprint(prepared, dispute);
      const repeated = decisionByKey(earlier, fingerprint);
      if (repeated) throw refusal('idempotency_key_reused', held!);
      if (earlier) return (await this.find(transaction, id, merchantId))!;
      const amount = await disputedAmount(transaction, held!, dispute.amount);
      await transaction.query(INSERT_OPERATION, [idempotencyKey, reference, fingerprint, null]);
      const dueBy = dispute.evidenceDueBy ?? new Date(this.context.clock.now().getTime() + EVIDENCE_MS);
      const values = [
        id,
        reference,
        dispute.kind,
        amount,
        dispute.reasonCode,
        dispute.networkReasonCode ?? null,
        dueBy,
      ];
      await transaction.query(INSERT_DISPUTE, values);
      return this.report(transaction, id, merchantId, held!, prepared.request.credentials);
    });
    await this.notifier.sendNow(reference);
    return opened;
  }

  /** Throws `dispute_not_found`, also for another merchant's dispute. */
  async get(merchantId: number, id: string): Promise<SandboxDisputeRow> {
    const found = ID.test(id) ? await this.find(this.database, id, merchantId) : undefined;
    if (!found) throw new DashboardRefused('dispute_not_found');
    return found;
  }

  /** Changes a dispute; a repeat changes nothing. Throws `dispute_not_found`, also for another merchant's dispute. */
  async change(merchantId: number, id: string, change: DisputeChange): Promise<SandboxDisputeRow> {
    const found = await this.get(merchantId, id);
    const { held, request } = await this.changes.prepare({ merchantId, transactionId: found.transaction_id });
    const changed = await this.database.transaction(async (transaction) => {
      await transaction.query(LOCK_TRANSACTION, [found.reference]);
      const before = (await this.find(transaction, id, merchantId))!;
      const after = disputeAfterChange(before, change, this.context.clock.now());
      if (!after) return before;
      await transaction.query(CHANGE_DISPUTE, [id, after.kind, after.status, after.evidence_due_by]);
      return this.report(transaction, id, merchantId, held, request.credentials);
    });
    await this.notifier.sendNow(found.reference);
    return changed;
  }

  private async find(
    on: Pick<HostTransaction, 'query'>,
    id: string,
    merchantId: number,
  ): Promise<SandboxDisputeRow | undefined> {
    const [found] = await on.query<SandboxDisputeRow>(FIND_DISPUTE, [id, merchantId]);
    return found;
  }

  /** Stores the notification of the dispute's present state. */
  private async report(
    transaction: HostTransaction,
    id: string,
    merchantId: number,
    held: SandboxTransaction,
    credentials: Record<string, unknown>,
  ): Promise<SandboxDisputeRow> {
    const row = (await this.find(transaction, id, merchantId))!;
    const { kind, status, amount, currency, reason_code, network_reason_code: code, evidence_due_by, opened_at } = row;
    const dispute = {
      ...{ id, kind, status, amount, currency, reason_code, evidence_due_by, opened_at },
      ...(code !== null && { network_reason_code: code }),
    };
    const moment = { due_in_ms: 0, choice: null };
    const details = { occurred_at: row.updated_at, dispute };
    const notification = notificationOf(held, 'disputed', credentials, orderedUuid(this.context), moment, details);
    if (notification) await this.notifier.schedule(transaction, held, notification);
    return row;
  }
}

const disputeFingerprint = ({ request: { reference } }: DashboardRequest, dispute: NewDispute): string =>
  fingerprintOf(
    ...['dispute', reference, dispute.kind, dispute.reasonCode],
    ...[dispute.amount ?? null, dispute.networkReasonCode ?? null, dispute.evidenceDueBy?.toISOString() ?? null],
  );

/** The amount of a new dispute. Disputes that are not won add up to at most the captured amount. */
async function disputedAmount(
  transaction: HostTransaction,
  held: SandboxTransaction,
  wanted: number | undefined,
): Promise<string> {
  const { status, captured_amount: captured, currency, reference } = held;
  if (status !== 'captured' && status !== 'refunded') throw refusal('not_captured', held);
  const [disputed] = await transaction.query<{ amount: string }>(SUM_DISPUTED, [reference]);
  const left = amountIn(currency, difference(captured, disputed!.amount));
  if (Number(left) <= 0) throw refusal('all_is_disputed', held);
  if (wanted === undefined) return left;
  if (new Decimal(wanted).gt(left)) {
    throw invalidField('amount', `must be at most ${left} ${currency}, the captured amount that is not disputed`);
  }
  return amountIn(currency, String(wanted));
}
