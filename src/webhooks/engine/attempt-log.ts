import { Logger } from '@nestjs/common';
import { originOf } from '../../platform/addresses/endpoint.js';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import type { ClaimedRow } from './delivery-store.js';
import type { NextStep } from './retry-schedule.js';

/** A finished attempt and the next step of its delivery. */
export interface EndedAttempt {
  delivery: ClaimedRow;
  result: OutboundResult;
  next: NextStep;
}

const logger = new Logger('WebhookAttempt');

/** Returns `delivered`, `rejected` (an answer other than 2xx), or the error code if there was no answer. */
export const outcomeOf = ({ result, next }: Pick<EndedAttempt, 'result' | 'next'>): string =>
  next.status === 'delivered' ? 'delivered' : (result.error ?? 'rejected');

/**
 * Logs an attempt, except a successful first one: a line for each would cost a tenth of the throughput. A
 * delivery that failed for good is a warning, because the service does not retry it. `code`: the outcome in the metric.
 */
export function logAttempt({ delivery, result, next }: EndedAttempt, isRecorded: boolean): void {
  if (next.status === 'delivered' && delivery.attempts === 0 && isRecorded) return;
  const isOver = next.status === 'failed' && isRecorded;
  logger[isOver ? 'warn' : 'log']({
    msg: isOver ? 'webhook delivery failed for good' : 'webhook attempt',
    // explicit, because one statement records many attempts and so runs in the trace of none of them
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
