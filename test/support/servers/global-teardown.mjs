import { once } from 'node:events';

const keeper = Symbol.for('payment-orchestrator.test-servers');

/** Ends the keeper, which stops the servers and removes their folders, and waits for it. */
export default async function globalTeardown() {
  const child = globalThis[keeper];
  if (!child) return;
  globalThis[keeper] = undefined;
  if (child.exitCode !== null) return;
  child.ref();
  const exited = once(child, 'exit');
  child.stdin.end();
  await exited;
}
