import { once } from 'node:events';

const apis = Symbol.for('payment-orchestrator.shared-apis');
const keeper = Symbol.for('payment-orchestrator.test-servers');

/** Stops the applications that test files share. Then ends the keeper, which stops the servers and removes their folders, and waits for it. */
export default async function globalTeardown() {
  // the process that ran the files itself, without workers
  for (const { stop } of await Promise.all(globalThis[apis]?.values() ?? [])) await stop();
  globalThis[apis]?.clear();
  const child = globalThis[keeper];
  if (!child) return;
  globalThis[keeper] = undefined;
  if (child.exitCode !== null) return;
  child.ref();
  const exited = once(child, 'exit');
  child.stdin.end();
  await exited;
}
