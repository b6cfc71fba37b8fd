import type { Effect } from '../../../src/payments/money/state/effect.js';
import { captureOf } from '../../../src/payments/money/state/state.js';
import { DISPUTE_WORDS } from './charge-book.js';
import { DISPUTED, kindOf, MANUAL, type PlantedMistake, UNNAMED, without } from './mistake.js';
import { STARTS } from './starts.js';

/** Grows with each report of a dispute. */
let counted = DISPUTE_WORDS.length;

/** Mistakes of requests, refunds, voids, settlements, waiting facts and disputes. */
export const OF_OPERATIONS: readonly PlantedMistake[] = [
  {
    rule: 'request',
    from: MANUAL,
    instead: 'captures a second time',
    steps: 4,
    does: (effects, { payment, operations }, fact) => {
      const isSecond =
        fact?.about === 'request' && fact.what === 'capture' && captureOf(operations, payment.attempt) !== undefined;
      const id = Math.min(0, ...operations.map((row) => row.id)) - 1;
      const operation = {
        attempt: payment.attempt,
        kind: 'capture',
        cause: 'capture_requested',
        refund_id: null,
        isCalledNow: true,
      } as const;
      return isSecond ? [...effects, { do: 'open', id, operation }] : effects;
    },
    finds: /two are open/,
  },
  {
    rule: 'request',
    from: MANUAL,
    instead: 'cancels while the payment is being captured',
    steps: 4,
    isBlindTo: (state, fact) =>
      fact?.about === 'request' && fact.what === 'cancel'
        ? { ...state, operations: state.operations.filter(({ kind }) => kind !== 'capture') }
        : state,
    finds: /captured and voided at once/,
  },
  {
    rule: 'request',
    instead: 'refunds more than is left',
    steps: 4,
    isBlindTo: (state, fact) =>
      fact?.about === 'request' && fact.what === 'refund'
        ? { ...state, payment: { ...state.payment, amount_refunded: '0' } }
        : state,
    finds: /amounts out of order/,
  },
  {
    rule: 'refund',
    instead: 'counts one that failed',
    steps: 3,
    ...without((each) => each.do === 'end_refund' && each.status === 'failed'),
    finds: /refund is pending|at rest/,
  },
  {
    rule: 'refund',
    instead: 'keeps a payment refunded when a refund fails',
    steps: 6,
    ...without((each) => each.do === 'status' && each.change.cause === 'refund_failed'),
    finds: /refunded in part only/,
  },
  {
    rule: 'refund',
    instead: 'does not make the payment refunded when all is given back',
    steps: 3,
    ...without((each) => each.do === 'status' && each.states.at(-1)?.status === 'refunded'),
    finds: /all is refunded, and the status is not/,
  },
  {
    rule: 'refund',
    instead: 'forgets the sum that a look-up has found',
    steps: 3,
    sees: (fact) => (fact.about === 'charge' ? { ...fact, refunded: undefined } : fact),
    finds: /a look-up found/,
  },
  {
    rule: 'refund',
    instead: 'takes the report of ours for one that was made at the provider',
    steps: 2,
    isBlindTo: (state, fact) => (fact?.about === 'refund' ? { ...state, refunds: [] } : state),
    finds: /sum of refunds|at rest|order|second time|false alarm/,
  },
  {
    rule: 'refund',
    from: STARTS.at(-1)!,
    instead: 'lets a refund wait for ever that exceeded the captured amount before another one failed',
    steps: 8,
    isBlindTo: (state) => ({ ...state, waiting: state.waiting.filter((each) => each.state !== 'parked') }),
    finds: /at rest/,
  },
  {
    rule: 'void',
    instead: 'gives up a necessary one that is refused',
    steps: 4,
    does: (effects) =>
      effects.map((each): Effect =>
        each.do === 'repeat'
          ? {
              do: 'record',
              operation: each.operation,
              record: { state: 'refused', lastAnswer: '', reason: each.reason },
            }
          : each,
      ),
    finds: /at rest/,
  },
  {
    rule: 'void',
    instead: 'does not cancel the payment that it has voided',
    steps: 4,
    does: (effects, state, fact) =>
      fact?.about === 'operation' && kindOf(state, fact.operation) === 'void' && fact.result.outcome === 'confirmed'
        ? effects.filter((each) => each.do !== 'status')
        : effects,
    finds: /at rest/,
  },
  {
    rule: 'settlement',
    instead: 'leaves the refund of a settled operation pending',
    steps: 5,
    ...without((each, _state, fact) => fact?.about === 'settlement' && each.do === 'end_refund'),
    finds: /refund is pending|at rest/,
  },
  {
    rule: 'settlement',
    from: UNNAMED,
    instead: 'keeps the late charge that a person has found',
    steps: 5,
    ...without((each, _state, fact) => fact?.about === 'settlement' && each.do === 'open'),
    finds: /at rest/,
  },
  {
    rule: 'settlement',
    from: UNNAMED,
    instead: 'leaves the other operations of the charge open',
    steps: 5,
    does: (effects, _state, fact) =>
      fact?.about === 'settlement'
        ? effects.filter((each) => each.do !== 'record' || each.operation === fact.operation)
        : effects,
    finds: /at rest|two are open/,
  },
  {
    rule: 'waiting',
    instead: 'never tries a waiting fact again',
    steps: 2,
    isBlindTo: (state) => ({ ...state, waiting: [] }),
    finds: /at rest|order decides/,
  },
  {
    rule: 'dispute',
    from: DISPUTED,
    instead: 'believes the report that comes last, not the one that is newest',
    steps: 5,
    sees: (fact) => {
      if (fact.about !== 'dispute' || fact.report === null) return fact;
      return { ...fact, report: { ...fact.report, at: new Date(1e12 + (counted += 1)) } };
    },
    finds: /last word about the dispute/,
  },
];
