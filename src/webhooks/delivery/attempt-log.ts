import { Logger } from '@nestjs/common';
import { originOf } from '../../platform/addresses/endpoint.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import type { ClaimedRow } from './delivery-store.js';
import type { NextStep } from './retry-schedule.js';

/** An attempt that has ended, and what follows it. */
export interface EndedAttempt {
  delivery: ClaimedRow;
  result: OutboundResult;
  next: NextStep;
}

const logger = new Logger('WebhookAttempt');

/** `delivered`, `rejected` (an answer other than 2xx), or the code of what went wrong without an answer. */
export const outcomeOf = ({ result, next }: Pick<EndedAttempt, 'result' | 'next'>): string =>
  next.status === 'delivered' ? 'delivered' : (result.error ?? 'rejected');

/**
 * Logs an attempt, except a first one that delivered: that is on record and in the metrics, and a line for each costs a
 * tenth of the throughput. A delivery that failed for good is a warning: nothing more happens by itself. `code` is the
 * outcome of the metric.
 */
export function logAttempt({ delivery, result, next }: EndedAttempt, isRecorded: boolean): void {
  if (next.status === 'delivered' && delivery.attempts === 0 && isRecorded) return;
  const isOver = next.status === 'failed' && isRecorded;
  logger[isOver ? 'warn' : 'log']({
    msg: isOver ? 'webhook delivery failed for good' : 'webhook attempt',
    // one statement records many attempts, so the context of the log is that of none
    ...(delivery.trace && { trace_id: delivery.trace.trace_id, span_id: delivery.trace.span_id }),
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
