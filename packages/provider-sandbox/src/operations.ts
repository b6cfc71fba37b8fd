import type {
  CaptureRequest,
  ConnectorContext,
  ConnectorHost,
  HostTransaction,
  OperationAnswer,
  OperationLookup,
  OperationRequest,
  OperationState,
  ProviderEvent,
  RefundRequest,
} from '@payment-orchestrator/provider-kit';
import { amountIn, exactAmount } from './answers.js';
import { fingerprintOf, SETTLES_IN_MS } from './charge.js';
import {
  captureIdOf,
  decideAccepted,
  decideCapture,
  decideOldRefund,
  decideRefund,
  decideVoid,
  decisionByKey,
  type OperationDecision,
  type Origin,
  refundIdOf,
  reportsOf,
  stateOfRefund,
  withCharge,
} from './decisions.js';
import { notificationOf } from './notification-body.js';
import type { SandboxNotifier } from './notifier.js';
import { orderedUuid } from './ordered-uuid.js';
import { WITHDRAW_NOTIFICATIONS } from './notifications.queries.js';
import {
  CHANGE_TRANSACTION,
  FIND_OPERATION,
  FIND_REFUND,
  INSERT_OPERATION,
  INSERT_PLACEHOLDER,
  INSERT_REFUND,
  LOCK_TRANSACTION,
  type SandboxOperation,
  type SandboxRefund,
  SET_CAPTURED,
} from './operations.queries.js';
import { FIND_TRANSACTION, type SandboxTransaction } from './transactions.queries.js';

/**
 * Voids, captures and refunds in the sandbox's ledger. A change locks the transaction before it reads it, so of two that
 * exclude each other one is refused. A repeated key gets the same answer.
 */
export class SandboxOperations {
  constructor(
    private readonly database: ConnectorHost['database'],
    private readonly notifier: SandboxNotifier,
    private readonly context: ConnectorContext,
  ) {}

  /** `transactionId`: the id for a transaction that does not exist yet. */
  void(request: OperationRequest, transactionId: string, origin: Origin = 'api'): Promise<OperationAnswer> {
    const { reference, shopId, paymentId, currency } = request;
    const amount = amountIn(currency, request.amount);
    const fingerprint = fingerprintOf('void', reference);
    return this.database.transaction(async (transaction) => {
      const { held, earlier } = await lock(transaction, request);
      let decision = decisionByKey(earlier, fingerprint) ?? (held && decideVoid(held));
      if (!decision) {
        // waits for a charge under way, and makes a later one wait
        await transaction.query(INSERT_PLACEHOLDER, [reference, transactionId, shopId, paymentId, amount, currency]);
        decision = decideVoid((await lock(transaction, request)).held!);
      }
      if (decision.to) await transaction.query(WITHDRAW_NOTIFICATIONS, [reference]);
      if (decision.to && origin === 'dashboard') {
        await this.announce(transaction, held!, request, { status: 'cancelled', dueInMs: 0 });
      }
      const answer = withCharge(decision, held);
      return write(transaction, request, fingerprint, { ...decision, answer }, earlier);
    });
  }

  capture(request: CaptureRequest, origin: Origin = 'api'): Promise<OperationAnswer> {
    const { reference, currency } = request;
    const fingerprint = fingerprintOf('capture', reference, exactAmount(request.amount), currency);
    return this.database.transaction(async (transaction) => {
      const { held, earlier } = await lock(transaction, request);
      const isRepeat = earlier !== undefined;
      const decision = decisionByKey(earlier, fingerprint) ?? decideCapture(held, request, isRepeat);
      if (decision.isNew) {
        // the notification of the lapse, which a capture that fails does not prevent
        if (held!.fails !== 'capture') await transaction.query(WITHDRAW_NOTIFICATIONS, [reference]);
        await transaction.query(SET_CAPTURED, [reference, amountIn(currency, request.amount)]);
        for (const report of reportsOf('capture', decision, held!, origin)) {
          await this.announce(transaction, held!, request, report, captureIdOf(reference));
        }
      }
      return write(transaction, request, fingerprint, decision, earlier);
    });
  }

  refund(request: RefundRequest, origin: Origin = 'api'): Promise<OperationAnswer> {
    const { reference, amount, currency, idempotencyKey } = request;
    const fingerprint = fingerprintOf('refund', reference, exactAmount(amount), currency);
    return this.database.transaction(async (transaction) => {
      const { held, earlier } = await lock(transaction, request);
      const [repeated] = await transaction.query<SandboxRefund>(FIND_REFUND, [idempotencyKey, null]);
      const decision =
        decisionByKey(earlier, fingerprint) ??
        (earlier && !repeated ? decideOldRefund(held) : undefined) ??
        decideRefund(held, request, repeated);
      if (decision.isNew) await this.recordRefund(transaction, held!, request, decision, origin);
      return write(transaction, request, fingerprint, { ...decision, answer: withCharge(decision, held) }, earlier);
    });
  }

  async lookup(request: OperationLookup): Promise<OperationState> {
    const { kind, idempotencyKey, operationId, reference } = request;
    if (kind === 'refund') {
      const [refund] = await this.database.query<SandboxRefund>(FIND_REFUND, [idempotencyKey, operationId]);
      if (refund) return stateOfRefund(refund);
    }
    const [operation] = await this.database.query<SandboxOperation>(FIND_OPERATION, [idempotencyKey]);
    if (operation?.refusal) return { outcome: 'refused', ...operation.refusal };
    const isAccepted = operation !== undefined || operationId === captureIdOf(reference);
    if (kind === 'refund' || !isAccepted) return { outcome: 'not_found' };
    const [held] = await this.database.query<SandboxTransaction>(FIND_TRANSACTION, [reference]);
    return decideAccepted(request, held!).answer;
  }

  private async recordRefund(
    transaction: HostTransaction,
    held: SandboxTransaction,
    request: RefundRequest,
    decision: OperationDecision,
    origin: Origin,
  ): Promise<void> {
    const { reference, idempotencyKey, currency } = request;
    const id = refundIdOf(idempotencyKey);
    const amount = amountIn(currency, decision.amount!);
    const settlesInMs = decision.answer.outcome === 'pending' ? SETTLES_IN_MS : null;
    const failsInMs = held.fails === 'refund' ? SETTLES_IN_MS : null;
    await transaction.query(INSERT_REFUND, [id, reference, idempotencyKey, amount, settlesInMs, failsInMs]);
    for (const report of reportsOf('refund', decision, held, origin)) {
      await this.announce(transaction, held, { ...request, amount }, report, id);
    }
  }

  /** Stores the notification of an operation; none for a shop without a secret. */
  private async announce(
    transaction: HostTransaction,
    held: SandboxTransaction,
    { amount, currency, credentials }: OperationRequest,
    { status, dueInMs }: { status: ProviderEvent['status']; dueInMs: number },
    operationId?: string,
  ): Promise<void> {
    const subject = { ...held, amount: amountIn(currency, amount) };
    const moment = { due_in_ms: dueInMs, choice: null };
    const details = operationId === undefined ? {} : { operation_id: operationId };
    const notification = notificationOf(subject, status, credentials, orderedUuid(this.context), moment, details);
    if (notification) await this.notifier.schedule(transaction, held, notification);
  }
}

/** The present rows, locked against other changes. */
export async function lock(
  transaction: HostTransaction,
  { reference, idempotencyKey }: OperationRequest,
): Promise<{ held: SandboxTransaction | undefined; earlier: SandboxOperation | undefined }> {
  await transaction.query(LOCK_TRANSACTION, [reference]);
  const [held] = await transaction.query<SandboxTransaction>(FIND_TRANSACTION, [reference]);
  const [earlier] = await transaction.query<SandboxOperation>(FIND_OPERATION, [idempotencyKey]);
  return { held, earlier };
}

/** Writes a decision's change of the transaction. A delayed capture leaves the stored status `open`. */
async function change(
  transaction: HostTransaction,
  reference: string,
  { to, later = false }: Pick<OperationDecision, 'to' | 'later'>,
): Promise<void> {
  if (to)
    await transaction.query(CHANGE_TRANSACTION, [reference, ...(later ? [null, to, SETTLES_IN_MS] : [to, null, null])]);
}

async function write(
  transaction: HostTransaction,
  { reference, idempotencyKey }: OperationRequest,
  fingerprint: string,
  decision: OperationDecision,
  earlier: SandboxOperation | undefined,
): Promise<OperationAnswer> {
  const { answer } = decision;
  await change(transaction, reference, decision);
  if (!earlier) {
    const { reason, retryable } = answer.outcome === 'refused' ? answer : {};
    const refusal = reason === undefined ? null : JSON.stringify({ reason, retryable });
    await transaction.query(INSERT_OPERATION, [idempotencyKey, reference, fingerprint, refusal]);
  }
  return answer;
}
