import { describe, expect, it } from '@jest/globals';
import { describeRedelivery, isSameRedelivery, redeliveryOf, validDeliverySearch } from './delivery-filter';

const HOOKS = 'https://merchant.example/webhooks';

describe('validDeliverySearch', () => {
  it('takes the valid parameters of the URL and drops the others', () => {
    const search = {
      status: 'failed',
      shop_id: '3',
      payment_id: 4711,
      webhook_endpoint: ` ${HOOKS} `,
      from: '2026-11-21',
    };
    expect(validDeliverySearch(search)).toEqual({
      status: 'failed',
      shop_id: 3,
      payment_id: 4711,
      webhook_endpoint: HOOKS,
      from: '2026-11-21T00:00:00.000Z',
    });
    expect(validDeliverySearch({ status: 'lost', shop_id: 'x', payment_id: -1, from: 'then', other: 1 })).toEqual({});
  });

  it.each([
    [{}, 'status'],
    [{ status: 'pending' }, 'not finished'],
    [{ status: 'failed', payment_id: 1 }, 'one payment'],
  ] as const)('refuses the filter %j with a reason', (search, reason) => {
    expect(redeliveryOf(search)).toEqual({ reason: expect.stringContaining(reason) });
  });

  it('accepts a filter of finished deliveries unchanged', () => {
    const search = {
      status: 'delivered',
      shop_id: 3,
      webhook_endpoint: HOOKS,
      to: '2026-11-21T00:00:00.000Z',
    } as const;
    expect(redeliveryOf(search)).toEqual(search);
  });

  it('describeRedelivery describes the filter in a sentence', () => {
    const textOf = (filter: Parameters<typeof describeRedelivery>[0]) =>
      describeRedelivery(
        filter,
        (id) => `shop ${id}`,
        (time) => time.slice(0, 10),
      );
    expect(textOf({ status: 'failed' })).toBe('failed deliveries of all shops');
    expect(textOf({ status: 'failed', endpoint_id: 7 })).toBe('failed deliveries to endpoint 7');
    expect(
      textOf({ status: 'failed', shop_id: 3, webhook_endpoint: HOOKS, from: '2026-11-20', to: '2026-11-21' }),
    ).toBe(`failed deliveries of shop 3 to ${HOOKS} created since 2026-11-20 before 2026-11-21`);
  });
});

describe('isSameRedelivery', () => {
  const running = {
    shop_id: null,
    endpoint_id: null,
    status: 'failed' as const,
    webhook_endpoint: null,
    from: '2026-11-21T00:00:00.000Z',
    to: null,
    requested_at: '2026-11-21T00:00:00.000Z',
    redelivered: 3,
  };

  it.each([
    [{ status: 'failed', from: '2026-11-21T01:00:00+01:00' }, true],
    [{ status: 'failed' }, false],
    [{ status: 'delivered', from: '2026-11-21T00:00:00Z' }, false],
    [{ status: 'failed', from: '2026-11-21T00:00:00Z', webhook_endpoint: HOOKS }, false],
    [{ status: 'failed', from: '2026-11-21T00:00:00Z', endpoint_id: 7 }, false],
  ] as const)('compares a running redelivery with %j: %s', (requested, isSame) => {
    expect(isSameRedelivery(running, requested)).toBe(isSame);
  });
});
