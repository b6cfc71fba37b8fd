import assert from 'node:assert/strict';
import { PORT_VERSION } from '../payment-provider.js';
import { ACTION_CHECKS } from './action-checks.js';
import { CHARGE_CHECKS } from './charge-checks.js';
import { checkedProvider } from '../schemas/checked.js';
import type { Checks, ProviderFixture } from './fixture.js';
import { NOTIFICATION_CHECKS } from './notification-checks.js';
import { OPERATION_CHECKS } from './operation-checks.js';

/**
 * The functions of a test runner: Jest's and Vitest's fit; `node:test` and Mocha call the last two `before` and `after`.
 */
export interface TestRunner {
  describe: (name: string, body: () => void) => unknown;
  it: (name: string, body: () => Promise<void>) => unknown;
  beforeAll: (body: () => Promise<void>) => unknown;
  afterAll: (body: () => Promise<void>) => unknown;
}

/**
 * Declares the tests that every connector passes, also ours. What the connector's capabilities do not promise is not
 * demanded. `setup` runs once.
 */
export function conformance(
  { describe, it, beforeAll, afterAll }: TestRunner,
  name: string,
  setup: () => Promise<ProviderFixture>,
): void {
  describe(`the connector of ${name}`, () => {
    let fixture: ProviderFixture | undefined;
    beforeAll(async () => {
      fixture = checkedFixture(await setup());
    });
    afterAll(async () => fixture?.stop());
    const checks = {
      ...VERSION_CHECKS,
      ...CHARGE_CHECKS,
      ...ACTION_CHECKS,
      ...OPERATION_CHECKS,
      ...NOTIFICATION_CHECKS,
    };
    for (const [title, check] of Object.entries(checks)) it(title, async () => check(fixture!));
  });
}

/** The fixture with the provider as the service uses it: a malformed answer rejects. */
function checkedFixture(fixture: ProviderFixture): ProviderFixture {
  const provider = checkedProvider(fixture.provider);
  return new Proxy(fixture, {
    get(target, name) {
      if (name === 'provider') return provider;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

const VERSION_CHECKS: Checks = {
  'was made for this version of the port': ({ provider }) => {
    assert.equal(provider.portVersion, PORT_VERSION);
  },
};
