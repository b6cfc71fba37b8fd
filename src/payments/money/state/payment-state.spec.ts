import { describe, expect, it } from '@jest/globals';
import { PAYMENT_STATUSES, type PaymentStatus, stepsTo } from './payment-state.js';

const allowed = [
  'pending>processing',
  'pending>completed',
  'pending>failed',
  'pending>cancelled',
  'processing>completed',
  'processing>failed',
  'processing>cancelled',
  'completed>refunded',
  'refunded>completed',
];

const pairs = PAYMENT_STATUSES.flatMap((from) =>
  PAYMENT_STATUSES.map((to): [PaymentStatus, PaymentStatus] => [from, to]),
);

describe('stepsTo', () => {
  it.each(pairs)('%s to %s follows the table', (from, to) => {
    const steps = stepsTo(from, to);
    if (from === to) expect(steps).toEqual([]);
    else if (allowed.includes(`${from}>${to}`)) expect(steps).toEqual([to]);
    else expect(steps).toBeNull();
  });

  it('passes processing on the way from pending to the first answer', () => {
    expect(stepsTo('pending', 'completed', 'processing')).toEqual(['processing', 'completed']);
    expect(stepsTo('pending', 'failed', 'processing')).toEqual(['processing', 'failed']);
    expect(stepsTo('pending', 'processing', 'processing')).toEqual(['processing']);
    expect(stepsTo('processing', 'completed', 'processing')).toEqual(['completed']);
  });

  it('never passes through a first answer to a status that the transition table forbids', () => {
    expect(stepsTo('cancelled', 'completed', 'processing')).toBeNull();
    expect(stepsTo('pending', 'refunded', 'completed')).toEqual(['completed', 'refunded']);
    expect(stepsTo('failed', 'completed', 'processing')).toBeNull();
  });
});
