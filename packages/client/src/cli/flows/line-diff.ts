import { diffArrays } from 'diff';

const CONTEXT = 2;

/**
 * The lines of `after` that differ from `before`, marked with + and -, and two lines around each. `…` stands for the lines
 * between.
 */
export function lineDiff(before: readonly string[], after: readonly string[]): string[] {
  const marked = markedLines(before, after);
  const isShown = marked.map((_, index) =>
    marked.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  );
  return marked.flatMap(({ mark, line }, index) => {
    if (isShown[index]) return [`${mark} ${line}`];
    return index === 0 || isShown[index - 1] ? ['  …'] : [];
  });
}

interface MarkedLine {
  mark: ' ' | '-' | '+';
  line: string;
}

const markedLines = (before: readonly string[], after: readonly string[]): MarkedLine[] =>
  diffArrays([...before], [...after]).flatMap(({ value, added, removed }) =>
    value.map((line): MarkedLine => ({ mark: added ? '+' : removed ? '-' : ' ', line })),
  );
