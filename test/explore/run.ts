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

const startedMs = performance.now();
const threads = Math.min(2, availableParallelism(), worlds);
const findings: Finding[] = [];
await Promise.all(Array.from({ length: threads }, (_, index) => runThread(index)));
process.exit(report(findings, { isOld, tookMs: performance.now() - startedMs }) ? 0 : 1);

function runThread(index: number): Promise<void> {
  const count = Math.ceil((worlds - index) / threads);
  const workerData: Share = { firstSeed: seed + index, step: threads, count, engine: isOld ? 'old' : 'present' };
  const thread = new Worker(new URL('explore-thread.js', import.meta.url), { workerData });
  thread.on('message', (finding: Finding) => findings.push(finding));
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => resolve());
  });
}
