import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DeliveryDispatcher } from './delivery-dispatcher.js';
import type { DeliveryStore, DueLane } from './delivery-store.js';
import { Reconciler } from './reconciler.js';

const lane = (id: number, fields: Partial<DueLane> = {}): DueLane => ({
  lane_id: id,
  overdue_ms: 5_000,
  is_held: false,
  is_unanswered: false,
  ...fields,
});

describe('Reconciler', () => {
  const waiting = new Set<number>();
  const paced = new Set<number>();
  const woken: [number, string | undefined][] = [];
  const notified: number[] = [];
  let due: DueLane[] = [];
  let freePlaces = 10_000;

  beforeEach(() => {
    waiting.clear();
    paced.clear();
    woken.length = notified.length = 0;
    freePlaces = 10_000;
  });

  async function scan(): Promise<void> {
    const dispatcher = {
      freePlaces,
      isPaced: (laneId: number) => paced.has(laneId),
      isWaiting: (laneId: number) => waiting.has(laneId),
      wake: (laneIds: number[], health?: string) => {
        for (const laneId of laneIds) {
          woken.push([laneId, health]);
          waiting.add(laneId);
        }
      },
    };
    const store = { dueLanes: () => Promise.resolve(due) };
    const { job } = new Reconciler(store as unknown as DeliveryStore, dispatcher as unknown as DeliveryDispatcher, {
      notify: (laneIds: Iterable<number>) => void notified.push(...laneIds),
    });
    await job.run(new AbortController().signal);
  }

  it('wakes lanes that are not waiting here, each once', async () => {
    due = [lane(1), lane(2), lane(3)];
    waiting.add(2);
    await scan();
    await scan();
    expect(woken).toEqual([
      [1, undefined],
      [3, undefined],
    ]);
    expect(notified).toEqual([]);
  });

  it('wakes lanes whose last attempt got no answer as unresponsive', async () => {
    due = [lane(1), lane(2, { is_unanswered: true })];
    await scan();
    expect(woken).toEqual([
      [1, undefined],
      [2, 'unresponsive'],
    ]);
  });

  it('notifies other workers of lanes that have no place here', async () => {
    due = [lane(1), lane(2), lane(3)];
    freePlaces = 1;
    await scan();
    expect([woken.map(([id]) => id), notified]).toEqual([[1], [2, 3]]);
  });

  it('notifies other workers of overdue lanes that a worker drains, except unresponsive ones', async () => {
    const held = { is_held: true };
    due = [lane(1, held), lane(2, { ...held, is_unanswered: true }), lane(3, { ...held, overdue_ms: 900 })];
    for (const { lane_id } of due) waiting.add(lane_id);
    await scan();
    expect([woken, notified]).toEqual([[], [1]]);
  });

  it('notifies other workers of overdue lanes that use their share of a maximum rate here', async () => {
    due = [lane(1), lane(2, { overdue_ms: 900 }), lane(3)];
    for (const { lane_id } of due) waiting.add(lane_id);
    paced.add(1).add(2);
    await scan();
    expect(notified).toEqual([1]);
  });
});
