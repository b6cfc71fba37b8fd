import { SystemClock } from '../../src/shared/clock.js';
import { PeriodicTask } from '../../src/shared/periodic-task.js';
import { AttemptRecorder } from '../../src/webhooks/engine/attempt-recorder.js';
import { DeliveryClaims, type SecretsOpener } from '../../src/webhooks/engine/delivery-claims.js';
import type { DeliveryStore } from '../../src/webhooks/engine/delivery-store.js';
import { LaneReconciler } from '../../src/webhooks/engine/lane-reconciler.js';
import { LaneRunner } from '../../src/webhooks/engine/lane-runner.js';
import type { WebhookSender } from '../../src/webhooks/engine/webhook-sender.js';
import type { WebhookMetrics } from '../../src/webhooks/outbox/webhook-metrics.js';
import { RETRY_DELAYS_MS, TIMEOUT_MS } from './world-plan.js';

/** What one worker may have in flight: to an origin, and in bytes of body. */
export const BOUNDS = { connectionsPerOrigin: 256, bytes: 64 * 1024 * 1024 };

/** As one worker alone asks for the turn (`WorkerTurns`). */
const LOOK_EVERY_MS = 300;

/** All through which a worker reaches the world. */
export interface WorkerPorts {
  store: DeliveryStore;
  sender: Pick<WebhookSender, 'send'>;
  secrets: SecretsOpener;
  /** Tells the queue; `isFound`: a look found them due. */
  notify(laneIds: number[], isFound: boolean): void;
  /** Whether the turn that all workers share is this one's, for the next `forMs`. */
  takeTurn(forMs: number): Promise<boolean>;
}

/** An engine in a world. */
export interface WorkerEngine {
  start(): void;
  /** What the queue tells. */
  wake(laneIds: number[], isFound: boolean): void;
  /** As at SIGTERM. Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

/** The engine as a worker process has it, put together by hand: the one file that knows its classes' constructors. */
export class SimulatedWorker implements WorkerEngine {
  private readonly runner: LaneRunner;
  private readonly looks: PeriodicTask;
  private readonly stopping = new AbortController();

  /** `permits`: attempts in flight at most. */
  constructor(
    private readonly ports: WorkerPorts,
    permits: number,
  ) {
    const { store, sender, secrets } = ports;
    const config = { webhookTimeoutMs: TIMEOUT_MS, webhookRetryDelaysMs: RETRY_DELAYS_MS, workerConcurrency: permits };
    const recorder = new AttemptRecorder(store, unheard, new SystemClock(), config, { add: () => undefined });
    const claims = new DeliveryClaims(store, secrets, config);
    this.runner = new LaneRunner(store, claims, sender, recorder, unheard, config);
    const notifier = { notify: (laneIds: number[], isFound = false) => ports.notify(laneIds, isFound) };
    const { task } = new LaneReconciler(store, this.runner, notifier, { recordEnd: () => Promise.resolve() });
    this.looks = new PeriodicTask(async () => {
      const isOurs = await ports.takeTurn(task.everyMs).catch(() => false);
      if (isOurs) await task.run(this.stopping.signal);
      return LOOK_EVERY_MS;
    });
  }

  start(): void {
    this.looks.start();
  }

  wake(laneIds: number[], isFound: boolean): void {
    this.runner.wake(laneIds, isFound ? 'found' : 'new');
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.looks.stop(), this.runner.stop((laneIds) => this.ports.notify(laneIds, false))]);
  }
}

const instrument = { inc: () => undefined, set: () => undefined, observe: () => undefined };
const unheard = new Proxy({}, { get: () => instrument }) as WebhookMetrics;
