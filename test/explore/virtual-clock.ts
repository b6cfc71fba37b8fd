import { loseTimers } from '../support/app/shared-apps.js';

/** The process that an event belongs to. A process that is gone or frozen runs no timers and receives no answers. */
export interface Owner {
  readonly name: string;
  isGone: boolean;
  frozenUntilMs: number;
}

interface Event {
  atMs: number;
  order: number;
  owner: Owner | undefined;
  run: (() => void) | undefined;
}

/** 2030-01-01: the time at the start of a scenario. */
const EPOCH_MS = 1_893_456_000_000;
const RealDate = Date;
/** This many events at the same time mean an endless loop. */
const MOST_AT_ONCE = 100_000;

/**
 * The time and the pending events of one scenario.
 * - One event runs at a time; the next begins when no microtask is left. So `owner` is the process that runs now, across every
 *   `await`.
 * - Events of the same time run in the order in which they were scheduled, so a scenario is the same each time it is run.
 * - While installed it replaces Date, performance.now and all timers of this thread; nothing waits in real time.
 */
export class VirtualClock {
  nowMs = 0;
  owner: Owner | undefined;
  private readonly heap: Event[] = [];
  private scheduled = 0;
  private atThisMoment = 0;

  /**
   * Schedules `run` for `owner`: delayed while the owner is frozen, dropped if it is gone. Returns a function that
   * cancels it.
   */
  at(atMs: number, owner: Owner | undefined, run: () => void): () => void {
    const event = this.add(atMs, owner, run);
    return () => (event.run = undefined);
  }

  after(delayMs: number, owner: Owner | undefined, run: () => void): () => void {
    return this.at(this.nowMs + delayMs, owner, run);
  }

  /** Runs event by event until `isOver` or no event is left. Rejects with an error that an event throws. */
  run(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = (): void => {
        try {
          if (isOver() || !this.runNext()) return resolve();
        } catch (error) {
          return reject(error instanceof Error ? error : new Error(String(error)));
        }
        // process.nextTick runs after all microtasks, including those that this event's promises start
        void Promise.resolve().then(() => process.nextTick(step));
      };
      step();
    });
  }

  private add(atMs: number, owner: Owner | undefined, run: () => void): Event {
    const event = { atMs, order: ++this.scheduled, owner, run };
    this.push(event);
    return event;
  }

  private runNext(): boolean {
    const event = this.pop();
    if (event === undefined) return false;
    const { owner, run } = event;
    if (run === undefined || owner?.isGone) return true;
    if (owner !== undefined && owner.frozenUntilMs > event.atMs) {
      this.push({ ...event, atMs: owner.frozenUntilMs, run: () => event.run?.() });
      return true;
    }
    this.atThisMoment = event.atMs > this.nowMs ? 0 : this.atThisMoment + 1;
    if (this.atThisMoment > MOST_AT_ONCE) throw new Error(`${owner?.name ?? 'the scenario'} does not let time pass`);
    this.nowMs = event.atMs;
    this.owner = owner;
    run();
    return true;
  }

  private push(event: Event): void {
    const { heap } = this;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isBefore(heap[parent]!, event)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = event;
  }

  private pop(): Event | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (heap.length === 0 || last === undefined) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (isBefore(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  }

  /**
   * Replaces the thread's time and its `Math.random`, so that a run can be repeated. Not `node:timers/promises`, which
   * the engine does not use. Returns a function that restores both.
   */
  install(random: () => number): () => void {
    loseTimers();
    const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis;
    const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate, Date };
    const clear = (handle?: Partial<Event>): void => void (handle && (handle.run = undefined));
    const fake = {
      setTimeout: (run: (...args: unknown[]) => void, delayMs?: number, ...args: unknown[]) =>
        this.timer(delayMs, () => run(...args)),
      setInterval: (run: () => void, delayMs?: number) => this.interval(delayMs, run),
      setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) =>
        this.handle(this.add(this.nowMs, this.owner, () => run(...args))),
      ...{ clearTimeout: clear, clearInterval: clear, clearImmediate: clear },
      Date: this.date(),
    };
    const realRandom = Math.random;
    Math.random = random;
    Object.assign(globalThis, fake);
    Object.defineProperty(performance, 'now', { value: () => this.nowMs, configurable: true, writable: true });
    return () => {
      Math.random = realRandom;
      Object.assign(globalThis, real);
      Reflect.deleteProperty(performance, 'now');
    };
  }

  private timer(delayMs = 1, run: () => void): Event {
    return this.handle(this.add(this.nowMs + Math.max(1, Math.trunc(delayMs)), this.owner, run));
  }

  private interval(delayMs = 1, run: () => void): Event {
    const handle = this.timer(delayMs, () => {
      const again = handle.run;
      run();
      if (handle.run === undefined) return;
      Object.assign(handle, { atMs: this.nowMs + Math.max(1, delayMs), order: ++this.scheduled, run: again });
      this.push(handle);
    });
    return handle;
  }

  /** The methods of Node's own timers; nothing here keeps the process alive. */
  private handle(event: Event): Event {
    return Object.assign(event, { ref: () => event, unref: () => event, hasRef: () => true });
  }

  private date(): DateConstructor {
    const now = (): number => EPOCH_MS + Math.floor(this.nowMs);
    return class extends RealDate {
      constructor(...args: unknown[]) {
        super(...((args.length === 0 ? [now()] : args) as [number]));
      }

      static override now = now;
    } as unknown as DateConstructor;
  }
}

const isBefore = (one: Event, other: Event): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
