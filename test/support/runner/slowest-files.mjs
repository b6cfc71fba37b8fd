import { relative } from 'node:path';

const SHOWN = 10;

/** Prints the files of a run that took longest, with the mean of their tests. */
export default class SlowestFilesReporter {
  onRunComplete(_contexts, { testResults }) {
    if (testResults.length < SHOWN) return;
    const files = testResults.map(({ testFilePath, perfStats, numPassingTests, numFailingTests }) => ({
      file: relative(process.cwd(), testFilePath),
      seconds: (perfStats.end - perfStats.start) / 1_000,
      tests: numPassingTests + numFailingTests,
    }));
    const slowest = files.sort((one, other) => other.seconds - one.seconds).slice(0, SHOWN);
    const lines = slowest.map(
      ({ file, seconds, tests }) => `${seconds.toFixed(1).padStart(7)} s  ${file} (${tests} tests)`,
    );
    process.stderr.write(`\nSlowest files:\n${lines.join('\n')}\n`);
  }
}
