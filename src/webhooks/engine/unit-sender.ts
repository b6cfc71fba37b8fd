import { Logger } from '@nestjs/common';
import type { OutboundResult } from '../../platform/outbound/outbound-result.js';
import type { WebhookMetrics } from '../outbox/webhook-metrics.js';
import { sendTraced } from './attempt-span.js';
import type { ScheduledLane } from './capacity-pool.js';
import { FAST_MS } from './concurrency-limit.js';
import type { ClaimedDelivery, DeliveryClaims, Unit } from './delivery-claims.js';
import type { DeliveryScheduler } from './delivery-scheduler.js';
import type { WebhookSender } from '../endpoint/webhook-sender.js';

const LOG_INTERVAL_MS = 10_000;

/** A delivery with the result of its attempt. */
export interface SentDelivery {
  delivery: ClaimedDelivery;
  result: OutboundResult;
}

/** The end of a unit. */
interface SentUnit {
  /** The last delivery that was sent; `undefined`: none, or a fault or a result that does not count came after it. */
  last: SentDelivery | undefined;
  /** Deliveries that were not sent. */
  remaining: ClaimedDelivery[];
  /** An error of this service, which ended the unit. */
  fault?: unknown;
}

/** Sends the changes of a unit one after another, in one slot of their lane. */
export class UnitSender {
  private readonly logger = new Logger(UnitSender.name);
  private isStopped = false;
  /** Functions that end the cool-downs under way. */
  private readonly cooling = new Set<() => void>();
  private nextLogAt = -Infinity;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly sender: Pick<WebhookSender, 'send'>,
    private readonly scheduler: DeliveryScheduler,
    private readonly metrics: WebhookMetrics,
    private readonly timeoutMs: number,
  ) {}

  /** Never rejects. `record` receives a sent delivery before the next one is sent; the last one is returned. */
  async send(lane: ScheduledLane, unit: Unit, record: (sent: SentDelivery) => void): Promise<SentUnit> {
    const remaining: ClaimedDelivery[] = [...unit];
    let last: SentDelivery | undefined;
    try {
      while (remaining.length > 0 && this.maySend(remaining[0]!, last?.result)) {
        if (last) record(last);
        last = undefined;
        const result = await this.attempt(lane, remaining[0]!);
        if (!wasSent(result)) break;
        last = { delivery: remaining.shift()!, result };
      }
      return { last, remaining };
    } catch (fault) {
      return { last, remaining, fault };
    }
  }

  /** Waits for a random time up to half a time-out, so that hundreds of attempts that timed out together are spread. */
  coolDown(): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.cooling.delete(end);
        resolve();
      };
      const timer = setTimeout(end, (Math.random() * this.timeoutMs) / 2);
      this.cooling.add(end);
    });
  }

  /** Begins no further attempt, and ends all cool-downs. */
  stop(): void {
    this.isStopped = true;
    for (const end of [...this.cooling]) end();
  }

  /**
   * Returns whether the next change may be sent in this slot. `previous`: the result of the previous change. After a slow
   * answer the slot goes to other payments.
   */
  private maySend(delivery: ClaimedDelivery, previous: OutboundResult | undefined): boolean {
    const isFast = previous === undefined || (previous.statusCode !== null && previous.durationMs <= FAST_MS);
    return isFast && !this.isStopped && this.claims.maySend(delivery);
  }

  /** Makes one attempt. Rejects after a fault of this service. */
  private async attempt(lane: ScheduledLane, delivery: ClaimedDelivery): Promise<OutboundResult> {
    const { webhook_id: id, shop_id: shopId, webhook_endpoint: url, request_body: body } = delivery;
    const { receiver } = delivery;
    try {
      if (!receiver) throw new Error(`no webhook secret for delivery ${delivery.id}`);
      const request = { id, shopId, url, body, receiver };
      const { sender } = this;
      const result = await (delivery.traceparent ? sendTraced(delivery, request, sender) : sender.send(request));
      const { statusCode, error, durationMs } = result;
      if (error === 'local_failure') await this.coolDownAfter(result);
      else if (statusCode !== null) this.scheduler.answered(lane, durationMs);
      else if (wasSent(result)) this.scheduler.unanswered(lane, error !== 'auth_failed');
      return result;
    } finally {
      delivery.request_body = ''; // frees the memory: a thousand results may wait to be recorded
    }
  }

  /**
   * Keeps the slot and the lease for a cool-down after local resource exhaustion, such as missing file descriptors or no
   * name server. Another attempt would fail for the same reason.
   */
  private async coolDownAfter({ error, errorMessage }: OutboundResult): Promise<void> {
    this.metrics.attempts.inc({ outcome: error! });
    if (performance.now() >= this.nextLogAt) {
      this.nextLogAt = performance.now() + LOG_INTERVAL_MS;
      this.logger.error({ msg: 'webhooks cannot be sent from this machine, retrying', reason: errorMessage });
    }
    await this.coolDown();
  }
}

/** Returns whether it counts as an attempt. It does not if the process stops or this machine lacks a resource. */
const wasSent = ({ error }: OutboundResult): boolean => error !== 'shutting_down' && error !== 'local_failure';
