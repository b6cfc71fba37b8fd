import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Finding, Share } from './explore-worlds.js';
import { report } from './report.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    worlds: { type: 'string', default: '10000' },
    old: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const worlds = Number(values.worlds);
const isOld = values.old;

/** A world takes a tenth of a second, and making one smaller some seconds: this long without a word, a thread hangs. */
const MAX_SILENCE_MS = 300_000;

const startedMs = performance.now();
const threads = Math.min(2, availableParallelism(), worlds);
const findings: Finding[] = [];
await Promise.all(Array.from({ length: threads }, (_, index) => runThread(index)));
finish();

function finish(hangsAfter?: number): never {
  if (hangsAfter !== undefined)
    console.error(`✗ hangs in the world of seed ${hangsAfter}: --seed=${hangsAfter} --worlds=1`);
  const isFine = report(findings, { isOld, tookMs: performance.now() - startedMs });
  process.exit(isFine && hangsAfter === undefined ? 0 : 1);
}

function runThread(index: number): Promise<void> {
  const count = Math.ceil((worlds - index) / threads);
  const workerData: Share = { firstSeed: seed + index, step: threads, count, engine: isOld ? 'old' : 'present' };
  const thread = new Worker(new URL('explore-thread.js', import.meta.url), { workerData });
  let current = seed + index;
  const hang = (): never => finish(current);
  let watchdog = setTimeout(hang, MAX_SILENCE_MS);
  thread.on('message', (finding: Finding) => {
    findings.push(finding);
    current = finding.seed + threads;
    clearTimeout(watchdog);
    watchdog = setTimeout(hang, MAX_SILENCE_MS);
  });
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => {
      clearTimeout(watchdog);
      resolve();
    });
  });
}
