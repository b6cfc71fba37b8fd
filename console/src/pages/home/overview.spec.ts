import { describe, expect, it } from '@jest/globals';
import { approvalRate, busiestFirst, type Overview, type ShopApprovals, tilesOf } from './overview';

const AT = '2026-11-22T12:00:00.000Z';
const before = (minutes: number): string => new Date(Date.parse(AT) - minutes * 60_000).toISOString();

function overviewWith(open: Partial<Overview['open']>): Overview {
  const nothing = {
    pending_deliveries: 0,
    failed_deliveries: 0,
    oldest_due_delivery_at: null,
    failing_endpoints: 0,
    open_operations: 0,
    oldest_operation_at: null,
    waiting_notifications: 0,
    oldest_notification_at: null,
    alarms: 0,
    oldest_alarm_at: null,
  };
  return {
    at: AT,
    approvals: { from: AT, shops: [] },
    deliveries: { from: AT, minutes: [] },
    open: { ...nothing, ...open },
  };
}

describe('tilesOf', () => {
  it('returns only good tiles while nothing is pending', () => {
    const tiles = tilesOf(overviewWith({}));
    expect(tiles.map(({ tone }) => tone)).toEqual(['good', 'good', 'good', 'good', 'good', 'good']);
    expect(tiles.map(({ value }) => value)).toEqual(['0', 'none', '0', '0', '0', '0']);
  });

  it.each([
    [0.5, 'good'],
    [1, 'warn'],
    [5, 'bad'],
  ])('marks a webhook that has been due for %d min as %s', (minutes, tone) => {
    expect(tilesOf(overviewWith({ oldest_due_delivery_at: before(minutes) }))[1]).toMatchObject({ tone });
  });

  it('counts failed webhooks and links to the list of the same deliveries', () => {
    const [failed] = tilesOf(overviewWith({ failed_deliveries: 586 }));
    expect(failed).toMatchObject({ value: '586', tone: 'bad', to: '/deliveries' });
    expect(failed!.search).toEqual({ status: 'failed', from: before(24 * 60) });
  });

  it('marks every open alarm as bad, even a new one', () => {
    const open = { alarms: 1, oldest_alarm_at: before(1) };
    expect(tilesOf(overviewWith(open))[3]).toMatchObject({ value: '1', tone: 'bad', to: '/open-work' });
  });

  it('links to the failing endpoints', () => {
    const [, , failing] = tilesOf(overviewWith({ failing_endpoints: 2 }));
    expect(failing).toMatchObject({ value: '2', tone: 'bad', to: '/endpoints', search: { status: 'failing' } });
  });

  it('shows the age of the oldest open operation, and the limit of the count', () => {
    const open = { open_operations: 10_000, oldest_operation_at: before(90) };
    expect(tilesOf(overviewWith(open))[4]).toMatchObject({ value: '10,000 or more', note: 'oldest: 1 h', tone: 'bad' });
  });
});

describe('approvalRate', () => {
  it('shows a rate only if there are outcomes', () => {
    expect(approvalRate({ approved: 0, declined: 0, failed: 0 })).toBe('–');
    expect(approvalRate({ approved: 2, declined: 1, failed: 0 })).toBe('66.7 %');
  });
});

describe('busiestFirst', () => {
  it('sorts the shops by their number of payments', () => {
    const shop = (id: number, approved: number): ShopApprovals =>
      ({ shop_id: id, shop_name: '', approved, declined: 0, failed: 0, hours: [] }) satisfies ShopApprovals;
    expect(busiestFirst([shop(1, 0), shop(2, 9), shop(3, 4)]).map(({ shop_id: id }) => id)).toEqual([2, 3, 1]);
  });
});
