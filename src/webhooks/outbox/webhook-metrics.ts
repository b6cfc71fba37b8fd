import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';
import { OUTBOUND_ERRORS } from '../../platform/outbound/outbound-result.js';

/** Same classes as in `capacity-pool.ts`. */
const CLASSES = ['interactive', 'bulk', 'untried', 'unresponsive'];

/** Current load of the dispatcher. `slots` and `waiting` are by class. */
interface DeliveryLoad {
  lanesActive: number;
  bytes: number;
  slots: number[];
  waiting: number[];
}

/** Metrics of webhook delivery in this process. */
@Injectable()
export class WebhookMetrics {
  /** Finished deliveries: `delivered` or `failed`. */
  readonly deliveries;
  /** Claims of lanes. If several workers claim one lane, some get nothing. */
  readonly claims;
  /** Attempts: `delivered`, `rejected` (an answer other than 2xx), or the error code if there was no answer. */
  readonly attempts;
  readonly attemptSeconds;
  readonly lanesActive;
  /** By class, see `capacity-pool.ts`. */
  readonly slots;
  readonly lanesWaiting;
  readonly bodyBytes;
  readonly wakeupsLost;
  readonly resultsTooLate;
  private load: (() => DeliveryLoad) | undefined;

  constructor(metrics: Metrics) {
    this.deliveries = metrics.counter({
      name: 'webhook_deliveries_total',
      help: 'Finished webhook deliveries; failed: no further attempt follows',
      labels: { outcome: ['delivered', 'failed'] },
    });
    this.claims = metrics.counter({
      name: 'webhook_claims_total',
      help: 'Claims of a lane’s due deliveries, by whether any were found',
      labels: { brought: ['deliveries', 'nothing'] },
    });
    this.attempts = metrics.counter({
      name: 'webhook_attempts_total',
      help: 'Attempts to deliver a webhook; rejected: answered with a status other than 2xx; other outcomes: why there was no answer',
      labels: { outcome: ['delivered', 'rejected', ...Object.keys(OUTBOUND_ERRORS)] },
    });
    this.attemptSeconds = metrics.histogram({
      name: 'webhook_attempt_duration_seconds',
      help: 'Duration of an attempt to deliver a webhook',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5],
    });
    this.lanesActive = metrics.gauge({
      name: 'webhook_lanes_active',
      help: 'Lanes that this worker drains, including lanes that wait for a slot',
      collect: () => this.measure(),
    });
    this.slots = metrics.gauge({
      name: 'webhook_slots_in_use',
      help: 'Slots for attempts that lanes of a class hold',
      labels: { class: CLASSES },
    });
    this.lanesWaiting = metrics.gauge({
      name: 'webhook_lanes_waiting',
      help: 'Lanes of a class that wait for a slot',
      labels: { class: CLASSES },
    });
    this.bodyBytes = metrics.gauge({
      name: 'webhook_bytes_in_flight',
      help: 'Bytes of bodies reserved for attempts in flight',
    });
    this.wakeupsLost = metrics.counter({
      name: 'webhook_wakeups_lost_total',
      help: 'Wake-ups of lanes that the queue did not accept',
    });
    this.resultsTooLate = metrics.counter({
      name: 'webhook_results_too_late_total',
      help: 'Results of attempts that were dropped because their lease was lost',
    });
  }

  /** Sets the source of the gauges, which is read at each scrape of `/metrics`. */
  observe(load: () => DeliveryLoad): void {
    this.load = load;
  }

  private measure(): void {
    if (!this.load) return;
    const { lanesActive, bytes, slots, waiting } = this.load();
    this.lanesActive.set(lanesActive);
    this.bodyBytes.set(bytes);
    for (const [index, name] of CLASSES.entries()) {
      this.slots.set({ class: name }, slots[index]!);
      this.lanesWaiting.set({ class: name }, waiting[index]!);
    }
  }
}
