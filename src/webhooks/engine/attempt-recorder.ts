import { Inject, Injectable, Logger } from '@nestjs/common';
import { originOf } from '../../platform/addresses/endpoint.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { type OutboundResult, storableText } from '../../platform/outbound/outbound-result.js';
import { Clock, pause } from '../../shared/clock.js';
import { Batcher, type BatcherOptions } from '../../shared/batcher.js';
import { type AttemptRecord, type ClaimedRow, DeliveryStore, type Recorded } from './delivery-store.js';
import { type NextStep, nextStep } from './retry-schedule.js';
import { type AttemptOutcome, EndpointOutcomes } from '../endpoints/endpoint-outcomes.js';
import { WebhookMetrics } from '../outbox/webhook-metrics.js';

interface EndedAttempt {
  delivery: ClaimedRow;
  result: OutboundResult;
  next: NextStep;
}

/** A restart of the database is survived within the lease: the receiver is spared a second delivery. */
const REPEAT_AFTER_MS = [200, 400, 800];

/** From one record of what nobody answered to the next: its retry is seconds away, and others need the database. */
const BETWEEN_UNANSWERED_MS = 100;

/**
 * Decides what follows an attempt and writes it down; the results of one moment become one statement. What was not delivered
 * has statements of its own: they cost more, and what follows a delivered change may wait for its record.
 */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger('WebhookAttempt');
  /** Results that the database has not taken yet. */
  unrecorded = 0;
  // a statement and a commit cost as much as twenty of their rows
  private readonly delivered = this.batcher({ full: 20, spacingMs: 10, quietSpacingMs: 10 });
  private readonly rejected = this.batcher({ full: 20, spacingMs: 10 });
  private readonly unanswered = this.batcher({ full: 1, spacingMs: BETWEEN_UNANSWERED_MS });

  constructor(
    private readonly store: DeliveryStore,
    private readonly metrics: WebhookMetrics,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'webhookRetryDelaysMs'>,
    @Inject(EndpointOutcomes) private readonly endpoints: Pick<EndpointOutcomes, 'add'>,
  ) {}

  /** Rejects when the database does not take it: the lease then brings the delivery back. `undefined`: it came too late. */
  record(delivery: ClaimedRow, result: OutboundResult): Promise<Recorded | undefined> {
    const next = nextStep(result, delivery.attempts_in_run, this.config.webhookRetryDelaysMs, this.clock.now());
    this.unrecorded += 1;
    return this.batcherFor(next, result).add({ delivery, result, next });
  }

  /** A later change may wait for what was delivered and is not on record yet. */
  hurry(): void {
    this.delivered.hurry();
  }

  private batcherFor(
    { status }: NextStep,
    { statusCode }: OutboundResult,
  ): Batcher<EndedAttempt, Recorded | undefined> {
    if (status === 'delivered') return this.delivered;
    return statusCode === null ? this.unanswered : this.rejected;
  }

  private batcher(
    pace: Pick<BatcherOptions<EndedAttempt>, 'full' | 'spacingMs' | 'quietSpacingMs'>,
  ): Batcher<EndedAttempt, Recorded | undefined> {
    return new Batcher<EndedAttempt, Recorded | undefined>((attempts) => this.run(attempts), {
      maxSize: 500,
      maxRuns: 2,
      enough: 200,
      ...pace,
    });
  }

  private async run(attempts: EndedAttempt[]): Promise<(Recorded | undefined)[]> {
    const parts = apart(attempts);
    const results = await Promise.all(parts.map((part) => this.runEach(part)));
    if (parts.length === 1) return results[0]!;
    const recorded = new Map(parts.flatMap((part, of) => part.map((attempt, at) => [attempt, results[of]![at]])));
    return attempts.map((attempt) => recorded.get(attempt));
  }

  /** Of each delivery one attempt at most. */
  private async runEach(attempts: EndedAttempt[]): Promise<(Recorded | undefined)[]> {
    const rows = new Map<number, Recorded>();
    for (const row of await this.write(attempts)) rows.set(row.id, row);
    const recorded = attempts.map(({ delivery }) => rows.get(delivery.id));
    this.count(attempts, recorded);
    for (const [at, attempt] of attempts.entries()) {
      const isRecorded = recorded[at] !== undefined;
      if (isRecorded) this.endpoints.add(outcomeAtEndpoint(attempt));
      this.log(attempt, isRecorded);
    }
    return recorded;
  }

  private async write(attempts: EndedAttempt[]): Promise<Recorded[]> {
    const records = attempts.map(recordOf);
    try {
      for (const afterMs of REPEAT_AFTER_MS) {
        try {
          return await this.store.record(records);
        } catch {
          await pause(afterMs);
        }
      }
      return await this.store.record(records);
    } finally {
      this.unrecorded -= attempts.length;
    }
  }

  /** Once per outcome and not per attempt: a labelled counter's increment costs microseconds. */
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

  /**
   * But for what was delivered at once: it is on record and in the metrics, and a line for each costs a tenth of the
   * throughput. What failed for good is a warning: nothing happens by itself any more. `code`: as the metric has it.
   */
  private log({ delivery, result, next }: EndedAttempt, isRecorded: boolean): void {
    if (next.status === 'delivered' && delivery.attempts === 0 && isRecorded) return;
    const isOver = next.status === 'failed' && isRecorded;
    this.logger[isOver ? 'warn' : 'log']({
      msg: isOver ? 'webhook delivery failed for good' : 'webhook attempt',
      // written for many at once, and so in the context of none
      trace_id: delivery.trace?.trace_id,
      span_id: delivery.trace?.span_id,
      deliveryId: delivery.id,
      webhookId: delivery.webhook_id,
      paymentId: delivery.payment_id,
      shopId: delivery.shop_id,
      laneId: delivery.lane_id,
      attempt: delivery.attempts + 1,
      status: next.status,
      statusCode: result.statusCode,
      ...(result.error !== null && { error: result.error }),
      ...(isOver && { code: outcomeOf({ result, next }) }),
      durationMs: result.durationMs,
      ...(next.status === 'pending' && { nextAttemptInMs: next.waitMs }),
      ...(!isRecorded && { tooLate: true }),
      origin: originOf(delivery.webhook_endpoint),
    });
  }
}

/**
 * A delivery whose lease ran out may have been claimed and sent again before the first result was written. The store answers
 * with ids: in one statement it could not be told which of the two attempts it took.
 */
function apart(attempts: EndedAttempt[]): EndedAttempt[][] {
  const seen = new Set<number>();
  const again: EndedAttempt[] = [];
  const first = attempts.filter((attempt) => {
    const isNew = seen.size < seen.add(attempt.delivery.id).size;
    if (!isNew) again.push(attempt);
    return isNew;
  });
  return again.length === 0 ? [attempts] : [first, ...apart(again)];
}

const outcomeOf = ({ result, next }: Pick<EndedAttempt, 'result' | 'next'>): string =>
  next.status === 'delivered' ? 'delivered' : (result.error ?? 'rejected');

const addTo = (counts: Map<string, number>, outcome: string): void => {
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
};

const recordOf = ({ delivery, result, next }: EndedAttempt): AttemptRecord => ({
  id: delivery.id,
  attempts: delivery.attempts,
  lease: delivery.lease,
  status: next.status,
  waitMs: next.status === 'pending' ? next.waitMs : 0,
  statusCode: result.statusCode,
  error: result.error,
  startedAt: result.startedAt.getTime() / 1_000,
  durationMs: result.durationMs,
  responseBody:
    result.statusCode === null && result.responseBody.length === 0 ? null : storableText(result.responseBody),
});

const outcomeAtEndpoint = ({ delivery, result, next }: EndedAttempt): AttemptOutcome => ({
  laneId: delivery.lane_id,
  deliveryId: delivery.id,
  status: next.status,
  statusCode: result.statusCode,
  error: result.error,
  startedAt: result.startedAt,
  durationMs: result.durationMs,
});
