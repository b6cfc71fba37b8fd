import type { PaymentRow } from '../../../src/payments/money/state/payment.js';
import { factOf, factOfState } from '../../../src/payments/money/state/call-fact.js';
import { decide } from '../../../src/payments/money/decide.js';
import type { Effect } from '../../../src/payments/money/state/effect.js';
import type {
  ChargeFact,
  Fact,
  OperationFact,
  SettlementFact,
  Source,
} from '../../../src/payments/money/state/fact.js';
import type {
  NotificationVerdict,
  ReportedEvent,
  ReportedStatus,
} from '../../../src/payments/money/state/notification.js';
import { isOpen, type OperationKind } from '../../../src/payments/money/state/operation.js';
import {
  type MoneyAttempt,
  type MoneyOperation,
  type MoneyState,
  newState,
  type WaitingFact,
} from '../../../src/payments/money/state/state.js';
import type { ProviderState } from '@payment-orchestrator/provider-kit';
import type { CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import { Problem } from '../../../src/shared/problem.js';

export const NOW = new Date('2026-01-02T00:00:00Z');
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

/** A pending payment of 100 EUR, whose charge has been recorded. */
export const paymentRow = (fields: Partial<PaymentRow> = {}): PaymentRow => ({
  ...{ id: 1, payment_session_id: 's', provider_transaction_id: null, amount: '100', currency: 'EUR' },
  ...{
    status: 'pending',
    country: null,
    payment_provider: 'p1',
    flow_id: 1,
    merchant_id: 1,
    shop_id: 1,
    shop_name: 's',
  },
  ...{ created_at: LONG_AGO, updated_at: LONG_AGO, expires_at: new Date('2026-01-03T00:00:00Z') },
  ...{
    amount_authorized: '0',
    amount_captured: '0',
    amount_refunded: '0',
    webhook_endpoint: null,
    webhook_lane_id: null,
  },
  ...{
    metadata: null,
    provider_metadata: {},
    attempt: 1,
    max_attempts: 2,
    fallback_shop_ids: [2],
    capture: 'automatic',
  },
  ...{
    payment_method: null,
    initiator: null,
    agreement: null,
    capture_before: null,
    next_action: null,
    return_url: null,
  },
  ...{ charged_after_end: false, has_waiting_notifications: false, traceparent: null, customer: null },
  ...fields,
});

export const attemptRow = (number: number, fields: Partial<MoneyAttempt> = {}): MoneyAttempt => ({
  ...{ number, provider: `p${number}`, reference: `ref${number}`, provider_transaction_id: null },
  ...{ outcome: null, decline_code: null, started_at: LONG_AGO, ...fields },
});

export const operationRow = (
  fields: Partial<MoneyOperation> & Pick<MoneyOperation, 'id' | 'kind'>,
): MoneyOperation => ({
  ...{ attempt: 1, cause: 'payment', state: 'open', amount: '100', currency: 'EUR', refund_id: null },
  ...{ provider_operation_id: null, idempotency_key: `key of ${fields.id}`, key_calls: 1, reason: null },
  ...{ is_tried: true, ...fields },
});

/** A pending payment whose charge was called long ago, without an answer. */
export const unanswered = (capture: CaptureMode = 'automatic'): MoneyState => ({
  ...newState(paymentRow({ capture })),
  ...{ attempts: [attemptRow(1)], operations: [operationRow({ id: 1, kind: 'charge' })] },
});

/** A pending payment whose charge is being called now. */
export const charging = (capture: CaptureMode = 'automatic'): MoneyState => ({
  ...unanswered(capture),
  attempts: [attemptRow(1, { started_at: NOW })],
});

/** The same at its second shop; the first one declined. */
export const chargingSecond = (): MoneyState => ({
  ...newState(paymentRow({ attempt: 2, payment_provider: 'p2' })),
  attempts: [attemptRow(1, { outcome: 'soft_declined', provider_transaction_id: 'tx1' }), attemptRow(2)],
  operations: [
    operationRow({ id: 1, kind: 'charge', state: 'refused', is_tried: false }),
    operationRow({ id: 2, kind: 'charge', attempt: 2 }),
  ],
});

/** A fact, or one about the state as it is. */
export type Told = Fact | ((state: MoneyState) => Fact) | Early;

/** A report that names the transaction id only: it is early until the payment has that id. */
interface Early {
  early: Told;
}
export const early = (report: Told): Early => ({ early: report });

const charge =
  (source: Source) =>
  (status: ChargeFact['status'], fields: Partial<ChargeFact> = {}): ChargeFact => ({
    ...{ about: 'charge', source, attempt: 1, status },
    ...fields,
  });
/** The answer to the charge of the first attempt. */
export const answered = charge('answer');

/** The provider's state of an attempt, when it was asked. */
export const lookedUp =
  (status: ProviderState['status'], fields: object = {}, attempt = 1): Told =>
  ({ payment }) =>
    factOfState(
      { status, amount: '100', currency: 'EUR', transactionId: `tx${attempt}`, ...fields },
      attempt,
      payment.capture,
      payment.amount_refunded,
    );

/** A provider's notification about an attempt. */
export const reported = (status: ReportedStatus, fields: Partial<ReportedEvent> = {}, attempt = 1): Told => {
  const event: ReportedEvent = {
    ...{
      provider: 'p1',
      status,
      transactionId: 'tx1',
      reference: null,
      amount: null,
      currency: null,
      declineCode: null,
    },
    ...{ operationId: null, dispute: null, data: {}, receivedAt: NOW, ...fields },
  };
  return ({ payment }) => factOf(event, attempt, payment.capture);
};

const lastOf = ({ operations }: MoneyState, kind: OperationKind): MoneyOperation =>
  operations.findLast((row) => row.kind === kind && isOpen(row)) ?? operations.findLast((row) => row.kind === kind)!;

/** The answer to the last operation of a kind. */
export const operated =
  (kind: OperationKind, result: OperationFact['result'], shown?: Told): Told =>
  (state) => {
    const { id: operation, idempotency_key: key } = lastOf(state, kind);
    const fact = { about: 'operation', operation, key, lastAnswer: result.outcome, result } as const;
    return shown ? { ...fact, charge: factIn(state, shown) as ChargeFact } : fact;
  };
export const confirmed = (kind: OperationKind, operationId?: string): Told =>
  operated(kind, { outcome: 'confirmed', operationId });
export const accepted = (kind: OperationKind, operationId: string): Told =>
  operated(kind, { outcome: 'pending', operationId });
export const refused = (kind: OperationKind, fields: object = {}): Told =>
  operated(kind, { outcome: 'refused', reason: 'not_now', ...fields });

/** A person settles the last operation of a kind, with all of its amount unless another is named. */
export const settled =
  (kind: OperationKind, outcome: SettlementFact['outcome'], amount?: string, providerId?: string): Told =>
  (state) => {
    const { id: operation, amount: whole } = lastOf(state, kind);
    return { about: 'settlement', operation, outcome, amount: amount ?? whole, providerId, reason: 'seen' };
  };

export const CANCEL: Fact = { about: 'request', what: 'cancel' };
export const EXPIRED: Fact = { about: 'end', to: 'cancelled', cause: 'expired' };
export const captureAsked = (amount?: string): Fact => ({
  about: 'request',
  what: 'capture',
  amount,
  canCaptureParts: true,
});
export const refundAsked = (amount?: string): Fact => ({
  ...{ about: 'request', what: 'refund', amount, canRefundParts: true, isConfirmed: false },
  ...{ isRest: amount === undefined, fields: {} },
});

const factIn = (state: MoneyState, given: Told): Fact =>
  typeof given === 'function' ? given(state) : 'early' in given ? factIn(state, given.early) : given;

/** The view of a merchant and an operator after facts. */
export interface Seen {
  status: string;
  /** Authorised, captured and refunded. */
  amounts: number[];
  /** Kind and state of each, and its amount if it is a part. */
  operations: string[];
  /** Amount, status and origin of each. */
  refunds: string[];
  /** The verdict of each fact, in order; of a request `granted` or the code of its problem; of one that waited also its last one. */
  verdicts: string[];
  /** Status and cause of each step. */
  history: string[];
  /** Alarms, events and notes of the history. */
  notices: string[];
  /** Facts that still wait. */
  waiting: number;
  state: MoneyState;
}

/** Tells facts one after the other, as the service does: a notification that must wait is kept and tried again. */
export function seenAfter(start: MoneyState, given: readonly Told[]): Seen {
  let state = start;
  const verdicts: string[] = [];
  const effects: [MoneyState, Effect][] = [];
  for (const [index, one] of given.entries()) {
    const fact = factIn(state, one);
    const named = 'event' in fact ? fact.event?.transactionId : null;
    if ('early' in one && named && !state.attempts.some((row) => row.provider_transaction_id === named)) {
      verdicts.push('waiting unknown_payment');
      state = keptIn(state, { id: index, fact, isTimedOut: false, state: 'early', transactionId: named });
      continue;
    }
    try {
      const decision = decide(state, fact, { now: NOW, chargeLeaseMs: 60_000 });
      for (const effect of decision.effects) {
        effects.push([state, effect]);
        if (effect.do === 'settle_waiting') verdicts[effect.id] += ` ${textOf(effect.verdict)}`;
      }
      state = decision.state;
      verdicts.push(fact.about === 'request' ? 'granted' : textOf(decision.verdict));
      if ('source' in fact && fact.source === 'notification') state = stored(state, index, fact, decision.verdict);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      verdicts.push(error.code);
    }
  }
  return seenIn(state, verdicts, effects);
}

/** As the inbox stores a notification, and the loader reads it. */
function stored(state: MoneyState, id: number, fact: Fact, { outcome, reason }: NotificationVerdict): MoneyState {
  const event = 'event' in fact ? fact.event : undefined;
  const isFailed = event?.status === 'refund_failed' && event.operationId !== null;
  const failedRefunds = isFailed ? [...state.failedRefunds, event.operationId!] : state.failedRefunds;
  const isParked = outcome === 'alarm' && reason === 'other_refund';
  if (outcome !== 'waiting' && !isParked) return { ...state, failedRefunds };
  return keptIn({ ...state, failedRefunds }, { id, fact, isTimedOut: false, state: isParked ? 'parked' : 'waits' });
}

const keptIn = (state: MoneyState, kept: WaitingFact): MoneyState => ({ ...state, waiting: [...state.waiting, kept] });

const textOf = ({ outcome, reason }: NotificationVerdict): string =>
  reason === null ? outcome : `${outcome} ${reason}`;

function seenIn(state: MoneyState, verdicts: string[], effects: [MoneyState, Effect][]): Seen {
  const { payment, operations, refunds, waiting } = state;
  const { status, amount_authorized: held, amount_captured: captured, amount_refunded: refunded } = payment;
  return {
    ...{ status, state, verdicts, amounts: [held, captured, refunded].map(Number) },
    operations: operations.map((row) =>
      [row.kind, row.state, ...(Number(row.amount) === 100 ? [] : [Number(row.amount)])].join(' '),
    ),
    refunds: refunds.map((row) => `${Number(row.amount)} ${row.status} ${row.origin}`),
    history: effects.flatMap(([before, effect]) => stepsOf(before, effect)),
    notices: effects.flatMap(([, effect]) => noticesOf(effect)),
    waiting: waiting.filter((each) => each.state !== 'parked').length,
  };
}

function stepsOf({ payment }: MoneyState, effect: Effect): string[] {
  if (effect.do === 'status') return effect.states.map(({ status }) => `${status} ${effect.change.cause}`);
  if (effect.do === 'late_charge') return [`${payment.status} charged_after_end`];
  return effect.do === 'late_charge_reversed' ? [`${payment.status} late_charge_reversed`] : [];
}

function noticesOf(effect: Effect): string[] {
  if (effect.do === 'alarm') return [`alarm ${effect.reason}`];
  const isNoted = effect.do === 'capture_failed' || effect.do === 'late_charge' || effect.do === 'late_charge_reversed';
  return isNoted ? [effect.do] : [];
}

/** A row of a table: its name, the state before, the facts, and what is seen after them. */
export type Row = [name: string, start: MoneyState, facts: Told[], seen: Partial<Seen>];
