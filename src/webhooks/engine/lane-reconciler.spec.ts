import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DeliveryStore, DueLane } from './delivery-store.js';
import { LaneReconciler } from './lane-reconciler.js';
import type { LaneRunner } from './lane-runner.js';

const lane = (id: number): DueLane => ({ lane_id: id, overdue_ms: 5_000, is_idle: true, is_unanswered: true });
const lanes = (count: number): DueLane[] => Array.from({ length: count }, (_, index) => lane(index + 1));

describe('LaneReconciler', () => {
  const inLine = new Set<number>();
  const woken: number[] = [];
  const looks: string[] = [];
  let due: DueLane[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    for (const seen of [woken, looks]) seen.length = 0;
    inLine.clear();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function reconciler(): () => Promise<void> {
    const store = { dueLanes: (what: string) => Promise.resolve(void looks.push(what)).then(() => due) };
    const runner = {
      room: 10_000,
      isInLine: (laneId: number) => inLine.has(laneId),
      wake: (laneIds: number[]) => {
        woken.push(...laneIds);
        for (const laneId of laneIds) inLine.add(laneId);
      },
    };
    const notifier = { notify: () => undefined };
    const turns = { recordEnd: () => Promise.resolve() };
    const { task } = new LaneReconciler(
      store as unknown as DeliveryStore,
      runner as unknown as LaneRunner,
      notifier,
      turns,
    );
    const { signal } = new AbortController();
    return async () => void (await task.run(signal));
  }

  it('wakes what is not in line, and nothing twice', async () => {
    due = lanes(3);
    inLine.add(2);
    const look = reconciler();
    await look();
    await look();
    expect(woken).toEqual([1, 3]);
  });

  it('looks at what is new alone, for a second, once all of a large backlog is in line', async () => {
    due = lanes(500);
    const look = reconciler();
    await look();
    await look();
    await look();
    expect(looks).toEqual(['all', 'all', 'recent']);
    jest.advanceTimersByTime(1_000);
    await look();
    expect(looks.at(-1)).toBe('all');
  });

  it('looks at all again and again while it finds lanes that are not in line', async () => {
    const look = reconciler();
    for (let round = 0; round < 3; round++) {
      due = lanes(500 + round);
      await look();
    }
    expect(looks).toEqual(['all', 'all', 'all']);
  });

  it('looks at all each time when that is little', async () => {
    due = lanes(50);
    const look = reconciler();
    for (let round = 0; round < 3; round++) await look();
    expect(looks).toEqual(['all', 'all', 'all']);
  });
});
