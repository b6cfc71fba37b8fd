import { Injectable } from '@nestjs/common';
import { actorName, type AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { amountError, toDecimalText, toJsonAmount } from '../../shared/money.js';
import { invalidField, Problem } from '../../shared/problem.js';
import { rescheduleErasure } from '../store/customer.js';
import { isOpen, type OperationRow } from '../money/state/operation.js';
import { REQUEST_SETTLEMENT } from '../store/operation.queries.js';
import { OperationRecords } from '../store/operation-records.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../store/payments.service.js';
import {
  doubtOf,
  isSecondOf,
  isUnderWay,
  mostOf,
  type ReportedOutcome,
  SETTLEMENTS,
  type SettlementRequest,
  type SettleOutcome,
  settledKind,
} from '../money/state/settlement.js';
import type { OperationState, ProviderState } from '@payment-orchestrator/provider-kit';
import { ProviderCallsService } from '../work/provider-calls.service.js';
import { MoneyService, TRANSACTION_ID_KEY } from '../store/money.service.js';
import type { SettleOperationDto } from './payment-operations.dto.js';
import { closed, idTaken } from '../money/rules/settle.js';
import type { SettlementFact } from '../money/state/fact.js';

/** The facts that a person found at the provider. */
type Settled = Pick<SettlementFact, 'outcome' | 'amount' | 'providerId' | 'reason'>;

/** The payment took the charge of the operation's attempt. */
const isCharged = ({ attempt, status }: PaymentRow, operation: Pick<OperationRow, 'attempt'>): boolean =>
  attempt === operation.attempt && (status === 'completed' || status === 'refunded');

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
    private readonly calls: ProviderCallsService,
    private readonly money: MoneyService,
    private readonly audit: AuditLogService,
    @InjectConfig() private readonly config: Pick<Config, 'flowActivationApprovals'>,
  ) {}

  /**
   * Returns the operation after it. With `FLOW_ACTIVATION_APPROVALS=1` a settlement that contradicts the provider, or exceeds
   * the operation, needs the same request of two clients. Throws `payment_not_found`, `operation_not_found`, `operation_closed`,
   * `operation_under_way`, `settle_contradicts_provider`, `settle_exceeds_operation`, `settle_approval_required`,
   * `transaction_id_taken`, `illegal_status_change`,
   * `validation_failed`.
   */
  async settle(
    settler: Settler,
    { paymentId, operationId }: { paymentId: number; operationId: number },
    request: SettleOperationDto,
  ): Promise<OperationRow> {
    const payment = await this.payments.find(settler.merchantId, paymentId);
    const operation = this.requireSettleable(await this.operations.list(paymentId), operationId);
    const settled = settledOf(payment, operation, request);
    const isDoubtful = await this.isDoubtful(payment, operation, request, settled);
    try {
      const done = await this.database.transaction((transaction) =>
        this.settleIn(transaction, settler, operation, request, isDoubtful),
      );
      if (done) return done;
    } catch (error) {
      // another payment got the id between our check and our write
      if (isUniqueViolation(error, TRANSACTION_ID_KEY)) throw idTaken(request.provider_transaction_id);
      throw error;
    }
    throw new Problem('settle_approval_required', {
      detail: `a client other than ${actorName(settler.context)} must send the same request; operation ${operationId} stays as it is`,
    });
  }

  /** `undefined`: it is doubtful, and is kept until another client requests the same. */
  private async settleIn(
    transaction: Transaction,
    { merchantId, context }: Settler,
    { payment_id: paymentId, id }: OperationRow,
    request: SettleOperationDto,
    isDoubtful: boolean,
  ): Promise<OperationRow | undefined> {
    const payment = await this.payments.lock(transaction, paymentId);
    const operation = this.requireSettleable(await this.operations.list(paymentId, transaction), id);
    const settled = settledOf(payment, operation, request);
    const isKept = isDoubtful && !(await this.isSecond(transaction, operation, settled, actorName(context)));
    if (!isKept) await this.money.applyTo(transaction, payment, { about: 'settlement', operation: id, ...settled });
    const { outcome, amount, reason } = settled;
    const details = { operation_id: id, kind: operation.kind, outcome, amount: toJsonAmount(amount), reason };
    const more = { currency: operation.currency, ...(request.confirm === true && { confirmed: 'true' }) };
    await this.audit.record(transaction, context, {
      ...{ merchantId, objectId: paymentId, details: isKept ? details : { ...details, ...more } },
      action: isKept ? 'operation.settlement_requested' : 'operation.settled',
    });
    await rescheduleErasure(transaction, payment.customer);
    return isKept ? undefined : (await this.operations.list(paymentId, transaction, [id]))[0];
  }

  /** Whether another client has requested the same settlement; otherwise this client has now, which is kept. */
  private async isSecond(
    transaction: Transaction,
    { payment_id: paymentId, id }: OperationRow,
    { outcome, amount, providerId }: Settled,
    by: string,
  ): Promise<boolean> {
    const asked: SettlementRequest = { by, outcome, amount, providerId: providerId ?? null };
    const values = [paymentId, id, JSON.stringify(asked)];
    const [before] = await transaction.query<{ settle_request: SettlementRequest | null }>(REQUEST_SETTLEMENT, values);
    return isSecondOf(before!.settle_request, asked);
  }

  private requireSettleable(operations: readonly OperationRow[], id: number): OperationRow {
    const operation = operations.find((row) => row.id === id);
    if (!operation) throw new Problem('operation_not_found');
    if (!isOpen(operation)) throw closed(operation);
    if (!isUnderWay(operation, this.operations.claimMs)) return operation;
    const detail = `operation ${id} is being tried until ${operation.next_try_at!.toISOString()}; look at it again after that`;
    throw new Problem('operation_under_way', { detail, headers: { 'retry-after': '30' } });
  }

  /**
   * Whether a second client must confirm. Throws `settle_exceeds_operation` and `settle_contradicts_provider` unless the
   * request confirms.
   */
  private async isDoubtful(
    payment: PaymentRow,
    operation: OperationRow,
    { confirm }: SettleOperationDto,
    settled: Settled,
  ): Promise<boolean> {
    const needsSecond = this.config.flowActivationApprovals > 0;
    if (confirm === true && !needsSecond) return false;
    const problem = doubtOf(operation, settled, await this.reportedOutcome(payment, operation));
    if (problem && confirm !== true) throw problem;
    return problem !== undefined;
  }

  /** The outcome of an operation as its provider reports it now, or else as it reported last. */
  private async reportedOutcome(payment: PaymentRow, operation: OperationRow): Promise<ReportedOutcome> {
    const now =
      operation.kind === 'refund' ? await this.refundOutcome(payment, operation) : await this.chargeOutcome(operation);
    return now ?? { code: operation.last_answer ?? 'unknown' };
  }

  private async chargeOutcome(operation: OperationRow): Promise<ReportedOutcome | null> {
    const looked = await this.calls.lookup(operation);
    return looked.known ? outcomeOfState(looked.answer) : null;
  }

  /** The refund's outcome, or else the outcome by the sum of the charge's refunds. */
  private async refundOutcome(payment: PaymentRow, operation: OperationRow): Promise<ReportedOutcome | null> {
    const refund = await this.calls.lookupOperation(operation);
    if (refund) return refund.known ? outcomeOfRefund(refund.answer) : null;
    const charge = await this.calls.lookup(operation);
    return charge.known ? outcomeOfSum(payment, charge.answer) : null;
  }
}

function outcomeOfState(state: ProviderState): ReportedOutcome {
  if (state.status === 'not_found') return { code: state.status };
  const { status: code, currency, capturedAmount, amount } = state;
  return { code, currency, amount: code === 'captured' ? (capturedAmount ?? amount) : undefined };
}

function outcomeOfRefund(state: OperationState): ReportedOutcome {
  if (state.outcome !== 'refused') return { code: state.outcome };
  return { code: state.isUnavailable === true ? 'unavailable' : 'refund_failed' };
}

/** The payment counts this refund until it fails. `null`: the state does not distinguish this refund from others. */
function outcomeOfSum(payment: PaymentRow, state: ProviderState): ReportedOutcome | null {
  if (state.status === 'not_found' || state.status === 'refunded') return { code: state.status };
  const { amount_captured: captured, amount_refunded: counted } = payment;
  if (state.refundedAmount !== undefined) {
    return { code: Number(state.refundedAmount) >= Number(counted) ? 'refunded' : state.status };
  }
  return Number(counted) < Number(captured) ? null : { code: state.status };
}

/** Throws `validation_failed`. */
function settledOf(payment: PaymentRow, operation: OperationRow, request: SettleOperationDto): Settled {
  const { outcome, amount, reason, provider_transaction_id: providerId } = request;
  const legal = Object.keys(SETTLEMENTS[settledKind(operation)]);
  if (!legal.includes(outcome)) {
    throw invalidField('outcome', `must be one of ${legal.join(', ')} for this ${operation.kind}`);
  }
  if (amount !== undefined) requireAmount(payment, operation, outcome, amount);
  const isMismatch = operation.reason?.startsWith('amount_mismatch') ?? false;
  if (outcome === 'captured' && isMismatch && amount === undefined && request.confirm !== true) {
    throw invalidField('amount', `is required, because of ${operation.reason}`);
  }
  const known =
    isCharged(payment, operation) && operation.kind !== 'refund' ? payment.amount_captured : operation.amount;
  return { outcome, reason, providerId, amount: amount === undefined ? known : toDecimalText(amount) };
}

function requireAmount(payment: PaymentRow, operation: OperationRow, outcome: SettleOutcome, amount: number): void {
  const { kind, currency, amount: own } = operation;
  const error = amountError(amount, currency);
  if (error) throw invalidField('amount', error);
  if (outcome !== 'captured' && outcome !== 'refunded') throw invalidField('amount', `is not accepted with ${outcome}`);
  const most = toJsonAmount(mostOf(operation, payment));
  if (kind !== 'refund' && amount > most) {
    throw invalidField('amount', `must be at most ${most}, which was authorised or asked; more is not of this payment`);
  }
  if (kind !== 'refund' || amount === toJsonAmount(own)) return;
  throw invalidField('amount', `must be ${toJsonAmount(own)}, the amount of the refund`);
}
