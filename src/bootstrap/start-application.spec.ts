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
  it.each(['api', 'worker'] as const)(
    'reports at once that the %s is not ready, before it closes anything',
    async (role) => {
      const { steps, app } = idleApplication();
      await stopApplication({ role, app, address: '' });
      expect(steps.map(({ name }) => name)).toEqual(['not ready', 'no new connections', 'closed']);
    },
  );

  it('keeps a worker running longer than an API accepts requests', async () => {
    const { steps, app } = idleApplication();
    await stopApplication({ role: 'worker', app, address: '' });
    const [notReady, ...later] = steps.map(({ ms }) => ms);
    for (const ms of later) expect(ms - notReady!).toBeGreaterThan(1_000); // Drain.linger takes 500 ms
  });
});
