import { describe, expect, it } from '@jest/globals';
import type { AnswerRecord } from '../../../bench/chaos/client.js';
import type { DeliveryRow, Evidence } from '../../../bench/chaos/oracle/evidence.js';
import { FAULTY } from '../../../bench/chaos/receivers.js';
import { type StepRecord, type StepTimings, timingsOf } from '../../../bench/rehearsal/timings.js';

const FROM = 1_700_000_000_000;
const UNTIL = FROM + 30_000;

const record: StepRecord = {
  step: { key: 'redis', title: 'a step', run: () => Promise.resolve() },
  from: FROM,
  doneAt: FROM + 1_000,
  healthyAt: FROM + 5_000,
  until: UNTIL,
  lines: [],
};

const answered = (at: number, answer = '201', name = 'create'): AnswerRecord => ({
  name,
  startedAt: FROM + at - 20,
  answeredAt: FROM + at,
  answer,
});

const delivered = (createdAt: number, afterMs: number, receiver = 0): DeliveryRow =>
  ({ receiver, created_at: FROM + createdAt, delivered_at: FROM + createdAt + afterMs }) as DeliveryRow;

const timings = (journal: AnswerRecord[], deliveries: DeliveryRow[] = []): StepTimings =>
  timingsOf(record, journal, { deliveries } as unknown as Evidence);

describe('the timings of a step', () => {
  it('payments recover with the first success after the last failure', () => {
    const journal = [
      answered(500),
      answered(1_000, 'ECONNRESET'),
      answered(1_500),
      answered(2_000, '503 x'),
      answered(2_600),
    ];
    expect(timings(journal).paymentsMs).toBe(2_600);
  });

  it('payments have no interruption when each was answered', () => {
    expect(timings([answered(500), answered(900, '409 conflict')]).paymentsMs).toBe(0);
  });

  it('a payment that is answered late counts as a failure', () => {
    const slow = { ...answered(4_000), startedAt: FROM + 1_000 };
    expect(timings([slow, answered(4_500)])).toMatchObject({ paymentsMs: 4_500, slowestAnswerMs: 3_000 });
  });

  it('payments never recover when nothing succeeds after the last failure', () => {
    expect(timings([answered(500), answered(1_000, 'ECONNREFUSED')]).paymentsMs).toBe(Infinity);
  });

  it('the longest gap without a payment lasts until the next step', () => {
    expect(timings([answered(1_000), answered(9_000)]).longestGapMs).toBe(21_000);
  });

  it('webhooks recover when the last late one has arrived', () => {
    const deliveries = [delivered(1_000, 50), delivered(2_000, 6_000), delivered(9_000, 40)];
    expect(timings([], deliveries)).toMatchObject({ webhooksMs: 8_000, slowestWebhookMs: 6_000, deliveries: 3 });
  });

  it('webhooks exclude receivers that refuse some requests', () => {
    expect(timings([], [delivered(1_000, 9_000, FAULTY[0])])).toMatchObject({ webhooksMs: 0, deliveries: 0 });
  });

  it('errors are counted by call and answer, without the answers that the load provokes', () => {
    const journal = [answered(1, '503 x', 'cancel'), answered(2, '503 x', 'cancel'), answered(3, '409 y', 'refund')];
    expect(timings(journal).errors).toEqual({ 'cancel 503 x': 2 });
  });

  it('errors of other steps are excluded', () => {
    expect(timings([answered(-1, 'ECONNRESET'), answered(30_000, 'ECONNRESET')]).errors).toEqual({});
  });
});
