import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { Database } from '../platform/database/database.js';
import type { OutboundResult } from '../platform/outbound/outbound-result.js';
import { Clock } from '../shared/clock.js';
import { Batcher } from '../shared/batcher.js';
import { type ClaimedRow, RECORD } from './delivery.queries.js';
import { storableText } from './response-text.js';
import { type NextStep, nextStep } from './retry-schedule.js';
import { WebhookMetrics } from './webhook-metrics.js';

interface EndedAttempt {
  delivery: ClaimedRow;
  result: OutboundResult;
  next: NextStep;
}

/** A restart of the database is survived within the lease: the receiver is spared a second delivery. */
const REPEAT_AFTER_MS = [200, 400, 800];

/** Decides what follows an attempt and writes it down; the results of one moment become one statement. */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger('WebhookAttempt');
  private readonly batcher = new Batcher<EndedAttempt, boolean>((attempts) => this.write(attempts), {
    maxSize: 500,
    maxRuns: 2,
    // a statement and a commit cost as much as twenty of their rows
    spacingMs: 5,
    enough: 100,
  });

  constructor(
    private readonly database: Database,
    private readonly metrics: WebhookMetrics,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'webhookRetryDelaysMs'>,
  ) {}

  /** Rejects when the database does not take it: the lease then brings the delivery back. */
  async record(delivery: ClaimedRow, result: OutboundResult): Promise<void> {
    const next = nextStep(result, delivery.attempts_in_run, this.config.webhookRetryDelaysMs, this.clock.now());
    const attempt = { delivery, result, next };
    const isRecorded = await this.batcher.add(attempt);
    this.count(attempt, isRecorded);
    this.log(attempt, isRecorded);
  }

  private async write(attempts: EndedAttempt[]): Promise<boolean[]> {
    const values = columns(attempts);
    for (const pause of [...REPEAT_AFTER_MS, null]) {
      try {
        const rows = await this.database.query<{ delivery_id: number }>(RECORD, values);
        if (rows.length === attempts.length) return attempts.map(() => true);
        const recorded = new Set(rows.map((row) => row.delivery_id));
        return attempts.map(({ delivery }) => recorded.has(delivery.id));
      } catch (error) {
        if (pause === null) throw error;
        await delay(pause);
      }
    }
    throw new Error('unreachable');
  }

  private count({ result, next }: EndedAttempt, isRecorded: boolean): void {
    this.metrics.attempts.inc({ outcome: outcomeOf(result, next) });
    this.metrics.attemptSeconds.observe(result.durationMs / 1_000);
    if (!isRecorded) this.metrics.resultsTooLate.inc();
    else if (next.status !== 'pending') this.metrics.deliveries.inc({ outcome: next.status });
  }

  /** But for what was delivered at once: it is on record and in the metrics, and a line for each costs a tenth of the throughput. */
  private log({ delivery, result, next }: EndedAttempt, isRecorded: boolean): void {
    if (next.status === 'delivered' && delivery.attempts === 0 && isRecorded) return;
    this.logger.log({
      msg: 'webhook attempt',
      deliveryId: delivery.id,
      paymentId: delivery.payment_id,
      shopId: delivery.shop_id,
      laneId: delivery.lane_id,
      attempt: delivery.attempts + 1,
      status: next.status,
      statusCode: result.statusCode,
      ...(result.error !== null && { error: result.error }),
      durationMs: result.durationMs,
      ...(next.status === 'pending' && { nextAttemptInMs: next.waitMs }),
      ...(!isRecorded && { tooLate: true }),
      endpoint: withoutSecrets(delivery.webhook_endpoint),
    });
  }
}

/** Without credentials, query and fragment. */
const withoutSecrets = (endpoint: string): string => endpoint.split(/[?#]/, 1)[0]!.replace(/^([^/]*\/\/)[^/]*@/, '$1');

const outcomeOf = (result: OutboundResult, next: NextStep): string =>
  next.status === 'delivered' ? 'delivered' : (result.error ?? 'rejected');

const columns = (attempts: EndedAttempt[]): unknown[] => [
  attempts.map(({ delivery }) => delivery.id),
  attempts.map(({ delivery }) => delivery.attempts),
  attempts.map(({ next }) => next.status),
  attempts.map(({ next }) => (next.status === 'pending' ? Math.ceil(next.waitMs) : 0)),
  attempts.map(({ result }) => result.statusCode),
  attempts.map(({ result }) => result.error),
  attempts.map(({ result }) => result.startedAt),
  attempts.map(({ result }) => Math.round(result.durationMs)),
  attempts.map(({ result }) =>
    result.statusCode === null && result.responseBody.length === 0 ? null : storableText(result.responseBody),
  ),
  attempts.map(({ delivery }) => delivery.claimed_until),
];
