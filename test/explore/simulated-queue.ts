import { SeededRandom } from '../support/seeded-random.js';
import { arrivals } from './arrivals.js';
import type { Scenario } from './scenario.js';

type Wake = (worker: number, laneIds: number[]) => void;

/** The queue: an alarm clock that tells some worker, and may forget, tarry and repeat itself. */
export class SimulatedQueue {
  private told = 0;

  constructor(
    private readonly scenario: Scenario,
    private readonly wake: Wake,
  ) {}

  notify(laneIds: number[]): void {
    const { clock, plan } = this.scenario;
    const random = new SeededRandom(plan.seed, 'queue', ++this.told);
    for (const afterMs of arrivals(random)) {
      const worker = random.integer(0, plan.workers - 1);
      clock.after(afterMs, undefined, () => this.wake(worker, laneIds));
    }
  }
}
