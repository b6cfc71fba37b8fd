import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ClockWatch } from '../chaos/clock-watch.js';
import { Load } from '../chaos/load.js';
import { collect, type Evidence, type FaultRecord } from '../chaos/oracle/evidence.js';
import { Findings } from '../../test/support/ledger/findings.js';
import { judge, type Judgement } from '../chaos/oracle/verdict.js';
import { ProviderDesk } from '../chaos/provider-desk.js';
import { comeToRest, stopProduct } from '../chaos/rest.js';
import type { Cleanup } from '../support/cleanup.js';
import { PROJECT } from '../support/programs.js';
import type { RehearsalArguments } from './arguments.js';
import { waitUntilHealthy } from './health.js';
import { type Loss, withoutLoss } from './loss.js';
import { STEPS } from './steps/steps.js';
import type { Step } from './steps/step.js';
import { type StepRecord, type StepTimings, timingsOf } from './timings.js';
import { RehearsalHarness, RETRY_DELAYS_MS } from './harness.js';

/** A rehearsal that has come to its end. */
export interface RehearsalResult {
  args: RehearsalArguments;
  /** Ms since 1970. */
  startedAt: number;
  tookMs: number;
  /** From the end of the stories until everything was at rest. */
  drainMs: number;
  steps: (StepRecord & { timings: StepTimings })[];
  evidence: Evidence;
  judgement: Judgement;
  /** What the old backups lacked that were restored without their log. */
  losses: readonly Loss[];
  /** Empty: nothing was lost but `losses`. */
  findings: Findings;
}

/** Goes through the steps under load and judges what is left. */
export async function rehearse(args: RehearsalArguments, cleanup: Cleanup): Promise<RehearsalResult> {
  const startedAt = Date.now();
  const findings = new Findings();
  const harness = await RehearsalHarness.start(args, cleanup, findings);
  const desk = new ProviderDesk(harness.databases, harness.client);
  const load = new Load(harness, harness.client, desk, args.seed, args.rate);
  await load.prepare();
  const clock = new ClockWatch();
  cleanup.add(() => Promise.resolve(clock.stop()));
  console.log(`${harness.fleet.all.length} processes are ready after ${seconds(Date.now() - startedAt)}`);
  load.start();
  const records = await goThrough(harness);
  const drainMs = await comeToRest(harness, load, desk, findings);
  await stopProduct(harness.fleet.all, findings);
  clock.stop();
  const observed = { promised: load.promised, samples: [], faults: faultsOf(records), clockSteps: clock.steps };
  const everything = await collect(harness, { ...observed, retryDelaysMs: RETRY_DELAYS_MS });
  const evidence = harness.losses.reduce(withoutLoss, everything);
  const judgement = judge(evidence, harness.client, findings);
  if (findings.count > 0) await keepLogs(harness);
  return {
    args,
    startedAt,
    tookMs: Date.now() - startedAt,
    drainMs,
    steps: records.map((record) => ({ ...record, timings: timingsOf(record, harness.journal, evidence) })),
    evidence,
    judgement,
    losses: harness.losses,
    findings,
  };
}

async function goThrough(harness: RehearsalHarness): Promise<StepRecord[]> {
  const records: StepRecord[] = [];
  await delay(harness.args.restMs);
  const chosen = STEPS.filter(({ key }) => harness.args.steps.includes(key));
  for (const step of chosen.filter((one) => one.isThere?.(harness) ?? true)) {
    const record = await take(step, harness);
    records.push(record);
    await delay(harness.args.restMs);
    record.until = Date.now();
  }
  return records;
}

async function take(step: Step, harness: RehearsalHarness): Promise<StepRecord> {
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
    harness.findings.add('step cannot be done', `${step.key}: ${(error as Error).stack ?? String(error)}`);
  }
  record.doneAt = Date.now();
  const amiss = await waitUntilHealthy(harness);
  record.healthyAt = Date.now();
  if (amiss === undefined) return (say('all is well'), record);
  say(`not well: ${amiss}`);
  record.failure ??= amiss;
  harness.findings.add('does not come round', `${step.key}: ${amiss}`);
  return record;
}

/** What the steps did, in the words of the oracle. */
function faultsOf(records: readonly StepRecord[]): FaultRecord[] {
  return records.flatMap(({ step, from, healthyAt }, index) => {
    if (step.fault === undefined) return [];
    const fault = { number: index + 1, kind: step.fault, atMs: 0, durationMs: healthyAt - from, slots: [] };
    return [{ fault, from, to: healthyAt, withoutDependency: [] }];
  });
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** What the processes said, for whoever has to find out why. */
async function keepLogs({ folder, args }: RehearsalHarness): Promise<void> {
  const kept = join('bench', 'results', `rehearsal-${args.seed}`);
  await mkdir(join(PROJECT, kept), { recursive: true });
  for (const name of (await readdir(folder)).filter((entry) => entry.endsWith('.log'))) {
    await cp(join(folder, name), join(PROJECT, kept, name));
  }
  console.log(`\n  logs: ${kept}`);
}
