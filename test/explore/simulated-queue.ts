import { SeededRandom } from '../support/seeded-random.js';
import type { World } from './world.js';

const MAX_DELAY_MS = 30;
/** Wake-ups that nobody gets, that are late, and that come twice, of all. */
const LOST = 0.05;
const LATE = 0.05;
const TWICE = 0.05;
const MAX_LATE_MS = 3_000;

/** When wake-ups of one notification arrive. Lost: none. */
export function arrivals(random: SeededRandom): number[] {
  if (random.chance(LOST)) return [];
  const count = random.chance(TWICE) ? 2 : 1;
  return Array.from({ length: count }, () =>
    random.chance(LATE) ? random.between(MAX_DELAY_MS, MAX_LATE_MS) : random.between(1, MAX_DELAY_MS),
  );
}

type Wake = (worker: number, laneIds: number[]) => void;

/** The queue: an alarm clock that tells some worker, and may forget, tarry and repeat itself. */
export class SimulatedQueue {
  private told = 0;

  constructor(
    private readonly world: World,
    private readonly wake: Wake,
  ) {}

  notify(laneIds: number[]): void {
    const { clock, plan } = this.world;
    const random = new SeededRandom(plan.seed, 'queue', ++this.told);
    for (const afterMs of arrivals(random)) {
      const worker = random.integer(0, plan.workers - 1);
      clock.after(afterMs, undefined, () => this.wake(worker, laneIds));
    }
  }
}
