import { decide, decideWaiting } from '../../../src/payments/money/decide.js';
import type { Fact } from '../../../src/payments/money/state/fact.js';
import type { ReportedEvent } from '../../../src/payments/money/state/notification.js';
import { isOpen } from '../../../src/payments/money/state/operation.js';
import type { MoneyOperation, MoneyRefund, MoneyState } from '../../../src/payments/money/state/state.js';
import { subtractAmounts } from '../../../src/shared/money.js';
import type { Decider } from './decider.js';

type Report = Pick<ReportedEvent, 'operationId' | 'amount'>;

/** The state as `loadMoney` reads it: without the ended refunds that neither the fact nor a waiting one may be about. */
export function rowsRead(state: MoneyState, fact: Fact | null): MoneyState {
  const reports = [fact, ...state.waiting.map((each) => each.fact)].flatMap((each) =>
    each?.about === 'refund' ? [each.event] : [],
  );
  const operation = fact && 'operation' in fact ? fact.operation : undefined;
  const called = state.operations.filter((row) => isOpen(row) || row.id === operation).map((row) => row.refund_id);
  const isRefundRead = (row: MoneyRefund): boolean =>
    row.status === 'pending' || called.includes(row.id) || reports.some((report) => mayBe(report, row));
  const read = state.refunds.filter(isRefundRead);
  const isOperationRead = (row: MoneyOperation): boolean =>
    row.refund_id === null || isOpen(row) || row.id === operation || read.some(({ id }) => id === row.refund_id);
  const others = state.refunds.filter((row) => !isRefundRead(row));
  const counted = others.filter(({ status }) => status !== 'failed').map(({ amount }) => subtractAmounts('0', amount));
  return {
    ...state,
    refunds: read,
    operations: state.operations.filter(isOperationRead),
    otherRefunds: { count: others.length, sum: subtractAmounts('0', ...counted) },
  };
}

function mayBe({ operationId, amount }: Report, row: MoneyRefund): boolean {
  const isAmount = amount !== null && Number(amount) === Number(row.amount);
  if (operationId === null) return isAmount;
  if (row.provider_refund_id !== null) return row.provider_refund_id === operationId;
  return row.status === 'succeeded' && (amount === null || isAmount);
}

/** The service's decision, which throws if the rows that are left out change it. `leftOut` counts their decisions. */
export function comparedDecider(leftOut: { decisions: number }): Decider {
  const compared = <Decided extends { effects: readonly object[]; verdict: object }>(
    { state, fact }: { state: MoneyState; fact: Fact | null },
    decided: (state: MoneyState, fact: Fact | null) => Decided,
  ): void => {
    const [whole, asked] = stored(state, fact);
    const read = rowsRead(whole, asked);
    if (read.refunds.length === whole.refunds.length) return;
    leftOut.decisions += 1;
    const [expected, found] = [whole, read].map((each) => textOf(() => decided(each, asked)));
    if (expected !== found) throw new Error(`rows that are left out decide: ${found} instead of ${expected}`);
  };
  return {
    decide: (state, fact, moment) => {
      compared({ state, fact }, (each, asked) => decide(each, asked!, moment));
      return decide(state, fact, moment);
    },
    decideWaiting: (state, moment) => {
      compared({ state, fact: null }, (each) => decideWaiting(each, moment));
      return decideWaiting(state, moment);
    },
  };
}

function textOf(decide: () => { effects: readonly object[]; verdict: object }): string {
  try {
    const { effects, verdict } = decide();
    return JSON.stringify([effects, verdict]);
  } catch (error) {
    return String(error);
  }
}

/** As it is after its effects were written: rows have ids above 0. */
function stored(state: MoneyState, fact: Fact | null): [MoneyState, Fact | null] {
  const given = (id: number): number => (id < 0 ? 1_000 - id : id);
  const operations = state.operations.map((row) => {
    return { ...row, id: given(row.id), refund_id: row.refund_id === null ? null : given(row.refund_id) };
  });
  const refunds = state.refunds.map((row) => ({ ...row, id: given(row.id) }));
  const about = fact && {
    ...fact,
    ...('operation' in fact && { operation: given(fact.operation) }),
    ...('refund' in fact && { refund: given(fact.refund) }),
  };
  return [{ ...state, operations, refunds }, about];
}
