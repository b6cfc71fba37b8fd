import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DISPUTE_KINDS,
  DISPUTE_STATUSES,
  type DisputeKind,
  type DisputeStatus,
  type ReportedDispute,
} from '@payment-orchestrator/provider-kit';
import { disputeAfter, type DisputeReport, type DisputeState, reportOf, storedReport } from './dispute.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 1, minute));

const report = (minute: number, fields: Partial<ReportedDispute> = {}): DisputeReport =>
  reportOf({ id: 'dp_1', kind: 'chargeback', status: 'open', amount: '49.90', currency: 'EUR', ...fields }, at(minute));

/** The state after reports in the order of their arrival, and what each of them did. */
function afterAll(reports: DisputeReport[]): { state: DisputeState; results: (string | null)[] } {
  let state: DisputeState | null = null;
  const results = reports.map((each) => {
    const decision = disputeAfter(state, each);
    if (typeof decision === 'string') return decision;
    state = decision.state;
    return decision.event;
  });
  return { state: state!, results };
}

describe('disputeAfter', () => {
  it('disputeAfter opens, updates and closes a dispute by its reports', () => {
    const due = at(59);
    const { state, results } = afterAll([
      report(1, { evidenceDueBy: due, reasonCode: 'fraudulent', networkReasonCode: '10.4' }),
      report(2, { status: 'under_review' }),
      report(3, { status: 'lost', currency: 'eur' }),
    ]);
    expect(results).toEqual(['dispute.opened', 'dispute.updated', 'dispute.closed']);
    expect(state).toEqual({
      ...{ kind: 'chargeback', status: 'lost', amount: '49.90', currency: 'EUR', evidence_due_by: due },
      ...{ reason_code: 'fraudulent', network_reason_code: '10.4', opened_at: at(1), reported_at: at(3) },
    });
  });

  it('disputeAfter closes a dispute that is first reported as decided', () => {
    expect(afterAll([report(1, { status: 'won' })]).results).toEqual(['dispute.closed']);
  });

  it('disputeAfter changes nothing for a repeated report, which still makes earlier ones old', () => {
    const reports = [report(1), report(3), report(2, { status: 'under_review' })];
    expect(afterAll(reports).results).toEqual(['dispute.opened', null, 'dispute_is_newer']);
  });

  it('disputeAfter keeps a final status', () => {
    const reports = [report(1, { status: 'won' }), report(2, { status: 'lost' }), report(3, { status: 'open' })];
    expect(afterAll(reports).results).toEqual(['dispute.closed', 'dispute_is_closed', 'dispute_is_closed']);
  });

  it('disputeAfter opens a dispute again for a later kind, with its own time for evidence', () => {
    const { state, results } = afterAll([
      report(1, { kind: 'inquiry', evidenceDueBy: at(30) }),
      report(2, { kind: 'inquiry', status: 'won' }),
      report(3),
      report(4, { status: 'won' }),
      report(5, { kind: 'pre_arbitration', evidenceDueBy: at(50) }),
    ]);
    expect(results).toEqual([
      ...['dispute.opened', 'dispute.closed', 'dispute.opened', 'dispute.closed', 'dispute.opened'],
    ]);
    expect(state).toMatchObject({ kind: 'pre_arbitration', status: 'open', evidence_due_by: at(50) });
    expect(
      afterAll([report(1, { kind: 'inquiry', evidenceDueBy: at(30) }), report(2)]).state.evidence_due_by,
    ).toBeNull();
  });

  it('disputeAfter keeps the kind when a later report names an earlier one', () => {
    const { state } = afterAll([report(1, { kind: 'pre_arbitration' }), report(2, { status: 'won' })]);
    expect(state).toMatchObject({ kind: 'pre_arbitration', status: 'won' });
  });

  it.each(['The payer Ada Lovelace says no', 'ada@example.com', '', 'x'.repeat(101)])(
    'reportOf leaves out the reason %j, which is no code',
    (text) => {
      const { state } = afterAll([report(1, { reasonCode: text, networkReasonCode: text })]);
      expect([state.reason_code, state.network_reason_code]).toEqual([null, null]);
    },
  );

  it('disputeAfter ends the same after reports of different times in any order, repeated or not', () => {
    const kinds = fc.constantFrom<DisputeKind>(...DISPUTE_KINDS);
    const statuses = fc.constantFrom<DisputeStatus>('open', 'under_review');
    const life = fc.array(fc.record({ kind: kinds, status: statuses }), { minLength: 1, maxLength: 5 });
    const end = fc.constantFrom(...DISPUTE_STATUSES);
    fc.assert(
      fc.property(life, end, fc.infiniteStream(fc.nat()), (states, status, numbers) => {
        const inOrder = [...states].sort((a, b) => DISPUTE_KINDS.indexOf(a.kind) - DISPUTE_KINDS.indexOf(b.kind));
        const reports = [...inOrder, { kind: inOrder.at(-1)!.kind, status }].map((fields, index) =>
          report(index, { ...fields, openedAt: at(0) }),
        );
        const shuffled = [...reports, ...reports]
          .map((each) => ({ each, key: numbers.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        expect(afterAll(shuffled).state).toEqual(afterAll(reports).state);
      }),
    );
  });

  it('storedReport returns the report that was stored as JSON', () => {
    for (const one of [report(1), report(2, { evidenceDueBy: at(5), openedAt: at(1), reasonCode: 'fraudulent' })]) {
      expect(storedReport(JSON.parse(JSON.stringify(one)))).toEqual(one);
    }
  });
});
