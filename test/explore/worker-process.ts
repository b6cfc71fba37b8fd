import type { AttemptRecord } from '../../src/webhooks/engine/delivery-store.js';
import type { OutboundResult } from '../../src/platform/outbound/outbound-result.js';
import type { SignedRequest } from '../../src/webhooks/endpoint/webhook-sender.js';
import { EagerWorker } from './eager-worker.js';
import { ProcessInstance, type WorkerDisturbance } from './process-instance.js';
import type { SentRequest } from './oracle.js';
import { SimulatedWorker, type WorkerEngine, type WorkerPorts } from './simulated-worker.js';
import { StoreLink } from './store-link.js';
import { DirectTransport, QueueingTransport, type Transport } from './transports.js';
import type { Scenario } from './scenario.js';
import { TIMEOUT_MS } from './scenario-plan.js';

/** A worker that stops for longer is killed by its process. */
const MAX_STOP_MS = 6_500;
const NEVER = new Promise<never>(() => undefined);
/** Jobs that a stopping worker had taken from the queue still arrive this long; it takes no new ones. */
const ON_THEIR_WAY_MS = 30;

/** A worker with its crashes, stops and restarts. */
export class WorkerProcess {
  readonly calls = { count: 0 };
  private starts = 0;
  private instance!: ProcessInstance;
  private engine!: WorkerEngine;
  private stoppingSinceMs = Infinity;
  /** Jobs of the queue that a stopping worker has not taken; its next process takes them. */
  private untaken: number[][] = [];
  private readonly faultsAt: Map<number, WorkerDisturbance>;

  constructor(
    private readonly index: number,
    private readonly scenario: Scenario,
    private readonly notify: (laneIds: number[]) => void,
  ) {
    this.faultsAt = new Map(
      scenario.plan.disturbances.flatMap((one) =>
        'worker' in one && one.worker === index && 'call' in one.at ? [[one.at.call, one] as const] : [],
      ),
    );
    this.start();
  }

  /**
   * A wake-up from the queue: delayed while the process is frozen, lost if it is gone, left in the queue while it
   * stops.
   */
  wake(laneIds: number[]): void {
    const { engine } = this;
    const isTaken = this.scenario.clock.nowMs < this.stoppingSinceMs + ON_THEIR_WAY_MS;
    if (!isTaken) return void this.untaken.push(laneIds);
    this.scenario.clock.after(0, this.instance, () => engine.wake(laneIds));
  }

  disturb(disturbance: WorkerDisturbance): void {
    if (this.instance.isGone) return;
    this.scenario.note(() => `${this.instance.name}: ${disturbance.kind} ${JSON.stringify(disturbance)}`);
    if (disturbance.kind === 'freeze') return this.instance.freeze(disturbance.forMs);
    if (disturbance.kind === 'stop') return this.stop(disturbance.downMs);
    this.instance.crash();
    this.startAfter(disturbance.downMs);
  }

  /** Ends the current process for good. */
  end(): void {
    this.instance.isGone = true;
  }

  private start(): void {
    const { clock } = this.scenario;
    const name = `worker ${this.index}.${++this.starts}`;
    const instance = new ProcessInstance(name, this.index, this.calls, this.faultsAt, clock, (fault) =>
      this.disturb(fault),
    );
    const ports = this.portsOf(instance);
    const { isOld, plan } = this.scenario;
    const engine = isOld ? new EagerWorker(ports) : new SimulatedWorker(ports, plan.slots);
    [this.instance, this.engine] = [instance, engine];
    this.stoppingSinceMs = Infinity;
    clock.after(0, instance, () => engine.start());
    for (const laneIds of this.untaken.splice(0)) this.wake(laneIds);
    this.scenario.note(() => `${name} starts`);
  }

  private portsOf(instance: ProcessInstance): WorkerPorts {
    const store = this.linkOf(instance);
    const transport = this.transportOf(instance);
    return {
      store,
      sender: { send: (request) => this.send(instance, transport, request) },
      notify: (laneIds) => {
        if (instance.reach()) this.notify(laneIds);
      },
      claimScan: (forMs) => store.call(() => Promise.resolve(this.scenario.claimScan(forMs))),
    };
  }

  private startAfter(downMs: number): void {
    this.scenario.clock.after(downMs, undefined, () => this.start());
  }

  private stop(downMs: number): void {
    const { instance, engine, scenario } = this;
    const startedMs = scenario.clock.nowMs;
    const exit = (): void => {
      if (instance.isGone) return;
      scenario.note(() => `${instance.name} has stopped`);
      instance.isGone = true;
      this.startAfter(downMs);
    };
    scenario.clock.after(0, instance, () => {
      // a second SIGTERM does not restart the time limit
      this.stoppingSinceMs = Math.min(this.stoppingSinceMs, scenario.clock.nowMs);
      void engine.stop().then(exit);
      scenario.clock.at(startedMs + MAX_STOP_MS, instance, () => {
        if (instance.isGone) return;
        if (!instance.isDisturbedSince(startedMs) && !scenario.storeFaults.wasDegradedSince(startedMs))
          scenario.oracle.violate('slow stop', `${instance.name} is still stopping after ${MAX_STOP_MS} ms`);
        exit();
        instance.hasCrashed = true;
      });
    });
  }

  private linkOf(instance: ProcessInstance): StoreLink {
    const { scenario } = this;
    const onRecorded = (attempt: AttemptRecord): void => {
      scenario.progressMs = scenario.clock.nowMs;
      scenario.note(() => `${instance.name} records delivery ${attempt.id}: ${outcomeOf(attempt)}, ${attempt.status}`);
      scenario.oracle.recorded(instance, attempt);
    };
    return new StoreLink(
      scenario.store,
      instance,
      scenario.storeFaults,
      scenario.clock,
      scenario.plan.seed,
      onRecorded,
    );
  }

  private transportOf(instance: ProcessInstance): Transport {
    const { isOld, clock } = this.scenario;
    return isOld ? new QueueingTransport(clock, instance) : new DirectTransport(clock, instance);
  }

  /** The sender's port. A call without an effect is never sent. */
  private async send(instance: ProcessInstance, transport: Transport, request: SignedRequest): Promise<OutboundResult> {
    if (!instance.reach()) return NEVER;
    const { scenario } = this;
    const delivery = scenario.store.deliveries.get(Number(request.id))!;
    const lane = scenario.lanes.get(delivery.laneId)!;
    let wire: SentRequest | undefined;
    return transport.post(lane.origin, TIMEOUT_MS, {
      begin: () => {
        scenario.progressMs = scenario.clock.nowMs;
        wire = scenario.oracle.begin(instance, delivery.id);
        scenario.note(() => `${instance.name} sends delivery ${delivery.id}, attempt ${wire!.number}, lane ${lane.id}`);
        return scenario.receivers.get(lane.id)!.react(delivery.id, wire.number, scenario.clock.nowMs);
      },
      end: (answer) => scenario.oracle.end(wire!, answer),
    });
  }
}

const outcomeOf = ({ error, statusCode }: AttemptRecord): string => error ?? String(statusCode);
