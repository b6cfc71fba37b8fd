import { setImmediate as nextIteration } from 'node:timers/promises';
import { VirtualClock } from '../../explore/virtual-clock.js';

/** Microtasks and immediate work of Node itself may follow the last event. */
const IDLE_ITERATIONS = 100;

/** Virtual time for a test: nothing waits, and timers run in their order. `restore` brings back the real time. */
export class VirtualTime {
  private readonly clock = new VirtualClock();
  readonly restore = this.clock.install(Math.random);

  /** Lets time go by until the condition holds. Rejects if nothing more would happen. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    let idle = 0;
    while (!(await condition())) {
      let checks = 0;
      await this.clock.run(() => ++checks > 1);
      if (checks > 1) idle = 0;
      else if (++idle <= IDLE_ITERATIONS) await nextIteration();
      else throw new Error(`does not become true: ${condition.toString()}`);
    }
  }

  async pass(ms: number): Promise<void> {
    let isOver = false;
    this.clock.after(ms, undefined, () => (isOver = true));
    await this.until(() => isOver);
  }
}
