import { describe, expect, it } from '@jest/globals';
import { memoryInUse } from '../../test/support/memory-in-use.js';
import { Turns } from './turns.js';

/** Members are named merchant-shop-lane and go back into line after each turn. */
function order(members: string[], turns: number): string[] {
  const line = new Turns<string>();
  const pathOf = (member: string) => member.split('-').map(Number);
  for (const member of members) line.add(pathOf(member), member);
  return Array.from({ length: turns }, () => {
    const member = line.next()!;
    line.add(pathOf(member), member);
    return member;
  });
}

describe('Turns', () => {
  it('gives every merchant the same number of turns, then every shop, then every lane', () => {
    expect(order(['1-1-1', '1-1-2', '1-2-3', '2-3-4'], 8)).toEqual([
      ...['1-1-1', '2-3-4', '1-2-3', '2-3-4', '1-1-2', '2-3-4', '1-2-3', '2-3-4'],
    ]);
  });

  it('is empty when the last member was taken or left', () => {
    const line = new Turns<string>();
    line.add([1, 1, 1], 'a');
    line.add([1, 1, 2], 'b');
    line.delete([1, 1, 1]);
    expect([line.isEmpty, line.next(), line.isEmpty, line.next()]).toEqual([false, 'b', true, undefined]);
  });

  it('keeps the place of a member that was alone when others of its group join', () => {
    const line = new Turns<string>();
    line.add([1, 1, 1], 'first');
    line.add([2, 1, 2], 'other');
    line.add([1, 2, 3], 'second');
    expect([line.next(), line.next(), line.next()]).toEqual(['first', 'other', 'second']);
  });

  it('gives turns to who stays in line as to who leaves it', () => {
    const line = new Turns<string>();
    line.add([1, 1, 1], '1-1-1');
    line.add([1, 1, 2], '1-1-2');
    line.add([2, 3, 4], '2-3-4');
    const turns = Array.from({ length: 4 }, () => line.turn());
    expect(turns).toEqual(['1-1-1', '2-3-4', '1-1-2', '2-3-4']);
    line.delete([2, 3, 4]);
    expect([line.turn(), line.next(), line.next(), line.turn()]).toEqual(['1-1-1', '1-1-2', '1-1-1', undefined]);
  });

  it('ignores a member that leaves without having joined', () => {
    const line = new Turns<string>();
    line.add([1, 1, 1], 'a');
    line.delete([2, 1, 1]);
    line.delete([1, 1, 2]);
    line.delete([1, 2, 1]);
    expect(line.next()).toBe('a');
  });

  it('gives one group its turn out of order, and nothing to one that is not in line', () => {
    const line = new Turns<string>();
    line.add([1, 1, 1], 'a');
    line.add([2, 1, 2], 'b');
    line.add([2, 2, 3], 'c');
    line.add([3, 1, 4], 'd');
    expect([line.nextOf(2), line.nextOf(4), line.next(), line.nextOf(2), line.nextOf(2), line.next()]).toEqual([
      ...['b', undefined, 'a', 'c', undefined, 'd'],
    ]);
    expect(line.isEmpty).toBe(true);
  });
});

describe('what Turns keeps', () => {
  const TIMES = 100_000;
  const lane = [1, 1, 1];
  const uses: Record<string, (line: Turns<string>) => void> = {
    'is alone in line': (line) => {
      line.add(lane, 'a');
      line.next();
    },
    'leaves before its turn': (line) => {
      line.add(lane, 'a');
      line.delete(lane);
    },
    'is taken out of turn': (line) => {
      line.add(lane, 'a');
      line.nextOf(1);
    },
    'has others in its group': (line) => {
      line.add(lane, 'a');
      line.add([1, 1, 2], 'b');
      line.add([1, 2, 3], 'c');
      for (let turn = 0; turn < 3; turn++) line.next();
    },
    'takes its turn in place': (line) => {
      line.add(lane, 'a');
      line.turn();
      line.delete(lane);
    },
  };

  it.each(Object.keys(uses))('does not grow when one who %s comes and goes', (name) => {
    const line = new Turns<string>();
    const use = uses[name]!;
    for (let time = 0; time < 1_000; time++) use(line);
    const before = memoryInUse();
    for (let time = 0; time < TIMES; time++) use(line);
    expect((memoryInUse() - before) / TIMES).toBeLessThan(10); // bytes
    expect(line.isEmpty).toBe(true);
  });
});
