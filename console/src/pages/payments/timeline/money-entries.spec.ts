import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { disputeEntries, refundEntries, settlementEntries } from './money-entries';

const REFUND: Schema<'Refund'> = {
  id: 7,
  payment_id: 17,
  amount: 10,
  currency: 'EUR',
  status: 'failed',
  origin: 'api',
  reason: 'returned',
  metadata: {},
  provider_refund_id: 're_1',
  failure_code: 'expired_card',
  requested_by: { client_id: 'client_1', name: 'Ada' },
  created_at: '2026-11-21T01:00:00.000Z',
  updated_at: '2026-11-23T01:00:00.000Z',
};
const DISPUTE = {
  id: 4,
  kind: 'chargeback',
  status: 'lost',
  amount: 10,
  currency: 'EUR',
  provider_dispute_id: 'dp_1',
  opened_at: '2026-11-21T01:00:00.000Z',
  updated_at: '2026-11-29T01:00:00.000Z',
} as Schema<'Dispute'>;

describe('refundEntries', () => {
  it('shows a failure at the time when it became known, with its code', () => {
    const [requested, failed] = refundEntries(REFUND);
    expect(requested).toMatchObject({
      at: REFUND.created_at,
      title: expect.stringMatching(/^Refund of .*10.00 requested$/),
    });
    expect(requested!.meaning).toBe('Requested by Ada.');
    expect(failed).toMatchObject({ at: REFUND.updated_at, status: 'failed' });
    expect(failed!.facts).toContainEqual(['Failure', 'expired_card']);
  });

  it('shows a pending refund once', () => {
    expect(refundEntries({ ...REFUND, status: 'pending' })).toMatchObject([{ status: 'pending' }]);
  });

  it('names a refund that was made at the provider', () => {
    expect(refundEntries({ ...REFUND, origin: 'provider' })[0]!.title).toContain('made at the provider');
  });
});

describe('disputeEntries', () => {
  it('shows the opening and the last change', () => {
    expect(disputeEntries(DISPUTE).map(({ at, status }) => [at, status])).toEqual([
      [DISPUTE.opened_at, undefined],
      [DISPUTE.updated_at, 'lost'],
    ]);
  });

  it('shows an open dispute once', () => {
    expect(disputeEntries({ ...DISPUTE, status: 'open' })).toMatchObject([{ status: 'open' }]);
  });
});

describe('settlementEntries', () => {
  const operation = {
    id: 3,
    kind: 'void',
    reason: 'settled as voided: seen\nin the dashboard',
    updated_at: '2026-11-21T02:00:00.000Z',
  } as Schema<'PaymentOperation'>;

  it('names the person, the outcome, the reason and a confirmed contradiction', () => {
    const entry = {
      id: 9,
      at: '2026-11-21T02:00:00.000Z',
      actor: { type: 'client', client_id: 'ada' },
      details: { kind: 'charge', outcome: 'captured', amount: 10, currency: 'EUR', reason: 'seen', confirmed: 'true' },
    } as unknown as Schema<'AuditEntry'>;
    const [settled] = settlementEntries([entry], [operation]);
    expect(settled).toMatchObject({ title: 'A person settled the charge as captured', meaning: 'seen' });
    expect(settled!.facts).toContainEqual(['Settled by', 'ada']);
    expect(settled!.facts).toContainEqual(['Against the provider’s report', 'confirmed']);
  });

  it('settlementEntries reads them from the operations if the audit log may not be read', () => {
    const others = [
      { ...operation, reason: 'settled as voided' },
      { ...operation, reason: null },
    ];
    expect(settlementEntries(null, [operation, ...others])).toMatchObject([
      { title: 'A person settled the void as voided', meaning: 'seen\nin the dashboard', facts: [] },
    ]);
  });
});
