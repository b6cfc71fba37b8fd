import { describe, expect, it } from '@jest/globals';
import { Drain } from '../platform/http/drain.js';
import { type RunningApplication, stopApplication } from './start-application.js';

/** An application without connections, which records the steps of its stop and their times. */
function idleApplication() {
  const startedMs = performance.now();
  const since = () => performance.now() - startedMs;
  const steps: { name: string; ms: number }[] = [];
  const step = (name: string) => () => (steps.push({ name, ms: since() }), Promise.resolve());
  const drain = { linger: step('not ready'), start: step('no new connections') };
  const app = { get: (token: unknown) => (token === Drain ? drain : undefined), close: step('closed') };
  return { steps, app: app as unknown as RunningApplication['app'] };
}

describe('stopApplication', () => {
  it('reports at once that the process is not ready, and keeps a worker running longer than an API accepts requests', async () => {
    const [api, worker] = [idleApplication(), idleApplication()];
    await Promise.all([
      stopApplication({ role: 'api', app: api.app, address: '' }),
      stopApplication({ role: 'worker', app: worker.app, address: '' }),
    ]);
    for (const { steps } of [api, worker])
      expect(steps.map(({ name }) => name)).toEqual(['not ready', 'no new connections', 'closed']);
    const [notReady, ...later] = worker.steps.map(({ ms }) => ms);
    for (const ms of later) expect(ms - notReady!).toBeGreaterThan(1_000); // Drain.linger takes 500 ms
  });
});
