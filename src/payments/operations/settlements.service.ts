import { Injectable } from '@nestjs/common';
import type { AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { amountError, toDecimalText, toJsonAmount } from '../../shared/money.js';
import { invalidField, Problem } from '../../shared/problem.js';
import { isOpen, type OperationRow } from '../ledger/operation.js';
import { OperationClaims } from './operation-claims.service.js';
import { OperationRecords } from '../ledger/operation-records.service.js';
import { FIND_SAME_TRANSACTION, type PaymentRow } from '../ledger/payment.queries.js';
import { PaymentsService, TRANSACTION_ID_KEY } from '../ledger/payments.service.js';
import { contradicts, isUnderWay, SETTLEMENTS, type SettleOutcome, settledKind } from '../ledger/refunds/settlement.js';
import { ReportedOutcomes } from './reported-outcomes.service.js';
import { closed, isCharged, type Settled, SettledOutcomes } from './settled-outcomes.service.js';

/** A person's decision about an operation. */
export interface SettleRequest {
  outcome: SettleOutcome;
  provider_transaction_id?: string | undefined;
  amount?: number | undefined;
  reason: string;
  /** Settles although the provider reports another outcome. */
  confirm?: boolean | undefined;
}

/** The merchant of the operation, and the person who settles it. */
interface Settler {
  merchantId: number;
  context: AuditContext;
}

/**
 * Settles operations that recovery cannot: stopped, refused, or without an answer for days. Operation, payment, refund and
 * audit entry are one transaction under the payment's lock, so of two settlements at once one wins, and a process that dies
 * leaves all or nothing. The provider is asked before that, outside of the transaction.
 */
@Injectable()
export class Settlements {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly operations: OperationRecords,
    private readonly claims: OperationClaims,
    private readonly reported: ReportedOutcomes,
    private readonly outcomes: SettledOutcomes,
    private readonly audit: AuditLogService,
  ) {}

  /**
   * Returns the operation after it. Throws `payment_not_found`, `operation_not_found`, `operation_closed`,
   * `operation_under_way`, `settle_contradicts_provider`, `transaction_id_taken`, `illegal_status_change`,
   * `validation_failed`.
   */
  async settle(
    settler: Settler,
    { paymentId, operationId }: { paymentId: number; operationId: number },
    request: SettleRequest,
  ): Promise<OperationRow> {
    const payment = await this.payments.find(settler.merchantId, paymentId);
    const operation = this.requireSettleable(await this.operations.list(paymentId), operationId);
    const settled = settledOf(payment, operation, request);
    if (request.confirm !== true) await this.requireAgreement(payment, operation, request, settled);
    try {
      return await this.database.transaction((transaction) => this.settleIn(transaction, settler, operation, request));
    } catch (error) {
      // another payment got the id between our check and our write
      if (isUniqueViolation(error, TRANSACTION_ID_KEY)) throw isTaken(request.provider_transaction_id);
      throw error;
    }
  }

  private async settleIn(
    transaction: Transaction,
    { merchantId, context }: Settler,
    { payment_id: paymentId, id }: OperationRow,
    request: SettleRequest,
  ): Promise<OperationRow> {
    const payment = await this.payments.lock(transaction, paymentId);
    const operation = this.requireSettleable(await this.operations.list(paymentId, transaction), id);
    const settled = settledOf(payment, operation, request);
    await this.outcomes.apply(transaction, payment, operation, settled);
    // after the change, which leaves out an id that another payment has got meanwhile
    if (operation.kind === 'charge') await requireOwnId(transaction, payment, settled);
    const { outcome, amount, reason } = settled;
    await this.audit.record(transaction, context, {
      merchantId,
      action: 'operation.settled',
      objectId: paymentId,
      details: {
        operation_id: id,
        kind: operation.kind,
        outcome,
        amount: toJsonAmount(amount),
        currency: operation.currency,
        reason,
        ...(request.confirm === true && { confirmed: 'true' }),
      },
    });
    return (await this.operations.list(paymentId, transaction)).find((row) => row.id === id)!;
  }

  private requireSettleable(operations: readonly OperationRow[], id: number): OperationRow {
    const operation = operations.find((row) => row.id === id);
    if (!operation) throw new Problem('operation_not_found');
    if (!isOpen(operation)) throw closed(operation);
    if (!isUnderWay(operation, this.claims.claimMs)) return operation;
    const detail = `operation ${id} is being tried until ${operation.next_try_at!.toISOString()}; look at it again after that`;
    throw new Problem('operation_under_way', { detail, headers: { 'retry-after': '30' } });
  }

  private async requireAgreement(
    payment: PaymentRow,
    operation: OperationRow,
    { outcome, amount: given }: SettleRequest,
    { amount }: Settled,
  ): Promise<void> {
    const isMismatch = operation.reason?.startsWith('amount_mismatch') ?? false;
    if (outcome === 'captured' && isMismatch && given === undefined) {
      throw invalidField('amount', `is required, because of ${operation.reason}`);
    }
    const reported = await this.reported.find(payment, operation);
    if (!contradicts(operation, { outcome, amount }, reported)) return;
    const amountNow = reported.amount === undefined ? undefined : Number(reported.amount);
    const state = [reported.code, amountNow, reported.currency].filter((part) => part !== undefined).join(' ');
    const detail = `the provider reports: ${state}; to settle operation ${operation.id} as ${outcome} anyway, send confirm: true`;
    throw new Problem('settle_contradicts_provider', { detail });
  }
}

/** Throws `transaction_id_taken`: a person gave the id of another payment. */
async function requireOwnId(transaction: Transaction, { id, shop_id: shopId }: PaymentRow, { providerId }: Settled) {
  if (providerId === undefined) return;
  const [other] = await transaction.query(FIND_SAME_TRANSACTION, [shopId, providerId, id]);
  if (other) throw isTaken(providerId);
}

const isTaken = (transactionId: string | undefined): Problem =>
  new Problem('transaction_id_taken', {
    detail: `another payment of the shop has the transaction id ${transactionId ?? ''}; look at the transaction of this payment`,
  });

/** Throws `validation_failed`. */
function settledOf(payment: PaymentRow, operation: OperationRow, request: SettleRequest): Settled {
  const { outcome, amount, reason, provider_transaction_id: providerId } = request;
  const legal = Object.keys(SETTLEMENTS[settledKind(operation)]);
  if (!legal.includes(outcome)) {
    throw invalidField('outcome', `must be one of ${legal.join(', ')} for this ${operation.kind}`);
  }
  if (amount !== undefined) requireAmount(operation, outcome, amount);
  const known =
    isCharged(payment, operation) && operation.kind !== 'refund' ? payment.amount_captured : operation.amount;
  return { outcome, reason, providerId, amount: amount === undefined ? known : toDecimalText(amount) };
}

function requireAmount({ kind, currency, amount: own }: OperationRow, outcome: SettleOutcome, amount: number): void {
  const error = amountError(amount, currency);
  if (error) throw invalidField('amount', error);
  if (outcome !== 'captured' && outcome !== 'refunded') throw invalidField('amount', `is not accepted with ${outcome}`);
  if (kind !== 'refund' || amount === toJsonAmount(own)) return;
  throw invalidField('amount', `must be ${toJsonAmount(own)}, the amount of the refund`);
}
