import type { ShopsService } from '../../src/shops/shops.service.js';
import { SystemClock } from '../../src/shared/clock.js';
import { AttemptRecorder } from '../../src/webhooks/engine/attempt-recorder.js';
import { DeliveryClaims } from '../../src/webhooks/engine/delivery-claims.js';
import type { DeliveryStore } from '../../src/webhooks/engine/delivery-store.js';
import { LaneReconciler } from '../../src/webhooks/engine/lane-reconciler.js';
import { LaneRunner } from '../../src/webhooks/engine/lane-runner.js';
import type { WebhookSender } from '../../src/webhooks/engine/webhook-sender.js';
import type { WebhookMetrics } from '../../src/webhooks/webhook-metrics.js';
import { RETRY_DELAYS_MS, TIMEOUT_MS } from './world-plan.js';

/** What one worker may have in flight: to an origin, in all, and in bytes of body. */
export const BOUNDS = { connectionsPerOrigin: 32, inFlight: 1_024, bytes: 64 * 1024 * 1024 };

/** All through which a worker reaches the world. */
export interface WorkerPorts {
  store: DeliveryStore;
  sender: Pick<WebhookSender, 'send'>;
  secrets: Pick<ShopsService, 'webhookSecrets'>;
}

/** The engine as a worker process has it, put together by hand: the one file that knows its classes' constructors. */
export class SimulatedWorker {
  private readonly runner: LaneRunner;
  private readonly reconciler: LaneReconciler;

  constructor({ store, sender, secrets }: WorkerPorts, slots: number) {
    const config = { webhookTimeoutMs: TIMEOUT_MS, webhookRetryDelaysMs: RETRY_DELAYS_MS, workerConcurrency: slots };
    const recorder = new AttemptRecorder(store, unheard, new SystemClock(), config);
    const claims = new DeliveryClaims(store, secrets as ShopsService, config);
    this.runner = new LaneRunner(claims, sender as WebhookSender, recorder, unheard, config);
    this.reconciler = new LaneReconciler(store, this.runner, unheard);
  }

  start(): void {
    this.reconciler.start();
  }

  /** What the queue tells. */
  wake(laneIds: number[]): void {
    this.runner.wake(laneIds);
  }

  /** As at SIGTERM. */
  async stop(): Promise<void> {
    await this.reconciler.stop();
    await this.runner.stop();
  }
}

const instrument = { inc: () => undefined, set: () => undefined, observe: () => undefined };
const unheard = new Proxy({}, { get: () => instrument }) as WebhookMetrics;
