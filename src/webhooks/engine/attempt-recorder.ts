import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { answerText } from '../../platform/outbound/decoded-body.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import { Batcher } from '../../shared/batcher.js';
import { Clock, pause } from '../../shared/clock.js';
import { type AttemptOutcome, EndpointOutcomes } from '../endpoint/health/endpoint-outcomes.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { type EndedAttempt, logAttempt, outcomeOf } from './attempt-log.js';
import {
  type AttemptRecord,
  type ClaimedRow,
  DeliveryStore,
  MAX_ROWS,
  type Recorded,
  SUSPECT_INTERVAL_MS,
} from './delivery-store.js';
import { nextStep } from './retry-schedule.js';

/** Pauses between retries. They outlast a restart of the database and end within the lease, so nothing is sent twice. */
const RETRY_PAUSES_MS = [200, 400, 800];
/** Minimum interval of statements: a statement and its commit cost as much as twenty of its rows. */
const INTERVAL_MS = 10;

/**
 * Decides the next step after an attempt and records the result. One statement records concurrent results. Attempts
 * without an answer have separate statements, so healthy lanes do not wait for them.
 */
@Injectable()
export class AttemptRecorder {
  /** Results that are not in the database yet. */
  unrecorded = 0;
  private readonly answered = this.batcher(INTERVAL_MS);
  private readonly unanswered = this.batcher(SUSPECT_INTERVAL_MS);

  constructor(
    private readonly store: DeliveryStore,
    private readonly metrics: WebhookMetrics,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'webhookRetryDelaysMs'>,
    @Inject(EndpointOutcomes) private readonly endpoints: Pick<EndpointOutcomes, 'add'>,
  ) {}

  /**
   * Returns `undefined` if the lease was lost. Rejects if the database fails: the delivery is sent again after its lease.
   * `isSuccessorSent`: the next change is being sent, and its record may include this one.
   */
  record(delivery: ClaimedRow, result: OutboundResult, isSuccessorSent = false): Promise<Recorded | undefined> {
    const { attempts, attempts_in_run: attemptsInRun } = delivery;
    // many deliveries of a redelivery begin together, and their retries should not; a first run keeps the schedule
    const jitter = attempts > attemptsInRun ? Math.random() : 0;
    const next = nextStep(result, attemptsInRun, this.config.webhookRetryDelaysMs, this.clock.now(), jitter);
    this.unrecorded += 1;
    return (result.statusCode === null ? this.unanswered : this.answered).add(
      { delivery, result, next },
      isSuccessorSent,
    );
  }

  private batcher(minIntervalMs: number): Batcher<EndedAttempt, Recorded | undefined> {
    return new Batcher<EndedAttempt, Recorded | undefined>((attempts) => this.run(attempts), {
      maxSize: MAX_ROWS,
      maxConcurrent: 2,
      minIntervalMs,
    });
  }

  private async run(attempts: EndedAttempt[]): Promise<(Recorded | undefined)[]> {
    const parts = splitDuplicates(attempts);
    const results = await Promise.all(parts.map((part) => this.runPart(part)));
    const recorded = new Map(parts.flatMap((part, of) => part.map((attempt, at) => [attempt, results[of]![at]])));
    return attempts.map((attempt) => recorded.get(attempt));
  }

  /** `attempts`: at most one per delivery. */
  private async runPart(attempts: EndedAttempt[]): Promise<(Recorded | undefined)[]> {
    const rows = new Map((await this.write(attempts)).map((row) => [row.id, row]));
    const recorded = attempts.map(({ delivery }) => rows.get(delivery.id));
    this.count(attempts, recorded);
    for (const [at, attempt] of attempts.entries()) {
      const isRecorded = recorded[at] !== undefined;
      if (isRecorded) this.endpoints.add(outcomeAtEndpoint(attempt));
      logAttempt(attempt, isRecorded);
    }
    return recorded;
  }

  private async write(attempts: EndedAttempt[]): Promise<Recorded[]> {
    const records = attempts.map(recordOf);
    try {
      for (const pauseMs of RETRY_PAUSES_MS) {
        try {
          return await this.store.record(records);
        } catch {
          await pause(pauseMs);
        }
      }
      return await this.store.record(records);
    } finally {
      this.unrecorded -= attempts.length;
    }
  }

  /** Increments counters once per outcome, not per attempt: an increment of a counter with labels costs microseconds. */
  private count(attempts: EndedAttempt[], recorded: (Recorded | undefined)[]): void {
    const { metrics } = this;
    const [outcomes, ended] = [new Map<string, number>(), new Map<string, number>()];
    let tooLate = 0;
    for (const [at, attempt] of attempts.entries()) {
      const { result, next } = attempt;
      addTo(outcomes, outcomeOf(attempt));
      if (recorded[at] === undefined) tooLate += 1;
      else if (next.status !== 'pending') addTo(ended, next.status);
      metrics.attemptSeconds.observe(result.durationMs / 1_000);
    }
    for (const [outcome, count] of outcomes) metrics.attempts.inc({ outcome }, count);
    for (const [outcome, count] of ended) metrics.deliveries.inc({ outcome }, count);
    metrics.resultsTooLate.inc(tooLate);
  }
}

/**
 * Splits attempts into parts with at most one attempt per delivery. A delivery whose lease has expired may be claimed and
 * sent again before its first result is recorded. The store returns ids, which do not distinguish two attempts.
 */
function splitDuplicates(attempts: EndedAttempt[]): EndedAttempt[][] {
  const seen = new Set<number>();
  const again: EndedAttempt[] = [];
  const first = attempts.filter((attempt) => {
    const isNew = seen.size < seen.add(attempt.delivery.id).size;
    if (!isNew) again.push(attempt);
    return isNew;
  });
  return again.length === 0 ? [first] : [first, ...splitDuplicates(again)];
}

const addTo = (counts: Map<string, number>, outcome: string): void => {
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
};

const factsOf = ({ statusCode, error, errorMessage, durationMs }: OutboundResult) =>
  ({ statusCode, error, errorMessage: errorMessage ?? null, durationMs }) as const;

const recordOf = ({ delivery, result, next }: EndedAttempt): AttemptRecord => ({
  id: delivery.id,
  attempts: delivery.attempts,
  lease: delivery.lease,
  status: next.status,
  waitMs: next.status === 'pending' ? next.waitMs : 0,
  ...factsOf(result),
  startedAt: result.startedAt.getTime() / 1_000,
  responseBody: result.statusCode === null && result.responseBody.length === 0 ? null : answerText(result),
});

const outcomeAtEndpoint = ({ delivery, result, next }: EndedAttempt): AttemptOutcome => ({
  laneId: delivery.lane_id,
  deliveryId: delivery.id,
  status: next.status,
  ...factsOf(result),
  startedAt: result.startedAt,
});
