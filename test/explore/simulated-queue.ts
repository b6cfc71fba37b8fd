import { SeededRandom } from '../../src/shared/seeded-random.js';
import { arrivals } from './arrivals.js';
import type { Scenario } from './scenario.js';

type Wake = (worker: number, laneIds: number[]) => void;

/** The queue: sends wake-ups to any worker; a wake-up may be lost, late or repeated. */
export class SimulatedQueue {
  private notified = 0;

  constructor(
    private readonly scenario: Scenario,
    private readonly wake: Wake,
  ) {}

  notify(laneIds: number[]): void {
    const { clock, plan } = this.scenario;
    const random = new SeededRandom(plan.seed, 'queue', ++this.notified);
    for (const afterMs of arrivals(random)) {
      const worker = random.integer(0, plan.workers - 1);
      clock.after(afterMs, undefined, () => this.wake(worker, laneIds));
    }
  }
}
