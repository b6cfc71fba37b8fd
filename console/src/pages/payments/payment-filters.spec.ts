import { describe, expect, it } from '@jest/globals';
import { filtersOf, parametersOf } from './payment-filters';

describe('filtersOf', () => {
  it('returns texts, also for values that look like numbers', () => {
    expect(filtersOf({ shop_id: 3, status: 'failed', payment_session_id: 17 })).toEqual({
      shop_id: '3',
      status: 'failed',
      payment_session_id: '17',
    });
  });

  it('drops empty values and unknown parameters', () => {
    expect(filtersOf({ status: '', shop_id: '  ', flow_id: null, colour: 'red', from: {} })).toEqual({});
  });
});

describe('parametersOf', () => {
  it('splits metadata at the first equals sign', () => {
    expect(parametersOf({ status: 'failed', metadata: 'order_id = A=1' })).toEqual({
      status: 'failed',
      metadata: { order_id: 'A=1' },
    });
    expect(parametersOf({ status: 'failed' })).toEqual({ status: 'failed' });
  });
});
