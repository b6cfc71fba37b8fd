import type { Effect } from '../../../src/payments/money/state/effect.js';
import { wasCharged } from '../../../src/payments/money/state/state.js';
import { WHOLE } from './charge-book.js';
import { CAPTURING, chargeIs, FAILED_OVER, MANUAL, opens, type PlantedMistake, without } from './mistake.js';
import { OF_OPERATIONS } from './operation-mistakes.js';

const OF_CHARGES: readonly PlantedMistake[] = [
  {
    rule: 'charge',
    instead: 'leaves the payment pending when it was captured',
    steps: 0,
    ...without(
      (each) => each.do === 'status' && each.change.to === 'completed' && each.change.cause !== 'refund_failed',
    ),
    finds: /at rest/,
  },
  {
    rule: 'charge',
    instead: 'accepts another amount than was asked for',
    steps: 1,
    sees: (fact, { payment }) =>
      payment.capture === 'manual' || !chargeIs(fact, 'captured')
        ? fact
        : { ...chargeIs(fact, 'captured')!, captured: String(WHOLE), amount: String(WHOLE) },
    finds: /different at rest/,
  },
  {
    rule: 'charge',
    instead: 'lets a notification decide while the call is under way',
    steps: 2,
    hasNow: (moment) => ({ ...moment, chargeLeaseMs: 0 }),
    finds: /while the call is under way/,
  },
  {
    rule: 'charge',
    instead: 'raises no alarm when a captured charge is cancelled',
    steps: 2,
    ...without((each) => each.do === 'alarm' && each.reason === 'capture_failed'),
    finds: /different at rest|open at rest/,
  },
  {
    rule: 'charge',
    from: MANUAL,
    instead: 'raises an alarm when the rest of a captured charge lapses',
    steps: 5,
    sees: (fact, state) =>
      chargeIs(fact, 'cancelled') && wasCharged(state, state.payment.attempt)
        ? { ...chargeIs(fact, 'cancelled')!, source: 'look_up' }
        : fact,
    finds: /false alarm/,
  },
  {
    rule: 'late charge',
    instead: 'does not refund it',
    steps: 2,
    ...without((each) => opens(each, 'refund') && each.do === 'open' && each.operation.cause === 'charged_after_end'),
    finds: /at rest/,
  },
  {
    rule: 'late charge',
    from: FAILED_OVER,
    instead: 'does not void a late authorisation',
    steps: 1,
    ...without((each) => opens(each, 'void') && each.do === 'open' && each.operation.cause === 'charged_after_end'),
    finds: /at rest/,
  },
  {
    rule: 'late charge',
    instead: 'records no event of it',
    steps: 3,
    ...without((each) => each.do === 'late_charge'),
    finds: /without its event/,
  },
  {
    rule: 'late charge',
    instead: 'records no event that it was reversed',
    steps: 5,
    ...without((each) => each.do === 'late_charge_reversed'),
    finds: /reversals made, 0 events/,
  },
  {
    rule: 'late charge',
    instead: 'refunds it once more for each report',
    steps: 3,
    does: (effects, state, fact) => {
      const isLate = chargeIs(fact, 'captured') && state.payment.charged_after_end;
      const id = Math.min(0, ...state.operations.map((row) => row.id)) - 1;
      const operation = {
        attempt: 1,
        kind: 'refund',
        cause: 'charged_after_end',
        refund_id: null,
        isCalledNow: false,
      } as const;
      return isLate ? [...effects, { do: 'open', id, operation }] : effects;
    },
    finds: /second time|two are open/,
  },
  {
    rule: 'capture',
    from: CAPTURING,
    instead: 'confirms ours when another amount was captured',
    steps: 5,
    does: (effects) => {
      const isOther = (each: Effect): boolean =>
        each.do === 'record' && each.record.reason?.startsWith('another amount') === true;
      if (!effects.some(isOther)) return effects;
      const made = effects.filter((each) => each.do !== 'capture_failed');
      return made.map((each) =>
        isOther(each) && each.do === 'record' ? { ...each, record: { ...each.record, state: 'confirmed' } } : each,
      );
    },
    finds: /another amount is captured/,
  },
  {
    rule: 'capture',
    from: CAPTURING,
    instead: 'records no event that it failed',
    steps: 5,
    ...without((each) => each.do === 'capture_failed'),
    finds: /captures failed, 0 events/,
  },
  {
    rule: 'capture',
    from: CAPTURING,
    instead: 'cancels the payment when the rest lapses before the capture is reported',
    steps: 5,
    isBlindTo: (state, fact) =>
      chargeIs(fact, 'cancelled')
        ? { ...state, operations: state.operations.filter(({ kind }) => kind !== 'capture') }
        : state,
    finds: /order decides|given back/,
  },
];

export const MISTAKES: readonly PlantedMistake[] = [...OF_CHARGES, ...OF_OPERATIONS];
