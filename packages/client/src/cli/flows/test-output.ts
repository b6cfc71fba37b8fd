import type { TestResult, TestRun } from './test.js';

/** A run for a person: each flow with what was tested, and the sums at the end. */
export function testLines({ results, errors }: TestRun): string[] {
  if (errors.length > 0) return [...errors, `${errors.length} invalid, nothing was tested`];
  const flows = [...new Set(results.map(({ flow }) => flow))];
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  return [
    ...flows.flatMap((flow) => [`flow ${flow}`, ...results.filter((each) => each.flow === flow).flatMap(linesOf)]),
    ...(results.length === 0 ? ['the files have neither assertions nor examples'] : []),
    `${results.length - failed} hold, ${failed} ${failed === 1 ? 'fails' : 'fail'}`,
  ];
}

const linesOf = ({ subject, place, failure }: TestResult): string[] =>
  failure === undefined ? [`  ok    ${subject}`] : [`  FAIL  ${subject}  (${place})`, `        ${failure}`];
