import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DISPUTE_KINDS,
  DISPUTE_STATUSES,
  type DisputeKind,
  type DisputeStatus,
  type ReportedDispute,
} from '@payment-orchestrator/provider-kit';
import { disputeAfter, type DisputeReport, type DisputeState } from './dispute.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 21, 1, minute));

const report = (minute: number, fields: Partial<ReportedDispute> = {}): DisputeReport => ({
  at: at(minute),
  dispute: { id: 'dp_1', kind: 'chargeback', status: 'open', amount: '49.90', currency: 'EUR', ...fields },
});

/** The state after reports in the order of their arrival, and what each of them did. */
function afterAll(reports: DisputeReport[]): { state: DisputeState; results: string[] } {
  let state: DisputeState | null = null;
  const results = reports.map((each) => {
    const decision = disputeAfter(state, each);
    state = decision.state;
    return decision.event ?? decision.reason;
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
    expect(afterAll(reports).results).toEqual(['dispute.opened', 'dispute_unchanged', 'dispute_is_newer']);
  });

  const CHANGED: [string, Partial<ReportedDispute>, Partial<ReportedDispute>, string][] = [
    ['a final status to another', { status: 'lost' }, { status: 'won' }, 'dispute.closed'],
    ['a final status to another', { status: 'won' }, { status: 'lost' }, 'dispute.closed'],
    ['a final status to another', { status: 'accepted' }, { status: 'lost' }, 'dispute.closed'],
    [
      'a later kind with a final status',
      { status: 'lost' },
      { kind: 'pre_arbitration', status: 'lost' },
      'dispute.closed',
    ],
    ['the amount of a final status', { status: 'lost' }, { status: 'lost', amount: '10' }, 'dispute.updated'],
    ['a final status to one that is not', { status: 'lost' }, { status: 'under_review' }, 'dispute.opened'],
    ['a later kind', { status: 'won' }, { kind: 'pre_arbitration' }, 'dispute.opened'],
    ['a later kind', {}, { kind: 'pre_arbitration' }, 'dispute.updated'],
  ];
  it.each(CHANGED)('disputeAfter changes %s: from %j to %j, with %s', (_, one, other, event) => {
    const { state, results } = afterAll([report(1, one), report(2, other)]);
    expect(results[1]).toBe(event);
    expect(state).toMatchObject({ kind: 'chargeback', status: 'open', amount: '49.90', ...other });
  });

  it('disputeAfter opens a dispute again for a later kind, with its own time for evidence', () => {
    const { state, results } = afterAll([
      report(1, { kind: 'inquiry', evidenceDueBy: at(30), reasonCode: 'unrecognized' }),
      report(2, { kind: 'inquiry', status: 'won' }),
      report(3),
      report(4, { status: 'won' }),
      report(5, { kind: 'pre_arbitration', evidenceDueBy: at(50) }),
    ]);
    expect(results).toEqual([
      ...['dispute.opened', 'dispute.closed', 'dispute.opened', 'dispute.closed', 'dispute.opened'],
    ]);
    expect(state).toMatchObject({
      kind: 'pre_arbitration',
      status: 'open',
      evidence_due_by: at(50),
      reason_code: null,
    });
    const begun = afterAll([report(1, { kind: 'inquiry', evidenceDueBy: at(30) }), report(2)]);
    expect(begun.state.evidence_due_by).toBeNull();
  });

  it('disputeAfter keeps the kind when a later report names an earlier one', () => {
    const { state } = afterAll([report(1, { kind: 'pre_arbitration' }), report(2, { status: 'won' })]);
    expect(state).toMatchObject({ kind: 'pre_arbitration', status: 'won' });
  });

  it('disputeAfter takes no status of an inquiry once there is a chargeback', () => {
    const { state, results } = afterAll([report(1), report(2, { kind: 'inquiry', status: 'lost' })]);
    expect(state).toMatchObject({ kind: 'chargeback', status: 'open' });
    expect(results).toEqual(['dispute.opened', 'dispute_is_newer']);
  });

  it.each([
    [[report(1, { status: 'under_review' }), report(2, { isAnnouncement: true })], 'under_review'],
    [[report(2, { isAnnouncement: true }), report(1, { status: 'under_review' })], 'under_review'],
    [[report(1, { kind: 'inquiry', status: 'won' }), report(2, { isAnnouncement: true })], 'open'],
    [[report(1, { status: 'under_review' }), report(2, {})], 'open'],
  ])('disputeAfter takes no status of an announcement if another report has one: %#', (reports, status) => {
    expect(afterAll(reports).state).toMatchObject({ kind: 'chargeback', status, opened_at: at(1) });
  });

  it.each([
    [{ status: 'won' }, { status: 'lost' }],
    [{ status: 'lost' }, { status: 'accepted' }],
    [{ status: 'accepted' }, { status: 'under_review' }],
    [{ status: 'under_review' }, { status: 'open' }],
    [{ amount: '49.90' }, { amount: '9.90' }],
    [{ reasonCode: 'general' }, { reasonCode: 'fraudulent' }],
    [{ evidenceDueBy: at(50) }, { evidenceDueBy: at(40) }],
  ] satisfies Partial<ReportedDispute>[][])(
    'disputeAfter takes %j over %j of one time, in both orders',
    (...fields) => {
      const reports = fields.map((each) => report(1, each));
      const [last] = reports.map((each) => afterAll([each]).state);
      expect(afterAll(reports).state).toEqual(last);
      expect(afterAll(reports.toReversed()).state).toEqual(last);
    },
  );

  it('disputeAfter takes from a late report what newer ones do not have', () => {
    const early = report(1, { kind: 'pre_arbitration', reasonCode: 'fraudulent', evidenceDueBy: at(50) });
    const { state, results } = afterAll([report(2, { status: 'won' }), early, report(0)]);
    expect(results).toEqual(['dispute.closed', 'dispute.closed', 'dispute_is_newer']);
    expect(state).toMatchObject({ kind: 'pre_arbitration', status: 'won', reason_code: 'fraudulent' });
    expect([state.evidence_due_by, state.opened_at, state.reported_at]).toEqual([at(50), at(0), at(2)]);
  });

  it('disputeAfter ends the same after any reports in any order, repeated or not, also of one time', () => {
    // a code, and the time for evidence of a kind, are the same wherever they are reported
    const codes = fc.constantFrom({}, { reasonCode: 'fraudulent' }, { networkReasonCode: '10.4' });
    const reports = fc.array(
      fc
        .record({
          minute: fc.integer({ min: 0, max: 3 }),
          kind: fc.constantFrom<DisputeKind>(...DISPUTE_KINDS),
          status: fc.constantFrom<DisputeStatus>(...DISPUTE_STATUSES),
          amount: fc.constantFrom('10', '49.90'),
          isAnnouncement: fc.boolean(),
          hasDue: fc.boolean(),
          codes,
        })
        .map(({ minute, hasDue, codes: some, ...fields }) =>
          report(minute, {
            ...fields,
            ...(fields.kind !== 'inquiry' && some),
            ...(hasDue && { evidenceDueBy: at(30 + DISPUTE_KINDS.indexOf(fields.kind)) }),
          }),
        ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (all, numbers) => {
        const shuffled = [...all, ...all]
          .map((each) => ({ each, key: numbers.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ each }) => each);
        expect(afterAll(shuffled).state).toEqual(afterAll(all).state);
      }),
      { numRuns: 2_000 },
    );
  });
});
