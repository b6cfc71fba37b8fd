import { Cleanup } from '../support/cleanup.js';
import { argumentsOrExit } from '../support/options.js';
import { readArguments, USAGE } from './arguments.js';
import { runChaos } from './chaos.js';

/**
 * Time limit of a backend in addition to its faults: start, last stories, drain, verdict. A run that takes longer is
 * ended.
 */
const BEYOND_FAULTS_MS = 6 * 60_000;

async function main(): Promise<void> {
  const args = argumentsOrExit(readArguments, USAGE);
  const repeat = process.argv.slice(2).filter((argument) => !argument.startsWith('--seed'));
  console.log(`seed ${args.seed}; to repeat: npm run chaos -- ${[...repeat, `--seed=${args.seed}`].join(' ')}`);
  const summaries: Record<string, unknown> = {};
  let isFine = true;
  for (const backend of args.backends) {
    const cleanup = new Cleanup();
    const end = (): void => void cleanup.run().finally(() => process.exit(1));
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
    const bound = setTimeout(() => {
      console.error(`✗ ${backend}: time limit exceeded; seed ${args.seed}`);
      end();
    }, args.durationMs + BEYOND_FAULTS_MS);
    console.log(`\n${backend}: ${(args.durationMs / 60_000).toFixed(1)} minutes of faults, ${args.rate} payments/s`);
    try {
      const summary = await runChaos(args, backend, cleanup);
      summaries[backend] = summary;
      const fine = Object.keys(summary['violations'] as object).length === 0;
      console.log(fine ? `\n✓ ${backend}: no violation` : `\n✗ ${backend}: see above; seed ${args.seed}`);
      isFine &&= fine;
    } catch (error) {
      console.error(error);
      summaries[backend] = { error: String(error) };
      isFine = false;
    }
    await cleanup.run();
    clearTimeout(bound);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeListener(signal, end);
  }
  if (args.json) console.log(JSON.stringify({ seed: args.seed, ok: isFine, ...summaries }));
  process.exit(isFine ? 0 : 1);
}

await main();
