import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { argumentsOrExit, wholeNumberOf } from '../../bench/support/options.js';
import type { Finding, Share } from './explore-scenarios.js';
import { report } from './report.js';

const USAGE = `npm run explore -- [--scenarios=10000] [--seed=…] [--old]
  old: the engine as of commit 12e2b7b, which must fail`;

const { seed, scenarios, isOld } = argumentsOrExit((args) => {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
      scenarios: { type: 'string', default: '10000' },
      old: { type: 'boolean', default: false },
    },
  });
  return {
    seed: wholeNumberOf('seed', values.seed, 0, 2 ** 31),
    scenarios: wholeNumberOf('scenarios', values.scenarios, 1, 1_000_000),
    isOld: values.old,
  };
}, USAGE);

/** A scenario takes 0.1 s and shrinking one some seconds: a thread that reports nothing for this long is stuck. */
const MAX_SCENARIO_MS = 300_000;

const startedMs = performance.now();
const threads = Math.min(2, availableParallelism(), scenarios);
const findings: Finding[] = [];
await Promise.all(Array.from({ length: threads }, (_, index) => runThread(index)));
finish();

function finish(hangsAfter?: number): never {
  if (hangsAfter !== undefined)
    console.error(`✗ a thread is stuck in the scenario of seed ${hangsAfter}: --seed=${hangsAfter} --scenarios=1`);
  const isFine = report(findings, { isOld, tookMs: performance.now() - startedMs });
  process.exit(isFine && hangsAfter === undefined ? 0 : 1);
}

function runThread(index: number): Promise<void> {
  const count = Math.ceil((scenarios - index) / threads);
  const workerData: Share = { firstSeed: seed + index, step: threads, count, engine: isOld ? 'old' : 'present' };
  const thread = new Worker(new URL('explore-thread.js', import.meta.url), { workerData });
  let current = seed + index;
  const hang = (): never => finish(current);
  let watchdog = setTimeout(hang, MAX_SCENARIO_MS);
  thread.on('message', (finding: Finding) => {
    findings.push(finding);
    current = finding.seed + threads;
    clearTimeout(watchdog);
    watchdog = setTimeout(hang, MAX_SCENARIO_MS);
  });
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => {
      clearTimeout(watchdog);
      resolve();
    });
  });
}
