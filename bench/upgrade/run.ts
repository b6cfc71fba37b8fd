// npm run upgrade: see docs/operate/upgrading.md
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Cleanup } from '../support/cleanup.js';
import { argumentsOrExit, numberOf, oneOf, seedOf } from '../support/options.js';
import { PROJECT } from '../support/programs.js';
import { writeFixture } from './fixture.js';
import { upgrade, type UpgradeArguments } from './upgrade.js';

const USAGE = `npm run upgrade -- [--from=03ffeb28] [--old-dist=…] [--backend=redis|postgres] [--rate=30] [--stage=6] [--seed=…]
  [--write-fixture=…]
  from: a commit of this repository, which is built in a temporary folder; old-dist: an existing build of it
  write-fixture: only writes the database from which test/e2e/upgrade.spec.ts starts
  stage: seconds of traffic after each step`;

/** Time limit of the whole run, including the build. */
const BOUND_MS = 10 * 60_000;

function readArguments(argv: string[]): UpgradeArguments {
  const { values } = parseArgs({
    args: argv,
    options: {
      from: { type: 'string', default: '03ffeb28' },
      'old-dist': { type: 'string' },
      'write-fixture': { type: 'string' },
      backend: { type: 'string', default: 'redis' },
      rate: { type: 'string', default: '30' },
      stage: { type: 'string', default: '6' },
      seed: { type: 'string' },
    },
  });
  if (values['write-fixture'] !== undefined && values['old-dist'] === undefined)
    throw new Error('--write-fixture needs --old-dist');
  const [oldDist, fixture] = [values['old-dist'], values['write-fixture']].map((path) => path && resolve(path));
  return {
    from: values.from,
    oldDist,
    fixture,
    dist: resolve(PROJECT, 'dist'),
    backend: oneOf('backend', values.backend, ['redis', 'postgres']),
    rate: numberOf('rate', values.rate, 1, 1_000),
    stageMs: numberOf('stage', values.stage, 1, 600) * 1_000,
    seed: seedOf(values.seed),
  };
}

async function main(): Promise<number> {
  const args = argumentsOrExit(readArguments, USAGE);
  console.log(`from ${args.from}, ${args.backend} queue, seed ${args.seed}`);
  const cleanup = new Cleanup();
  const end = (): void => void cleanup.run().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  const bound = setTimeout(end, BOUND_MS);
  try {
    if (args.fixture !== undefined) return await write(args, args.fixture, cleanup);
    const violations = await upgrade(args, cleanup);
    console.log(violations.count === 0 ? '✓ no violation' : violations.lines().join('\n'));
    return violations.count === 0 ? 0 : 1;
  } finally {
    await cleanup.run();
    clearTimeout(bound);
  }
}

/** Needs a build of the old version. */
async function write({ from, oldDist }: UpgradeArguments, file: string, cleanup: Cleanup): Promise<number> {
  if (oldDist === undefined) throw new Error('--write-fixture needs --old-dist');
  await writeFixture({ from, oldDist, file }, cleanup);
  return 0;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error);
  return 1;
});
