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

/** All lines, by a longest common subsequence of the part between the common beginning and the common end. */
function markedLines(before: readonly string[], after: readonly string[]): MarkedLine[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const mark = (of: MarkedLine['mark'], lines: readonly string[]): MarkedLine[] =>
    lines.map((line) => ({ mark: of, line }));
  return [
    ...mark(' ', before.slice(0, start)),
    ...between(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...mark(' ', before.slice(before.length - end)),
  ];
}

function between(before: readonly string[], after: readonly string[]): MarkedLine[] {
  const lengths = commonLengths(before, after);
  const lines: MarkedLine[] = [];
  let [old, next] = [0, 0];
  while (old < before.length || next < after.length) {
    if (old < before.length && next < after.length && before[old] === after[next]) {
      lines.push({ mark: ' ', line: before[old]! });
      [old, next] = [old + 1, next + 1];
    } else if (next >= after.length || (old < before.length && lengths[old + 1]![next]! >= lengths[old]![next + 1]!)) {
      lines.push({ mark: '-', line: before[old++]! });
    } else {
      lines.push({ mark: '+', line: after[next++]! });
    }
  }
  return lines;
}

/** At [i][j] the length of a longest common subsequence of `before` from i and `after` from j. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i]![j] =
        before[i] === after[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  return lengths;
}
