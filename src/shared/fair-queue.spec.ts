import { describe, expect, it } from '@jest/globals';
import { memoryInUse } from '../../test/support/memory-in-use.js';
import { FairQueue } from './fair-queue.js';

/** Members are named merchant-shop-lane and are queued again after each turn. */
function order(members: string[], turns: number): string[] {
  const queue = new FairQueue<string>();
  const pathOf = (member: string) => member.split('-').map(Number);
  for (const member of members) queue.enqueue(pathOf(member), member);
  return Array.from({ length: turns }, () => {
    const member = queue.dequeue()!;
    queue.enqueue(pathOf(member), member);
    return member;
  });
}

describe('FairQueue', () => {
  it('gives every merchant the same number of turns, then every shop, then every lane', () => {
    expect(order(['1-1-1', '1-1-2', '1-2-3', '2-3-4'], 8)).toEqual([
      ...['1-1-1', '2-3-4', '1-2-3', '2-3-4', '1-1-2', '2-3-4', '1-2-3', '2-3-4'],
    ]);
  });

  it('is empty when the last member was taken or left', () => {
    const queue = new FairQueue<string>();
    queue.enqueue([1, 1, 1], 'a');
    queue.enqueue([1, 1, 2], 'b');
    queue.remove([1, 1, 1]);
    expect([queue.isEmpty, queue.dequeue(), queue.isEmpty, queue.dequeue()]).toEqual([false, 'b', true, undefined]);
  });

  it('keeps the place of a member that was alone when others of its group join', () => {
    const queue = new FairQueue<string>();
    queue.enqueue([1, 1, 1], 'first');
    queue.enqueue([2, 1, 2], 'other');
    queue.enqueue([1, 2, 3], 'second');
    expect([queue.dequeue(), queue.dequeue(), queue.dequeue()]).toEqual(['first', 'other', 'second']);
  });

  it('ignores a member that leaves without having joined', () => {
    const queue = new FairQueue<string>();
    queue.enqueue([1, 1, 1], 'a');
    queue.remove([2, 1, 1]);
    queue.remove([1, 1, 2]);
    queue.remove([1, 2, 1]);
    expect(queue.dequeue()).toBe('a');
  });
});

describe('what FairQueue keeps', () => {
  const TIMES = 100_000;
  const lane = [1, 1, 1];
  const uses: Record<string, (queue: FairQueue<string>) => void> = {
    'is the only one': (queue) => {
      queue.enqueue(lane, 'a');
      queue.dequeue();
    },
    'leaves before its turn': (queue) => {
      queue.enqueue(lane, 'a');
      queue.remove(lane);
    },
    'has others in its group': (queue) => {
      queue.enqueue(lane, 'a');
      queue.enqueue([1, 1, 2], 'b');
      queue.enqueue([1, 2, 3], 'c');
      for (let turn = 0; turn < 3; turn++) queue.dequeue();
    },
  };

  it.each(Object.keys(uses))('does not grow when one who %s comes and goes', (name) => {
    const queue = new FairQueue<string>();
    const use = uses[name]!;
    for (let time = 0; time < 1_000; time++) use(queue);
    const before = memoryInUse();
    for (let time = 0; time < TIMES; time++) use(queue);
    expect((memoryInUse() - before) / TIMES).toBeLessThan(10); // bytes
    expect(queue.isEmpty).toBe(true);
  });
});
