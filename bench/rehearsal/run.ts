import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { Cleanup } from '../support/cleanup.js';
import { argumentsOrExit } from '../support/options.js';
import { readArguments, type RehearsalArguments, USAGE } from './arguments.js';
import { rehearse } from './rehearsal.js';
import { markdown, printReport, summary, verdictOf } from './report.js';

/** Time limit of a run. */
const MOST_MS = 20 * 60_000;

async function main(): Promise<void> {
  const args = argumentsOrExit(readArguments, USAGE);
  const repeat = process.argv.slice(2).filter((argument) => !argument.startsWith('--seed'));
  console.log(`seed ${args.seed}; to repeat: npm run rehearse -- ${[...repeat, `--seed=${args.seed}`].join(' ')}`);
  const cleanup = new Cleanup();
  const end = (): void => void cleanup.run().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  const bound = setTimeout(() => {
    console.error(`✗ did not end within ${MOST_MS} ms; seed ${args.seed}`);
    end();
  }, MOST_MS);
  const isFine = await report(args, cleanup).catch((error: unknown) => {
    console.error(error);
    return false;
  });
  await cleanup.run();
  clearTimeout(bound);
  process.exit(isFine ? 0 : 1);
}

async function report(args: RehearsalArguments, cleanup: Cleanup): Promise<boolean> {
  const result = await rehearse(args, cleanup);
  printReport(result);
  const isFine = result.violations.count === 0;
  console.log(isFine ? `\n✓ ${verdictOf(result)}` : `\n✗ see above; seed ${args.seed}`);
  if (args.report !== undefined) await writeReport(args.report, markdown(result, machine()));
  if (args.json) console.log(JSON.stringify(summary(result)));
  return isFine;
}

/** Formats the report as `npm run check` expects it. */
async function writeReport(file: string, text: string): Promise<void> {
  const { format, resolveConfig } = await import('prettier');
  await writeFile(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
}

function machine(): string {
  const cores = cpus();
  return `${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB`;
}

await main();
