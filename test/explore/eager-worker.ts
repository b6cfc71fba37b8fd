import { plainReceivers } from '../support/app/plain-receivers.js';
import type { AttemptRecord, ClaimedRow } from '../../src/webhooks/engine/delivery-store.js';
import { nextStep } from '../../src/webhooks/engine/retry-schedule.js';
import type { WorkerEngine, WorkerPorts } from './simulated-worker.js';
import { RETRY_DELAYS_MS, TIMEOUT_MS } from './scenario-plan.js';

const WINDOW = 256;
const LEASE_MS = TIMEOUT_MS + 2_000;
const SCAN_EVERY_MS = 300;
const RECEIVERS = plainReceivers();

/**
 * The engine up to commit 12e2b7b, with its bug: a lane claims and posts 256 deliveries at once, regardless of how many
 * connections its origin has. With `QueueingTransport` it shows that the exploration finds this bug.
 */
export class EagerWorker implements WorkerEngine {
  private readonly running = new Set<number>();

  constructor(private readonly ports: WorkerPorts) {}

  start(): void {
    setTimeout(() => void this.scan(), SCAN_EVERY_MS);
  }

  wake(laneIds: number[]): void {
    for (const laneId of laneIds) void this.drain(laneId);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  private async scan(): Promise<void> {
    const due = await this.ports.store.dueLanes().catch(() => []);
    this.wake(due.filter(({ is_held }) => !is_held).map(({ lane_id }) => lane_id));
    this.start();
  }

  private async drain(laneId: number): Promise<void> {
    if (this.running.has(laneId)) return;
    this.running.add(laneId);
    const claim = { laneId, quota: WINDOW, maxBytes: Infinity, withSuccessors: false };
    const rows = await this.ports.store.claim([claim], LEASE_MS).catch(() => []);
    await Promise.all(rows.map((row) => this.deliver(row)));
    this.running.delete(laneId);
    if (rows.length > 0) this.wake([laneId]);
  }

  private async deliver(row: ClaimedRow): Promise<void> {
    const request = {
      id: row.webhook_id,
      shopId: row.shop_id,
      url: row.webhook_endpoint,
      body: row.request_body,
      receiver: RECEIVERS.receiver(row.encrypted_receiver),
    };
    const result = await this.ports.sender.send(request);
    if (result.error === 'shutting_down') return; // nothing was sent
    const next = nextStep(result, row.attempts_in_run, RETRY_DELAYS_MS, new Date());
    const { id, attempts, lease } = row;
    const { statusCode, error, durationMs } = result;
    const waitMs = next.status === 'pending' ? next.waitMs : 0;
    const startedAt = result.startedAt.getTime() / 1_000;
    const ended = { id, attempts, lease, status: next.status, waitMs, statusCode, error, startedAt, durationMs };
    const record: AttemptRecord = { ...ended, responseBody: null };
    await this.ports.store.record([record]).catch(() => undefined);
  }
}
