import { describe, expect, it } from '@jest/globals';
import {
  authorizedState,
  captureRow,
  completedState,
  lookUp,
  moneyOf,
  operationsOf,
  resultOf,
} from '../../../test/support/money/facts.js';
import { reported, seenAfter, type Told } from '../../../test/support/money/builders.js';
import { ordersOf } from '../../../test/support/orders-of.js';

const CAPTURED = reported('completed', { amount: '60', operationId: 'cap1' });
const ACCEPTED = resultOf(2, { outcome: 'pending', operationId: 'cap1' });
const CONFIRMED = resultOf(2, { outcome: 'confirmed', operationId: 'cap1' });
const LAPSED = reported('authorization_expired');
const CANCELLED = reported('cancelled');

const NAMES = new Map<Told, string>([
  [CAPTURED, 'completed'],
  [ACCEPTED, 'accepted'],
  [CONFIRMED, 'confirmed'],
  [LAPSED, 'lapsed'],
  [CANCELLED, 'cancelled'],
]);

describe('a cancellation after the capture', () => {
  it.each([
    ['of all is looked up', 100, lookUp('cancelled'), ['alarm capture_failed']],
    ['of all is reported', 100, CANCELLED, ['alarm capture_failed']],
    ['of a part is looked up: all of the charge is cancelled', 60, lookUp('cancelled'), ['alarm capture_failed']],
    ['of a part is reported: the rest', 60, CANCELLED, []],
    ['of a part is reported as lapsed: the rest', 60, LAPSED, []],
  ])('%s', (_, captured, fact, notices) => {
    const { state, notices: found } = seenAfter(completedState(captured), [fact]);
    expect(moneyOf(state)).toBe(`completed ${captured} 0`);
    expect(operationsOf(state)).toEqual([]);
    expect(found).toEqual(notices);
  });

  it('means the rest, also if the authorisation was never reported', () => {
    const start = completedState(60);
    const payment = { ...start.payment, amount_authorized: '60' };
    expect(seenAfter({ ...start, payment }, [LAPSED]).notices).toEqual([]);
  });
});

describe('the end of the uncaptured rest', () => {
  const orders = [LAPSED, CANCELLED].flatMap((end) =>
    [
      [CAPTURED, end],
      [ACCEPTED, CAPTURED, end],
      [CONFIRMED, CAPTURED, end],
    ].flatMap((facts: Told[]) => ordersOf(facts)),
  );
  it.each(orders.map((order) => ({ order, name: order.map((fact) => NAMES.get(fact)).join(', ') })))(
    'keeps the accepted capture of a part: $name',
    ({ order }) => {
      const { state, notices: found } = seenAfter(authorizedState({ operations: [captureRow(60)] }), [...order]);
      expect(moneyOf(state)).toBe('completed 60 0');
      expect(operationsOf(state)).toEqual(['capture confirmed']);
      expect(state.waiting).toEqual([]);
      expect(found).toEqual([]);
    },
  );

  it.each([
    ['cancels the authorised payment', [], [LAPSED]],
    [
      'cancels it after the open capture has failed',
      [captureRow(60)],
      [LAPSED, resultOf(2, { outcome: 'refused', reason: 'no' })],
    ],
  ])('%s', (_, operations, facts) => {
    const { state } = seenAfter(authorizedState({ operations }), [...facts]);
    expect(moneyOf(state)).toBe('cancelled 0 0');
  });
});

describe('a capture', () => {
  it.each([
    ['of the same amount is old news', lookUp('captured', { captured: '60', amount: '100' }), []],
    [
      'of another amount is an alarm when it is looked up',
      lookUp('captured', { captured: '100', amount: '100' }),
      ['alarm amount_differs'],
    ],
    [
      'of another amount is an alarm when it is reported',
      reported('completed', { amount: '40' }),
      ['alarm amount_differs'],
    ],
  ])('%s', (_, fact, notices) => {
    const start = completedState(60, { operations: [captureRow(60, { state: 'confirmed', is_tried: false })] });
    const { state, notices: found } = seenAfter(start, [fact]);
    expect(moneyOf(state)).toBe('completed 60 0');
    expect(found).toEqual(notices);
  });
});

describe('capture.failed', () => {
  const FAILED = reported('capture_failed', { operationId: 'cap1' });
  const pending = captureRow(60, { state: 'pending', provider_operation_id: 'cap1' });
  it.each([
    ['the provider refuses the call', [resultOf(2, { outcome: 'refused', reason: 'no' })], 'processing 0 0', []],
    ['an accepted one is reported as failed', [FAILED], 'processing 0 0', ['alarm capture_failed']],
    [
      'a look-up of it finds it refused',
      [resultOf(2, { outcome: 'refused', reason: 'no', operationId: 'cap1' })],
      'processing 0 0',
      [],
    ],
    ['the charge is looked up and was voided', [lookUp('cancelled')], 'cancelled 0 0', []],
    [
      'the refused call finds the charge voided',
      [resultOf(2, { outcome: 'refused', reason: 'no' }, { charge: lookUp('cancelled') })],
      'cancelled 0 0',
      [],
    ],
    [
      'another amount was captured at the provider',
      [lookUp('captured', { captured: '100', amount: '100' })],
      'completed 100 0',
      [],
    ],
    [
      'a person settles it as not captured',
      [
        {
          about: 'settlement',
          operation: 2,
          outcome: 'not_captured',
          amount: '60',
          providerId: undefined,
          reason: 'seen',
        },
      ],
      ...['processing 0 0', []],
    ],
    [
      'a person settles it as voided',
      [{ about: 'settlement', operation: 2, outcome: 'voided', amount: '60', providerId: undefined, reason: 'seen' }],
      ...['cancelled 0 0', []],
    ],
  ] as [string, Told[], string, string[]][])('follows once when %s', (_, facts, money, notices) => {
    const { state, notices: found } = seenAfter(authorizedState({ operations: [pending] }), [...facts]);
    expect(moneyOf(state)).toBe(money);
    expect(operationsOf(state)).toEqual(['capture refused']);
    expect(found.sort()).toEqual([...notices, 'capture_failed'].sort());
  });
});
