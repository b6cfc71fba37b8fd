import { describe, expect, it } from '@jest/globals';
import { readSandboxEvent } from './event.js';

const DISPUTE = { id: 'dp_1', kind: 'inquiry', status: 'open', amount: 49.9, currency: 'EUR' };
const event = (fields: object): object => ({
  ...{ id: 'evt_1', reference: 'r', status: 'disputed', dispute: DISPUTE },
  ...fields,
});

/** The fields that a problem names. */
function refusedFields(fields: object): string[] {
  try {
    readSandboxEvent(event(fields));
    return [];
  } catch (error) {
    return (error as { errors: { field: string }[] }).errors.map(({ field }) => field);
  }
}

describe('readSandboxEvent', () => {
  it('reads a dispute with its times and codes', () => {
    const [time, later] = ['2026-11-21T01:02:03Z', '2026-11-28T00:00:00.000Z'];
    const codes = { reason_code: 'fraudulent', network_reason_code: '10.4' };
    const dispute = { ...DISPUTE, ...codes, evidence_due_by: later, opened_at: time };
    expect(readSandboxEvent(event({ dispute, occurred_at: time }))).toEqual({
      ...{ id: 'evt_1', status: 'disputed', match: { reference: 'r' }, data: {}, occurredAt: new Date(time) },
      dispute: {
        ...{ id: 'dp_1', kind: 'inquiry', status: 'open', amount: '49.9', currency: 'EUR' },
        ...{ reasonCode: 'fraudulent', networkReasonCode: '10.4' },
        ...{ evidenceDueBy: new Date(later), openedAt: new Date(time) },
      },
    });
  });

  it.each([
    [['dispute'], { dispute: undefined }],
    [['dispute'], { dispute: 'dp_1' }],
    [['dispute.id', 'dispute.kind', 'dispute.status', 'dispute.amount', 'dispute.currency'], { dispute: {} }],
    [['dispute.amount', 'dispute.evidence_due_by'], { dispute: { ...DISPUTE, amount: -1, evidence_due_by: 'soon' } }],
    [['dispute.reason_code'], { dispute: { ...DISPUTE, reason_code: {} } }],
    [['occurred_at'], { occurred_at: 1 }],
  ])('refuses a dispute with errors of %j', (fields, given) => {
    expect(refusedFields(given)).toEqual(fields);
  });
});
