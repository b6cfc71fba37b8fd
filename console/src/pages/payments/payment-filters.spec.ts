import { describe, expect, it } from '@jest/globals';
import { filtersOf } from './payment-filters';

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
