import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cleanup } from '../support/cleanup.js';
import { PROJECT } from '../support/programs.js';
import type { Backend, ChaosArguments } from './arguments.js';
import { ApiClient } from './client.js';
import { begin, slotsWithout } from './faults.js';
import { Load } from './load.js';
import { collect, type FaultRecord } from './oracle/evidence.js';
import { Violations } from '../../test/support/ledger/violations.js';
import { checkHealth, slowestReadiness } from './oracle/health.js';
import { judge } from './oracle/verdict.js';
import { measureRecoveries } from './oracle/recovery.js';
import { ProviderSimulator } from './provider-simulator.js';
import { checkCells, drain, stopProduct } from './drain.js';
import { SeededRandom } from '../../src/shared/seeded-random.js';
import { printReport, summary, type Verdict } from './report.js';
import { describeFault, type Fault, planFaults, SLOTS } from './schedule.js';
import { ClockWatch } from './clock-watch.js';
import { HealthWatch } from './watch.js';
import { FAULTY } from './receivers.js';
import { ChaosHarness } from './harness.js';

/** The load factor during a storm, so that thousands of refused webhooks fall due at the same time. */
const STORM_SURGE = 3;

/** Runs on one backend. Resolves to its summary, whose `violations` are empty if every check has passed. */
export async function runChaos(
  args: ChaosArguments,
  backend: Backend,
  cleanup: Cleanup,
): Promise<Record<string, unknown>> {
  const harness = await ChaosHarness.start(args, backend, cleanup);
  const client = new ApiClient(harness.api.url);
  cleanup.add(() => client.close());
  await client.login();
  const simulator = new ProviderSimulator(harness.postgres, client);
  const load = new Load(harness, client, simulator, args.seed, args.rate);
  await load.prepare();
  const watch = new HealthWatch(harness);
  const clock = new ClockWatch();
  cleanup.add(() => Promise.resolve(clock.stop()));
  const violations = new Violations();
  load.start();
  const faults = await new FaultRunner(harness, args, backend, client, load).run();
  const drainMs = await drain(harness, load, simulator, violations);
  await checkCells(harness.postgres, violations);
  await watch.stop();
  await stopProduct(
    SLOTS.map((slot) => harness.processes[slot]),
    violations,
  );
  clock.stop();
  const observed = {
    retryDelaysMs: args.retryDelaysMs,
    promised: load.promised,
    samples: watch.samples,
    faults,
    clockSteps: clock.steps,
  };
  const evidence = await collect(harness, observed);
  checkHealth(evidence, violations);
  const verdict: Verdict = {
    evidence,
    violations,
    ...judge(evidence, client, violations),
    recoveries: measureRecoveries(evidence, violations),
    readinessMs: slowestReadiness(evidence),
    drainMs,
  };
  printReport(verdict, client, load);
  if (violations.count > 0) await keepLogs(harness, args.seed, backend);
  return summary(verdict);
}

/** Injects the planned faults, which may overlap. */
class FaultRunner {
  private readonly records: FaultRecord[] = [];
  private readonly startedAt = Date.now();
  private reportedTally: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly harness: ChaosHarness,
    private readonly args: ChaosArguments,
    backend: Backend,
    private readonly client: ApiClient,
    private readonly load: Load,
  ) {
    this.plan = planFaults(new SeededRandom(args.seed), {
      ...args,
      hasRedis: backend === 'redis',
      receivers: FAULTY.length,
    });
  }

  private readonly plan: Fault[];

  async run(): Promise<FaultRecord[]> {
    const running: Promise<void>[] = [];
    for (const fault of this.plan) {
      await delay(Math.max(0, this.startedAt + fault.atMs - Date.now()));
      running.push(this.inject(fault));
    }
    await Promise.all(running);
    await delay(Math.max(0, this.startedAt + this.args.durationMs - Date.now()));
    return this.records;
  }

  private async inject(fault: Fault): Promise<void> {
    const from = Date.now();
    const record: FaultRecord = { fault, from, to: NaN, withoutDependency: slotsWithout(fault, SLOTS) };
    this.records.push(record);
    if (fault.kind === 'storm') this.load.setRateFactor(STORM_SURGE);
    const undo = await begin(this.harness, fault);
    await delay(fault.durationMs);
    await undo();
    if (fault.kind === 'storm') this.load.setRateFactor(1);
    record.to = Date.now();
    this.log(fault);
  }

  /** Prints one line: the fault, and the API's answers other than success since the line before. */
  private log(fault: Fault): void {
    const at = ((Date.now() - this.startedAt) / 1_000).toFixed(0).padStart(5);
    const what = `#${fault.number}/${this.plan.length} ${describeFault(fault)}`.padEnd(52);
    const answers = [...this.client.tally]
      .map(([answer, count]) => ({ answer, count: count - (this.reportedTally.get(answer) ?? 0) }))
      .filter(({ answer, count }) => count > 0 && !/ 20[01]$/.test(answer))
      .map(({ answer, count }) => `${answer} ×${count}`);
    this.reportedTally = new Map(this.client.tally);
    const { length: kept } = this.load.promised;
    console.log(`${at} s  ${what} · ${kept} promises, ${this.load.underWay} stories running; ${answers.join(', ')}`);
  }
}

/** Keeps the logs of all processes, to investigate the violations. */
async function keepLogs({ folder }: ChaosHarness, seed: number, backend: Backend): Promise<void> {
  const kept = join('bench', 'results', `chaos-${seed}-${backend}`);
  await mkdir(join(PROJECT, kept), { recursive: true });
  for (const name of (await readdir(folder)).filter((entry) => entry.endsWith('.log'))) {
    await cp(join(folder, name), join(PROJECT, kept, name));
  }
  await cp(join(folder, 'postgres', 'server.log'), join(PROJECT, kept, 'postgres.log'));
  console.log(`\n  logs: ${kept}`);
}
