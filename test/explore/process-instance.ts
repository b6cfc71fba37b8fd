import type { Owner, VirtualClock } from './virtual-clock.js';
import type { Disturbance } from './scenario-plan.js';

export type WorkerDisturbance = Extract<Disturbance, { kind: 'crash' | 'freeze' | 'stop' }>;

/** One worker process, from its start to its crash or its end. */
export class ProcessInstance implements Owner {
  isGone = false;
  hasCrashed = false;
  frozenUntilMs = -Infinity;

  constructor(
    readonly name: string,
    readonly workerIndex: number,
    /** Port calls of all processes of this worker. */
    private readonly calls: { count: number },
    private readonly faultsAt: ReadonlyMap<number, WorkerDisturbance>,
    private readonly clock: VirtualClock,
    private readonly onFault: (fault: WorkerDisturbance) => void,
  ) {}

  /** The number of the current call; it seeds the random choices. */
  get call(): number {
    return this.calls.count;
  }

  /**
   * Counts a call of a port and returns whether the call has an effect. A process that is gone never sees an answer.
   */
  reach(): boolean {
    if (this.isGone) return false;
    const fault = this.faultsAt.get(++this.calls.count);
    if (fault === undefined) return true;
    this.onFault(fault);
    return fault.kind === 'freeze' || ('hasEffect' in fault.at && fault.at.hasEffect);
  }

  crash(): void {
    this.isGone = true;
    this.hasCrashed = true;
  }

  freeze(forMs: number): void {
    this.frozenUntilMs = Math.max(this.frozenUntilMs, this.clock.nowMs + forMs);
  }

  /** Whether this process was disturbed since then in a way that loses results. */
  isDisturbedSince(atMs: number): boolean {
    return this.hasCrashed || this.frozenUntilMs >= atMs;
  }
}
