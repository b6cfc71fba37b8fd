import type { ChargeFact, OperationFact } from '../../../src/payments/money/state/fact.js';
import {
  type MoneyOperation,
  type MoneyRefund,
  type MoneyState,
  newState,
} from '../../../src/payments/money/state/state.js';
import { attemptRow, operationRow, paymentRow } from './builders.js';

export const lookUp = (status: ChargeFact['status'], fields: Partial<ChargeFact> = {}): ChargeFact => ({
  ...{ about: 'charge', source: 'look_up', attempt: 1, status, transactionId: 'tx1', ...fields },
});

export const resultOf = (
  operation: number,
  result: OperationFact['result'],
  fields: Partial<OperationFact> = {},
): OperationFact => ({
  ...{ about: 'operation', operation, key: `key of ${operation}`, lastAnswer: result.outcome, result, ...fields },
});

interface Rows {
  operations?: MoneyOperation[];
  refunds?: MoneyRefund[];
}

const stateWith = (fields: Parameters<typeof paymentRow>[0], { operations = [], refunds = [] }: Rows): MoneyState => ({
  ...newState(paymentRow({ provider_transaction_id: 'tx1', capture: 'manual', ...fields })),
  attempts: [attemptRow(1, { outcome: 'approved', provider_transaction_id: 'tx1' })],
  operations: [operationRow({ id: 1, kind: 'charge', state: 'confirmed', is_tried: false }), ...operations],
  refunds,
});

/** 100 EUR are authorised. */
export const authorizedState = (rows: Rows = {}): MoneyState =>
  stateWith({ status: 'processing', amount_authorized: '100' }, rows);

/** `captured` of 100 EUR are captured. */
export const completedState = (captured: number, rows: Rows = {}): MoneyState =>
  stateWith(
    {
      ...{ status: 'completed', amount_authorized: '100', amount_captured: String(captured) },
      amount_refunded: String(
        (rows.refunds ?? [])
          .filter(({ status }) => status !== 'failed')
          .reduce((sum, { amount }) => sum + Number(amount), 0),
      ),
    },
    rows,
  );

/** Cancelled before the answer to its charge came, whose void is under way. */
export function cancelledState(): MoneyState {
  const voided = operationRow({ id: 2, kind: 'void', cause: 'cancel_requested' });
  const charge = operationRow({ id: 1, kind: 'charge' });
  return {
    ...stateWith({ status: 'cancelled', provider_transaction_id: null }, {}),
    attempts: [attemptRow(1)],
    operations: [charge, voided],
  };
}

export const captureRow = (amount: number, fields: Partial<MoneyOperation> = {}): MoneyOperation =>
  operationRow({ id: 2, kind: 'capture', cause: 'capture_requested', amount: String(amount), ...fields });

/** A refund of ours, and its operation. */
export function refundRows(amount: number, fields: Partial<MoneyRefund> = {}): Required<Rows> {
  const refund: MoneyRefund = {
    ...{ id: 3, attempt: 1, amount: String(amount), currency: 'EUR', status: 'pending', origin: 'api' },
    ...{ provider_refund_id: null, failure_code: null, ...fields },
  };
  const isPending = refund.status === 'pending';
  const operation = operationRow({
    ...{ id: 2, kind: 'refund', cause: 'refund_requested', amount: String(amount), refund_id: 3, is_tried: isPending },
    state: isPending ? 'open' : refund.status === 'succeeded' ? 'confirmed' : 'refused',
  });
  return { operations: [operation], refunds: [refund] };
}

/** The payment as its merchant sees it: status, captured and refunded. */
export const moneyOf = ({ payment }: MoneyState): string =>
  `${payment.status} ${Number(payment.amount_captured)} ${Number(payment.amount_refunded)}`;

/** The operations but the charge. */
export const operationsOf = ({ operations }: MoneyState): string[] =>
  operations.filter(({ kind }) => kind !== 'charge').map(({ kind, state }) => `${kind} ${state}`);
