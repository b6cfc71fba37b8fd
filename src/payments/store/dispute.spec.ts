import { describe, expect, it } from '@jest/globals';
import type { ReportedDispute } from '@payment-orchestrator/provider-kit';
import { reportOf, storedReport } from './dispute.js';

const AT = new Date('2026-11-21T01:02:03Z');
const DISPUTE: ReportedDispute = { id: 'dp_1', kind: 'chargeback', status: 'open', amount: '49.90', currency: 'EUR' };

describe('reportOf', () => {
  it.each(['The payer Ada Lovelace says no', 'ada@example.com', '', 'x'.repeat(101)])(
    'reportOf leaves out the reason %j, which is no code',
    (text) => {
      const report = reportOf({ ...DISPUTE, reasonCode: text, networkReasonCode: text }, AT);
      expect(report).toEqual({ dispute: DISPUTE, at: AT });
    },
  );
});

describe('storedReport', () => {
  it.each([
    {},
    { evidenceDueBy: new Date('2026-12-01T23:59:59Z'), openedAt: AT, reasonCode: 'fraudulent', isAnnouncement: true },
  ])('storedReport returns the report with %j that was stored as JSON', (fields) => {
    const report = reportOf({ ...DISPUTE, ...fields }, AT);
    expect(storedReport(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });
});
