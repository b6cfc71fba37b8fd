import { describe, expect, it } from '@jest/globals';
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
