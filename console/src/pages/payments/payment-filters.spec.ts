import { describe, expect, it } from '@jest/globals';
import { filtersOf, fromLocalInput, toLocalInput } from './payment-filters';

describe('filters of an address', () => {
  it('are text, also those that look like numbers', () => {
    expect(filtersOf({ shop_id: 3, status: 'failed', payment_session_id: 17 })).toEqual({
      shop_id: '3',
      status: 'failed',
      payment_session_id: '17',
    });
  });

  it('leave out what says nothing and what is no filter', () => {
    expect(filtersOf({ status: '', shop_id: '  ', flow_id: null, colour: 'red', from: {} })).toEqual({});
  });
});

describe('local times', () => {
  it('come back as the moment that they were, to the minute', () => {
    const iso = '2026-11-21T01:02:00.000Z';
    expect(fromLocalInput(toLocalInput(iso))).toBe(iso);
  });

  it('are empty for what is no time', () => {
    expect([toLocalInput(undefined), toLocalInput('soon'), fromLocalInput(''), fromLocalInput('soon')]).toEqual(
      Array(4).fill(''),
    );
  });
});
