import { describe, expect, it } from '@jest/globals';
import { Drain } from '../platform/http/drain.js';
import { type RunningApplication, stopApplication } from './start-application.js';

/** An application without connections; tells how long after the stop began it was no longer ready, and closed. */
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
    'tells at once that an %s is on its way out, before it closes anything',
    async (role) => {
      const { steps, app } = idleApplication();
      await stopApplication({ role, app, address: '' });
      expect(steps.map(({ name }) => name)).toEqual(['not ready', 'no new connections', 'closed']);
    },
  );

  it('keeps a worker at work for longer than an API takes requests', async () => {
    const { steps, app } = idleApplication();
    await stopApplication({ role: 'worker', app, address: '' });
    const [notReady, ...later] = steps.map(({ ms }) => ms);
    for (const ms of later) expect(ms - notReady!).toBeGreaterThan(1_000); // Drain.linger takes 500 ms
  });
});
