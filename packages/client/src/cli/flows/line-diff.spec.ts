import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lineDiff } from './line-diff.js';

const letters = (text: string): string[] => [...text];

describe('lineDiff', () => {
  it.each([
    [
      'a changed line with two around it',
      'abcdefg',
      'abcXefg',
      ['  …', '  b', '  c', '- d', '+ X', '  e', '  f', '  …'],
    ],
    ['a line at the beginning', 'abc', 'Xabc', ['+ X', '  a', '  b', '  …']],
    ['a line at the end', 'abc', 'ab', ['  a', '  b', '- c']],
    ['two distant changes', 'abcdefghi', 'Xbcdefghi!', ['- a', '+ X', '  b', '  c', '  …', '  h', '  i', '+ !']],
    ['nothing for equal lists', 'abc', 'abc', ['  …']],
  ])('shows %s', (_, before, after, shown) => {
    expect(lineDiff(letters(before), letters(after))).toEqual(shown);
  });

  it('shows exactly the lines that turn one list into the other', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        // with at most three lines, all of them are shown
        if (before.join() === after.join()) return;
        const shown = lineDiff(before, after);
        const side = (mark: string) =>
          shown.filter((line) => line !== '  …' && line[0] !== mark).map((line) => line.slice(2));
        expect([side('+'), side('-')]).toEqual([before, after]);
      }),
    );
  });
});
