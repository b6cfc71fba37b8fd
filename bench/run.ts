import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readArguments, USAGE, type Arguments } from './support/arguments.js';
import { Cleanup } from './support/cleanup.js';
import { Context, type Scenario } from './harness/context.js';
import { argumentsOrExit } from './support/options.js';
import { writePlots } from './support/plots.js';
import { PROJECT } from './support/programs.js';
import { Report } from './support/report.js';
import { describeMachine, startServers } from './support/servers.js';
import { Supervisor } from './support/supervisor.js';
import { api } from './scenarios/api.js';
import { backlog } from './scenarios/backlog.js';
import { both } from './scenarios/both.js';
import { cold } from './scenarios/cold.js';
import { drain } from './scenarios/drain.js';
import { fairness } from './scenarios/fairness.js';
import { flow } from './scenarios/flow.js';
import { idle } from './scenarios/idle.js';
import { insight } from './scenarios/insight.js';
import { isolation } from './scenarios/isolation.js';
import { rolling } from './scenarios/rolling.js';
import { rollouts } from './scenarios/rollouts.js';
import { routing } from './scenarios/routing.js';
import { search } from './scenarios/search.js';
import { workers } from './scenarios/workers.js';
import { writes } from './scenarios/writes.js';

const SCENARIOS: Record<string, Scenario> = {
  drain,
  cold,
  flow,
  both,
  api,
  backlog,
  isolation,
  fairness,
  rolling,
  insight,
  rollouts,
  routing,
  search,
  workers,
  idle,
  writes,
};

async function main(): Promise<void> {
  const args = argumentsOrExit((argv) => readArguments(argv, Object.keys(SCENARIOS)), usage());
  if (args.plot && args.scenarios.length === 0) return draw();
  const cleanup = new Cleanup();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void cleanup.run().finally(() => process.exit(1)));
  }
  const report = new Report();
  let failure: unknown;
  try {
    await runScenarios(args, cleanup, report);
  } catch (error) {
    failure = error;
  }
  await cleanup.run();
  if (failure !== undefined) {
    console.error(failure);
    process.exit(1);
  }
  await keep(args, report);
  if (args.plot) await draw();
  if (args.json) console.log(JSON.stringify(report.ratios()));
  process.exit(0);
}

async function draw(): Promise<void> {
  console.log(`drawn: ${(await writePlots()).join(' ')}`);
}

function usage(): string {
  const list = Object.entries(SCENARIOS).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`);
  return [USAGE, ...list].join('\n');
}

async function runScenarios(args: Arguments, cleanup: Cleanup, report: Report): Promise<void> {
  const supervisor = new Supervisor(cleanup);
  const names = args.scenarios.length > 0 ? args.scenarios : Object.keys(SCENARIOS);
  for (const name of names) {
    // new servers for each scenario, so that the data of one does not slow down the next
    const mark = cleanup.mark();
    const servers = await startServers(supervisor, cleanup, SCENARIOS[name]!.postgres);
    if (name === names[0]) console.log(await describeMachine(servers));
    const started = performance.now();
    await SCENARIOS[name]!.run(new Context(args, servers, supervisor, cleanup, report));
    console.log(`· ${name} took ${Math.round((performance.now() - started) / 1_000)} s`);
    await cleanup.runTo(mark);
  }
}

/** bench/results/<time>.json: all figures of every round. */
async function keep(args: Arguments, report: Report): Promise<void> {
  const folder = join(PROJECT, 'bench', 'results');
  await mkdir(folder, { recursive: true });
  const name = `${new Date().toISOString().replaceAll(':', '-')}.json`;
  const { scenarios, quick, rounds } = args;
  await writeFile(join(folder, name), JSON.stringify({ scenarios, quick, rounds, ...(report.everything() as object) }));
  console.log(`\nall figures: bench/results/${name}`);
}

await main();
