import { SystemClock } from '../../src/shared/clock.js';
import { MaintenanceJob } from '../../src/shared/maintenance-job.js';
import { AttemptRecorder } from '../../src/webhooks/engine/attempt-recorder.js';
import { DeliveryClaims } from '../../src/webhooks/engine/delivery-claims.js';
import type { DeliveryStore } from '../../src/webhooks/engine/delivery-store.js';
import { Reconciler } from '../../src/webhooks/engine/reconciler.js';
import { DeliveryDispatcher } from '../../src/webhooks/engine/delivery-dispatcher.js';
import type { WebhookSender } from '../../src/webhooks/endpoint/webhook-sender.js';
import type { WebhookMetrics } from '../../src/webhooks/outbox/webhook-metrics.js';
import { RETRY_DELAYS_MS, TIMEOUT_MS } from './scenario-plan.js';
import { plainReceivers } from '../support/app/plain-receivers.js';

/** Limits of one worker: connections to an origin, and bytes of bodies in flight. */
export const BOUNDS = { connectionsPerOrigin: 256, bytes: 64 * 1024 * 1024 };

/** How often the only worker claims tasks (`SharedSchedule`). */
const SCAN_EVERY_MS = 300;

/** The ports through which a worker accesses the scenario. */
export interface WorkerPorts {
  store: DeliveryStore;
  sender: Pick<WebhookSender, 'send'>;
  /** Notifies the queue. */
  notify(laneIds: number[]): void;
  /** Whether this worker has claimed the scan, which is due again in `forMs`. */
  claimScan(forMs: number): Promise<boolean>;
}

/** A delivery engine in a scenario. */
export interface WorkerEngine {
  start(): void;
  /** Receives the lanes of a wake-up from the queue. */
  wake(laneIds: number[]): void;
  /** Stops as on SIGTERM. Resolves when nothing is in flight. */
  stop(): Promise<void>;
}

/**
 * The engine of a worker process, assembled here. No other file of the exploration knows the constructors of its
 * classes.
 */
export class SimulatedWorker implements WorkerEngine {
  private readonly dispatcher: DeliveryDispatcher;
  private readonly scans: MaintenanceJob;

  /** `slots`: attempts in flight, at most. */
  constructor(
    private readonly ports: WorkerPorts,
    slots: number,
  ) {
    const { store, sender } = ports;
    const config = { webhookTimeoutMs: TIMEOUT_MS, webhookRetryDelaysMs: RETRY_DELAYS_MS, workerConcurrency: slots };
    const recorder = new AttemptRecorder(store, noMetrics, new SystemClock(), config, { add: () => undefined });
    const claims = new DeliveryClaims(store, plainReceivers(), config);
    this.dispatcher = new DeliveryDispatcher(store, claims, sender, recorder, noMetrics, config);
    const notifier = { notify: (laneIds: Iterable<number>) => ports.notify([...laneIds]) };
    const { job } = new Reconciler(store, this.dispatcher, notifier);
    const run = async (stopping: AbortSignal): Promise<void> => {
      if (await ports.claimScan(job.everyMs).catch(() => false)) await job.run(stopping);
    };
    this.scans = new MaintenanceJob({ name: job.name, everyMs: SCAN_EVERY_MS, run }, noLogs);
  }

  start(): void {
    this.scans.start();
  }

  wake(laneIds: number[]): void {
    this.dispatcher.wake(laneIds);
  }

  async stop(): Promise<void> {
    await Promise.all([this.scans.stop(), this.dispatcher.stop((laneIds) => this.ports.notify(laneIds))]);
  }
}

const noLogs = { log: () => undefined, warn: () => undefined, error: () => undefined };
const instrument = { inc: () => undefined, set: () => undefined, observe: () => undefined };
const noMetrics = new Proxy(
  {},
  { get: (_, name) => (name === 'observe' ? instrument.observe : instrument) },
) as WebhookMetrics;
