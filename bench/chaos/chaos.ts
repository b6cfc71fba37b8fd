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
import { Findings } from '../../test/support/ledger/findings.js';
import { checkHealth, slowestReadiness } from './oracle/health.js';
import { judge } from './oracle/verdict.js';
import { measureRecoveries } from './oracle/recovery.js';
import { ProviderDesk } from './provider-desk.js';
import { comeToRest, stopProduct } from './rest.js';
import { SeededRandom } from '../../test/support/seeded-random.js';
import { printReport, summary, type Verdict } from './report.js';
import { describeFault, type Fault, planFaults, SLOTS } from './schedule.js';
import { ClockWatch } from './clock-watch.js';
import { HealthWatch } from './watch.js';
import { FAULTY } from './receivers.js';
import { ChaosHarness } from './harness.js';

/** While a storm turns webhooks away: what comes back at one moment is to be counted by the thousand. */
const STORM_SURGE = 3;

/** One run on one backend. Resolves to its summary; `violations` in it is empty when the oracle is content. */
export async function runChaos(
  args: ChaosArguments,
  backend: Backend,
  cleanup: Cleanup,
): Promise<Record<string, unknown>> {
  const harness = await ChaosHarness.start(args, backend, cleanup);
  const client = new ApiClient(harness.api.url);
  cleanup.add(() => client.close());
  await client.login();
  const desk = new ProviderDesk(harness.postgres, client);
  const load = new Load(harness, client, desk, args.seed, args.rate);
  await load.prepare();
  const watch = new HealthWatch(harness);
  const clock = new ClockWatch();
  cleanup.add(() => Promise.resolve(clock.stop()));
  const findings = new Findings();
  load.start();
  const faults = await new Course(harness, args, backend, client, load).run();
  const drainMs = await comeToRest(harness, load, desk, findings);
  await watch.stop();
  await stopProduct(
    SLOTS.map((slot) => harness.processes[slot]),
    findings,
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
  checkHealth(evidence, findings);
  const verdict: Verdict = {
    evidence,
    findings,
    ...judge(evidence, client, findings),
    recoveries: measureRecoveries(evidence, findings),
    readinessMs: slowestReadiness(evidence),
    drainMs,
  };
  printReport(verdict, client, load);
  if (findings.count > 0) await keepLogs(harness, args.seed, backend);
  return summary(verdict);
}

/** Goes through the plan; faults may overlap. */
class Course {
  private readonly records: FaultRecord[] = [];
  private readonly startedAt = Date.now();
  private told: ReadonlyMap<string, number> = new Map();

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
    const underWay: Promise<void>[] = [];
    for (const fault of this.plan) {
      await delay(Math.max(0, this.startedAt + fault.atMs - Date.now()));
      underWay.push(this.suffer(fault));
    }
    await Promise.all(underWay);
    await delay(Math.max(0, this.startedAt + this.args.durationMs - Date.now()));
    return this.records;
  }

  private async suffer(fault: Fault): Promise<void> {
    const from = Date.now();
    const record: FaultRecord = { fault, from, to: NaN, withoutDependency: slotsWithout(fault, SLOTS) };
    this.records.push(record);
    if (fault.kind === 'storm') this.load.surge(STORM_SURGE);
    const undo = await begin(this.harness, fault);
    await delay(fault.durationMs);
    await undo();
    if (fault.kind === 'storm') this.load.surge(1);
    record.to = Date.now();
    this.say(fault);
  }

  /** One line: the fault, and what the API answered besides successes since the line before. */
  private say(fault: Fault): void {
    const at = ((Date.now() - this.startedAt) / 1_000).toFixed(0).padStart(5);
    const what = `#${fault.number}/${this.plan.length} ${describeFault(fault)}`.padEnd(52);
    const answers = [...this.client.tally]
      .map(([answer, count]) => ({ answer, count: count - (this.told.get(answer) ?? 0) }))
      .filter(({ answer, count }) => count > 0 && !/ 20[01]$/.test(answer))
      .map(({ answer, count }) => `${answer} ×${count}`);
    this.told = new Map(this.client.tally);
    const { length: kept } = this.load.promised;
    console.log(`${at} s  ${what} · ${kept} promises, ${this.load.underWay} under way; ${answers.join(', ')}`);
  }
}

/** What the processes said, for whoever has to find out why. */
async function keepLogs({ folder }: ChaosHarness, seed: number, backend: Backend): Promise<void> {
  const kept = join('bench', 'results', `chaos-${seed}-${backend}`);
  await mkdir(join(PROJECT, kept), { recursive: true });
  for (const name of (await readdir(folder)).filter((entry) => entry.endsWith('.log'))) {
    await cp(join(folder, name), join(PROJECT, kept, name));
  }
  await cp(join(folder, 'postgres', 'server.log'), join(PROJECT, kept, 'postgres.log'));
  console.log(`\n  logs: ${kept}`);
}
