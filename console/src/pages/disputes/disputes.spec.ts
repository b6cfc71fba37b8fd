import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { dueSoon, validDisputeSearch } from './dispute-filter';
import { dueOf } from './due-text';
import { dashboardsOf } from './provider-links';

const NOW = Date.UTC(2026, 10, 21);
const HOUR = 3_600_000;
const dispute = (inMs: number | null, status: Schema<'DisputeStatus'> = 'open') =>
  ({ status, evidence_due_by: inMs === null ? null : new Date(NOW + inMs).toISOString() }) as Schema<'Dispute'>;

describe('dueOf', () => {
  it.each([
    [9 * 24 * HOUR, 'in 9 days', 'warn'],
    [48 * HOUR + 1, 'in 2 days', 'warn'],
    [48 * HOUR, 'in 2 days', 'bad'],
    [24 * HOUR, 'in 1 day', 'bad'],
    [5 * HOUR, 'in 5 hours', 'bad'],
    [90_000, 'in 1 minute', 'bad'],
    [1_000, 'in 1 minute', 'bad'],
    [0, 'overdue', 'bad'],
    [-HOUR, 'overdue', 'bad'],
  ])('shows %d ms as %s', (ms, text, tone) => {
    expect(dueOf(dispute(ms), NOW)).toEqual({ text, tone });
  });

  it('shows nothing if no evidence is expected or the provider has given no time', () => {
    expect(dueOf(dispute(null), NOW)).toBeUndefined();
    for (const status of ['under_review', 'won', 'lost', 'accepted'] as const)
      expect(dueOf(dispute(-HOUR, status), NOW)).toBeUndefined();
  });
});

describe('validDisputeSearch', () => {
  it.each([
    [
      { status: 'open', shop_id: '3' },
      { status: 'open', shop_id: 3 },
    ],
    [{ due_before: '2026-12-01T00:00:00Z' }, { due_before: '2026-12-01T00:00:00.000Z' }],
    [{ due_from: '2026-12-01T00:00:00Z', due_before: 7 }, { due_from: '2026-12-01T00:00:00.000Z' }],
    [{ status: 'closed', shop_id: 'x', due_before: 'soon', utm_source: 'mail' }, {}],
    [{}, {}],
  ])('reads %j as %j', (search, filter) => {
    expect(validDisputeSearch(search)).toEqual(filter);
  });

  it('accepts the time until which evidence is due soon', () => {
    expect(validDisputeSearch({ due_before: dueSoon(NOW) })).toEqual({ due_before: '2026-11-28T00:00:00.000Z' });
  });
});

describe('dashboardsOf', () => {
  it('links to the dispute at Stripe, live and in test mode', () => {
    expect(dashboardsOf('stripe', 'dp_1/..').map(({ href }) => href)).toEqual([
      'https://dashboard.stripe.com/disputes/dp_1%2F..',
      'https://dashboard.stripe.com/test/disputes/dp_1%2F..',
    ]);
  });

  it('dashboardsOf returns no link for a provider without a known dashboard', () => {
    expect(dashboardsOf('sandbox', 'dp_1')).toEqual([]);
    expect(dashboardsOf('constructor', 'dp_1')).toEqual([]);
  });
});
