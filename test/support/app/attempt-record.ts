import type { AttemptRecord, ClaimedRow } from '../../../src/webhooks/engine/delivery-store.js';

/** What a worker writes down of the claimed delivery's attempt: delivered, unless `fields` say otherwise. */
export const attemptRecord = (row: ClaimedRow, fields: Partial<AttemptRecord> = {}): AttemptRecord => ({
  id: row.id,
  attempts: row.attempts,
  lease: row.lease,
  status: 'delivered',
  waitMs: 0,
  statusCode: 200,
  error: null,
  startedAt: new Date().toISOString(),
  durationMs: 5,
  responseBody: 'ok',
  nextLeaseMs: 0,
  ...fields,
});
