import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { eventually } from '../../../test/support/eventually.js';
import { MemoryDeliveryStore } from '../../../test/support/app/memory-delivery-store.js';
import { Metrics } from '../../platform/observability/metrics.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { SystemClock } from '../../shared/clock.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { DeliveryClaims } from './delivery-claims.js';
import type { AttemptRecord, ClaimedRow, LaneClaim, Recorded } from './delivery-store.js';
import { plainReceivers } from '../../../test/support/app/plain-receivers.js';

const CONFIG = { webhookTimeoutMs: 3_000, webhookRetryDelaysMs: [60_000] };
const DELIVERY = { attempts: 0, attempts_in_run: 0, webhook_endpoint: 'http://shop.example/' };
/** Attempts at unresponsive endpoints time out by the hundreds. */
const UNRESPONSIVE = 300;

/** A database that answers when the test calls `answer`. */
class SlowStore extends MemoryDeliveryStore {
  /** The lanes or deliveries of each statement. */
  readonly statements: number[][] = [];
  private readonly answers: (() => void)[] = [];

  override async claim(claims: LaneClaim[]): Promise<ClaimedRow[]> {
    await this.answered(claims.map(({ laneId }) => laneId));
    return [];
  }

  override async record(attempts: AttemptRecord[]): Promise<Recorded[]> {
    await this.answered(attempts.map(({ id }) => id));
    return attempts.map(({ id }) => ({ id, hasSuccessor: false }));
  }

  answer(): void {
    for (const answer of this.answers.splice(0)) answer();
  }

  private async answered(about: number[]): Promise<void> {
    this.statements.push(about);
    await new Promise<void>((resolve) => this.answers.push(resolve));
  }
}

/** Answers all statements for `ids`. Returns the maximum of concurrent statements and of ids in one statement. */
async function drain(store: SlowStore, ids: number[]): Promise<{ largest: number; concurrent: number }> {
  const about = () => store.statements.filter((statement) => statement.some((id) => ids.includes(id)));
  let [seen, concurrent] = [0, 0];
  await eventually(() => {
    concurrent = Math.max(concurrent, about().length - seen);
    seen = about().length;
    store.answer();
    return about().flat().length === ids.length;
  });
  return { largest: Math.max(...about().map((statement) => statement.length)), concurrent };
}

describe('statements for endpoints that may not answer', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const unresponsive = Array.from({ length: UNRESPONSIVE }, (_, index) => index + 1_000);

  it('claim no healthy lanes, and run one at a time', async () => {
    const store = new SlowStore();
    const claims = new DeliveryClaims(store, plainReceivers(), CONFIG);
    const claim = (id: number, isHealthy: boolean) =>
      void claims.claim({ laneId: id, quota: 2, maxBytes: 1_000, withSuccessors: false, isHealthy });
    for (const id of unresponsive) claim(id, false);
    await eventually(() => store.statements.length > 0);
    claim(1, true);
    await eventually(() => store.statements.some((lanes) => lanes.includes(1)));
    expect(store.statements.filter((lanes) => !lanes.includes(1))).toHaveLength(1);
    expect(store.statements.find((lanes) => lanes.includes(1))).toEqual([1]);
    expect((await drain(store, unresponsive)).concurrent).toBe(1);
  });

  it('record no answered attempts', async () => {
    const store = new SlowStore();
    const metrics = new WebhookMetrics(new Metrics());
    const recorder = new AttemptRecorder(store, metrics, new SystemClock(), CONFIG, { add: () => undefined });
    const record = (id: number, result: Partial<OutboundResult>) =>
      void recorder.record({ ...DELIVERY, id, lane_id: id } as ClaimedRow, resultOf(result));
    for (const id of unresponsive) record(id, { statusCode: null, error: 'timeout' });
    await eventually(() => store.statements.length > 0);
    record(1, { statusCode: 200 });
    await eventually(() => store.statements.some((deliveries) => deliveries.includes(1)));
    expect(store.statements.filter((deliveries) => !deliveries.includes(1))).toHaveLength(1);
    expect(store.statements.find((deliveries) => deliveries.includes(1))).toEqual([1]);
    await drain(store, unresponsive);
  });

  it('combine the claims and records of one interval', async () => {
    const later = [2, 3, 4];
    const store = new SlowStore();
    const claims = new DeliveryClaims(store, plainReceivers(), CONFIG);
    const recorder = new AttemptRecorder(store, new WebhookMetrics(new Metrics()), new SystemClock(), CONFIG, {
      add: () => undefined,
    });
    const claim = (id: number) =>
      void claims.claim({ laneId: id, quota: 2, maxBytes: 1_000, withSuccessors: false, isHealthy: false });
    const record = (id: number) =>
      void recorder.record({ ...DELIVERY, id, lane_id: id } as ClaimedRow, resultOf({ error: 'timeout' }));
    jest.useFakeTimers();
    claim(1);
    record(11);
    await jest.advanceTimersByTimeAsync(1);
    expect(store.statements).toEqual([[1], [11]]);
    store.answer();
    for (const id of later) {
      claim(id);
      record(10 + id);
      await jest.advanceTimersByTimeAsync(5);
    }
    expect(store.statements).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(100);
    expect(store.statements.slice(2)).toEqual(expect.arrayContaining([later, later.map((id) => 10 + id)]));
    expect(store.statements).toHaveLength(4);
    store.answer();
    await jest.advanceTimersByTimeAsync(1);
  });
});

const resultOf = (result: Partial<OutboundResult>): OutboundResult => ({
  statusCode: null,
  error: null,
  startedAt: new Date(),
  durationMs: 1,
  retryAfter: null,
  responseBody: Buffer.alloc(0),
  ...result,
});
