import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ClockWatch } from '../chaos/clock-watch.js';
import { Load } from '../chaos/load.js';
import { collect, type Evidence, type FaultRecord } from '../chaos/oracle/evidence.js';
import { Violations } from '../../test/support/ledger/violations.js';
import { judge, type Judgement } from '../chaos/oracle/verdict.js';
import { ProviderSimulator } from '../chaos/provider-simulator.js';
import { drain, stopProduct } from '../chaos/drain.js';
import type { Cleanup } from '../support/cleanup.js';
import { PROJECT } from '../support/programs.js';
import type { RehearsalArguments } from './arguments.js';
import { waitUntilHealthy } from './health.js';
import { type Loss, withoutLoss } from './loss.js';
import { STEPS } from './steps/steps.js';
import type { Step } from './steps/step.js';
import { type StepRecord, type StepTimings, timingsOf } from './timings.js';
import { RehearsalHarness, RETRY_DELAYS_MS } from './harness.js';

/** The result of a rehearsal. */
export interface RehearsalResult {
  args: RehearsalArguments;
  /** Ms since 1970. */
  startedAt: number;
  tookMs: number;
  /** From the end of the stories until everything had drained. */
  drainMs: number;
  steps: (StepRecord & { timings: StepTimings })[];
  evidence: Evidence;
  judgement: Judgement;
  /** Data that is missing in old backups, which were restored without their log. */
  losses: readonly Loss[];
  /** Empty: nothing was lost except `losses`. */
  violations: Violations;
}

/** Runs the steps under load and checks the results. */
export async function rehearse(args: RehearsalArguments, cleanup: Cleanup): Promise<RehearsalResult> {
  const startedAt = Date.now();
  const violations = new Violations();
  const harness = await RehearsalHarness.start(args, cleanup, violations);
  const simulator = new ProviderSimulator(harness.databases, harness.client);
  const load = new Load(harness, harness.client, simulator, args.seed, args.rate, 'basic');
  await load.prepare();
  const clock = new ClockWatch();
  cleanup.add(() => Promise.resolve(clock.stop()));
  console.log(`${harness.fleet.all.length} processes are ready after ${seconds(Date.now() - startedAt)}`);
  load.start();
  const records = await runSteps(harness);
  const drainMs = await drain(harness, load, simulator, violations);
  await stopProduct(harness.fleet.all, violations);
  clock.stop();
  const observed = { promised: load.promised, samples: [], faults: faultsOf(records), clockSteps: clock.steps };
  const everything = await collect(harness, { ...observed, retryDelaysMs: RETRY_DELAYS_MS });
  const evidence = harness.losses.reduce(withoutLoss, everything);
  const judgement = judge(evidence, harness.client, violations);
  if (violations.count > 0) await keepLogs(harness);
  return {
    args,
    startedAt,
    tookMs: Date.now() - startedAt,
    drainMs,
    steps: records.map((record) => ({ ...record, timings: timingsOf(record, harness.journal, evidence) })),
    evidence,
    judgement,
    losses: harness.losses,
    violations,
  };
}

async function runSteps(harness: RehearsalHarness): Promise<StepRecord[]> {
  const records: StepRecord[] = [];
  await delay(harness.args.pauseMs);
  const chosen = STEPS.filter(({ key }) => harness.args.steps.includes(key));
  for (const step of chosen.filter((one) => one.isPossible?.(harness) ?? true)) {
    const record = await runStep(step, harness);
    records.push(record);
    await delay(harness.args.pauseMs);
    record.until = Date.now();
  }
  return records;
}

async function runStep(step: Step, harness: RehearsalHarness): Promise<StepRecord> {
  const from = Date.now();
  const record: StepRecord = { step, from, doneAt: from, healthyAt: from, until: Infinity, lines: [] };
  console.log(`\n${step.title}`);
  const say = (text: string): void => {
    record.lines.push({ atMs: Date.now() - from, text });
    console.log(`  ${seconds(Date.now() - from).padStart(7)}  ${text}`);
  };
  try {
    await step.run(harness, say);
  } catch (error) {
    record.failure = String(error);
    harness.violations.add('step failed', `${step.key}: ${(error as Error).stack ?? String(error)}`);
  }
  record.doneAt = Date.now();
  const problem = await waitUntilHealthy(harness);
  record.healthyAt = Date.now();
  if (problem === undefined) return (say('everything is healthy'), record);
  say(`not healthy: ${problem}`);
  record.failure ??= problem;
  harness.violations.add('does not recover', `${step.key}: ${problem}`);
  return record;
}

/** The steps as faults, for the oracle. */
function faultsOf(records: readonly StepRecord[]): FaultRecord[] {
  return records.flatMap(({ step, from, healthyAt }, index) => {
    if (step.fault === undefined) return [];
    const fault = { number: index + 1, kind: step.fault, atMs: 0, durationMs: healthyAt - from, slots: [] };
    return [{ fault, from, to: healthyAt, withoutDependency: [] }];
  });
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Keeps the logs of all processes, to investigate the violations. */
async function keepLogs({ folder, args }: RehearsalHarness): Promise<void> {
  const kept = join('bench', 'results', `rehearsal-${args.seed}`);
  await mkdir(join(PROJECT, kept), { recursive: true });
  for (const name of (await readdir(folder)).filter((entry) => entry.endsWith('.log'))) {
    await cp(join(folder, name), join(PROJECT, kept, name));
  }
  console.log(`\n  logs: ${kept}`);
}
