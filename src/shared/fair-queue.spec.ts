import { serialize } from 'node:v8';
import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

/** Returns the order of `count` members. A member is named merchant-shop-lane and is queued again after each `dequeue`. */
function order(members: string[], count: number): string[] {
  const queue = new FairQueue<string>();
  const pathOf = (member: string) => member.split('-').map(Number);
  for (const member of members) queue.enqueue(pathOf(member), member);
  return Array.from({ length: count }, () => {
    const member = queue.dequeue()!;
    queue.enqueue(pathOf(member), member);
    return member;
  });
}

describe('FairQueue', () => {
  it('serves every merchant equally often, then every shop, then every lane', () => {
    expect(order(['1-1-1', '1-1-2', '1-2-3', '2-3-4'], 8)).toEqual([
      ...['1-1-1', '2-3-4', '1-2-3', '2-3-4', '1-1-2', '2-3-4', '1-2-3', '2-3-4'],
    ]);
  });

  it('becomes empty when its last member is dequeued or removed', () => {
    const queue = new FairQueue<string>();
    queue.enqueue([1, 1, 1], 'a');
    queue.enqueue([1, 1, 2], 'b');
    queue.remove([1, 1, 1]);
    expect([queue.isEmpty, queue.dequeue(), queue.isEmpty, queue.dequeue()]).toEqual([false, 'b', true, undefined]);
  });

  it('keeps the place of the first member of a group when others are added', () => {
    const queue = new FairQueue<string>();
    queue.enqueue([1, 1, 1], 'first');
    queue.enqueue([2, 1, 2], 'other');
    queue.enqueue([1, 2, 3], 'second');
    expect([queue.dequeue(), queue.dequeue(), queue.dequeue()]).toEqual(['first', 'other', 'second']);
  });

  it('ignores the removal of a member that is not queued', () => {
    const queue = new FairQueue<string>();
    queue.enqueue([1, 1, 1], 'a');
    queue.remove([2, 1, 1]);
    queue.remove([1, 1, 2]);
    queue.remove([1, 2, 1]);
    expect(queue.dequeue()).toBe('a');
  });
});

describe('the memory of FairQueue', () => {
  const lane = [1, 1, 1];
  const uses: Record<string, (queue: FairQueue<string>) => void> = {
    'a single member': (queue) => {
      queue.enqueue(lane, 'a');
      queue.dequeue();
    },
    'a member that is removed': (queue) => {
      queue.enqueue(lane, 'a');
      queue.remove(lane);
    },
    'a member with others in its group': (queue) => {
      queue.enqueue(lane, 'a');
      queue.enqueue([1, 1, 2], 'b');
      queue.enqueue([1, 2, 3], 'c');
      for (let member = 0; member < 3; member++) queue.dequeue();
    },
  };

  it.each(Object.entries(uses))('stays constant when %s is queued and dequeued repeatedly', (_name, use) => {
    const queue = new FairQueue<string>();
    use(queue);
    const before = serialize(queue).length;
    for (let time = 0; time < 1_000; time++) use(queue);
    expect(serialize(queue).length).toBe(before);
    expect(queue.isEmpty).toBe(true);
  });
});
