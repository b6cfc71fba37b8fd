import type { AttemptRecord, Recorded } from '../../src/webhooks/engine/delivery-store.js';
import { type MemoryDelivery, MemoryDeliveryStore } from '../support/app/memory-delivery-store.js';

/** A standing endpoint without a 2xx since `failingSince`, in seconds since 1970. */
interface Mark {
  failingSince: number;
  hasFailed: boolean;
}

/** The redelivery of what failed for good at a recovered endpoint. Times in seconds since 1970. */
export interface Recovery {
  endpointId: number;
  /** Deliveries whose last attempt began at this time or later. */
  failedFrom: number;
  requestedAt: number;
  lastId: number;
  /** The last processed id. */
  afterId: number;
  redelivered: number;
}

/** Failed attempts of a delivery that do not mark its endpoint. */
const IGNORED_ATTEMPTS = 1;

/**
 * A store that also marks standing endpoints as failing and requests recoveries, as the statement that records attempts
 * does (`endpointEventsOf`). It announces and disables no endpoint.
 */
export class RecoveringStore extends MemoryDeliveryStore {
  readonly marks = new Map<number, Mark>();
  /** By endpoint. */
  readonly recoveries = new Map<number, Recovery>();
  newestId = 0;

  override append(...fields: Parameters<MemoryDeliveryStore['append']>): MemoryDelivery {
    const delivery = super.append(...fields);
    this.newestId = Math.max(this.newestId, delivery.id);
    return delivery;
  }

  override record(attempts: AttemptRecord[]): Promise<Recorded[]> {
    const deliveryOf = ({ id }: AttemptRecord): MemoryDelivery => this.deliveries.get(id)!;
    const before = attempts.map((attempt) => deliveryOf(attempt).attempts);
    const recorded = super.record(attempts);
    const written = attempts.filter((attempt, index) => deliveryOf(attempt).attempts > before[index]!);
    const endpointIds = new Set(written.map((attempt) => deliveryOf(attempt).endpointId));
    endpointIds.delete(0);
    for (const endpointId of endpointIds) {
      const isHere = (attempt: AttemptRecord): boolean => deliveryOf(attempt).endpointId === endpointId;
      this.observe(endpointId, written.filter(isHere));
    }
    return recorded;
  }

  /** Applies the attempts at one endpoint that one statement records. */
  private observe(endpointId: number, attempts: AttemptRecord[]): void {
    const mark = this.marks.get(endpointId);
    const hasFailed = attempts.some(({ status }) => status === 'failed');
    if (attempts.some(({ status }) => status === 'delivered')) {
      this.marks.delete(endpointId);
      if (mark !== undefined && (mark.hasFailed || hasFailed)) this.request(endpointId, mark.failingSince);
    } else if (mark !== undefined) mark.hasFailed ||= hasFailed;
    else {
      const marking = attempts.filter((one) => one.attempts >= IGNORED_ATTEMPTS || one.status === 'failed');
      const failingSince = Math.min(...marking.map(({ startedAt }) => startedAt));
      if (marking.length > 0) this.marks.set(endpointId, { failingSince, hasFailed });
    }
  }

  /** A running recovery starts again. */
  private request(endpointId: number, failedFrom: number): void {
    const running = this.recoveries.get(endpointId);
    this.recoveries.set(endpointId, {
      endpointId,
      failedFrom: Math.min(failedFrom, running?.failedFrom ?? Infinity),
      requestedAt: Date.now() / 1_000,
      lastId: this.newestId,
      afterId: 0,
      redelivered: running?.redelivered ?? 0,
    });
  }
}
