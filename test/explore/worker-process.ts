import type { AttemptRecord } from '../../src/webhooks/delivery/delivery-store.js';
import type { OutboundResult } from '../../src/platform/outbound/outbound-result.js';
import type { SignedRequest } from '../../src/webhooks/delivery/webhook-sender.js';
import { EagerWorker } from './eager-worker.js';
import { Incarnation, type WorkerDisturbance } from './incarnation.js';
import type { Wire } from './oracle.js';
import { SimulatedWorker, type WorkerEngine, type WorkerPorts } from './simulated-worker.js';
import { StoreLink } from './store-link.js';
import { DirectTransport, QueueingTransport, type Transport } from './transports.js';
import type { Scenario } from './scenario.js';
import { TIMEOUT_MS } from './scenario-plan.js';

/** A drain that takes longer is cut off by the process. */
const MAX_STOP_MS = 6_500;
const NEVER = new Promise<never>(() => undefined);
/** How long a stopping worker still hears of what it had taken from the queue; it takes nothing more. */
const ON_THEIR_WAY_MS = 30;

/** A worker with its crashes, stops and restarts. */
export class WorkerProcess {
  readonly calls = { count: 0 };
  private lives = 0;
  private life!: Incarnation;
  private engine!: WorkerEngine;
  private stoppingSinceMs = Infinity;
  /** Jobs of the queue that a stopping worker has not taken; whoever comes next does. */
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

  /** What the queue tells: frozen, it learns of it later; gone, never; stopping, it leaves it there. */
  wake(laneIds: number[]): void {
    const { engine } = this;
    const isTaken = this.scenario.clock.nowMs < this.stoppingSinceMs + ON_THEIR_WAY_MS;
    if (!isTaken) return void this.untaken.push(laneIds);
    this.scenario.clock.after(0, this.life, () => engine.wake(laneIds));
  }

  disturb(disturbance: WorkerDisturbance): void {
    if (this.life.isGone) return;
    this.scenario.note(() => `${this.life.name}: ${disturbance.kind} ${JSON.stringify(disturbance)}`);
    if (disturbance.kind === 'freeze') return this.life.freeze(disturbance.forMs);
    if (disturbance.kind === 'stop') return this.stop(disturbance.downMs);
    this.life.crash();
    this.startAfter(disturbance.downMs);
  }

  /** Nothing of it runs any more. */
  end(): void {
    this.life.isGone = true;
  }

  private start(): void {
    const { clock } = this.scenario;
    const name = `worker ${this.index}.${++this.lives}`;
    const life = new Incarnation(name, this.index, this.calls, this.faultsAt, clock, (fault) => this.disturb(fault));
    const ports = this.portsOf(life);
    const { isOld, plan } = this.scenario;
    const engine = isOld ? new EagerWorker(ports) : new SimulatedWorker(ports, plan.permits);
    [this.life, this.engine] = [life, engine];
    this.stoppingSinceMs = Infinity;
    clock.after(0, life, () => engine.start());
    for (const told of this.untaken.splice(0)) this.wake(told);
    this.scenario.note(() => `${name} starts`);
  }

  private portsOf(life: Incarnation): WorkerPorts {
    const store = this.linkOf(life);
    const transport = this.transportOf(life);
    return {
      store,
      sender: { send: (request) => this.send(life, transport, request) },
      notify: (laneIds) => {
        if (life.reach()) this.notify(laneIds);
      },
      claimScan: (forMs) => store.call(() => Promise.resolve(this.scenario.claimScan(forMs))),
      secrets: { openWebhookSecrets: ({ current, previous }) => ({ current, previous }) },
    };
  }

  private startAfter(downMs: number): void {
    this.scenario.clock.after(downMs, undefined, () => this.start());
  }

  private stop(downMs: number): void {
    const { life, engine, scenario } = this;
    const startedMs = scenario.clock.nowMs;
    const exit = (): void => {
      if (life.isGone) return;
      scenario.note(() => `${life.name} has stopped`);
      life.isGone = true;
      this.startAfter(downMs);
    };
    scenario.clock.after(0, life, () => {
      // a second SIGTERM finds it stopping
      this.stoppingSinceMs = Math.min(this.stoppingSinceMs, scenario.clock.nowMs);
      void engine.stop().then(exit);
      scenario.clock.at(startedMs + MAX_STOP_MS, life, () => {
        if (life.isGone) return;
        if (!life.isDisturbedSince(startedMs) && !scenario.weather.wasBadSince(startedMs))
          scenario.oracle.violate('slow stop', `${life.name} is still stopping after ${MAX_STOP_MS} ms`);
        exit();
        life.hasCrashed = true;
      });
    });
  }

  private linkOf(life: Incarnation): StoreLink {
    const { scenario } = this;
    const onRecorded = (attempt: AttemptRecord): void => {
      scenario.progressMs = scenario.clock.nowMs;
      scenario.note(() => `${life.name} records delivery ${attempt.id}: ${outcomeOf(attempt)}, ${attempt.status}`);
      scenario.oracle.recorded(life, attempt);
    };
    return new StoreLink(scenario.store, life, scenario.weather, scenario.clock, scenario.plan.seed, onRecorded);
  }

  private transportOf(life: Incarnation): Transport {
    const { isOld, clock } = this.scenario;
    return isOld ? new QueueingTransport(clock, life) : new DirectTransport(clock, life);
  }

  /** The sender's port. A call that has no effect never leaves the machine. */
  private async send(life: Incarnation, transport: Transport, request: SignedRequest): Promise<OutboundResult> {
    if (!life.reach()) return NEVER;
    const { scenario } = this;
    const delivery = scenario.store.deliveries.get(Number(request.id))!;
    const lane = scenario.lanes.get(delivery.laneId)!;
    let wire: Wire | undefined;
    return transport.post(lane.origin, TIMEOUT_MS, {
      begin: () => {
        scenario.progressMs = scenario.clock.nowMs;
        wire = scenario.oracle.begin(life, delivery.id);
        scenario.note(() => `${life.name} sends delivery ${delivery.id}, attempt ${wire!.number}, lane ${lane.id}`);
        return scenario.receivers.get(lane.id)!.react(delivery.id, wire.number, scenario.clock.nowMs);
      },
      end: (answer) => scenario.oracle.end(wire!, answer),
    });
  }
}

const outcomeOf = ({ error, statusCode }: AttemptRecord): string => error ?? String(statusCode);
