import { patience } from './assertions.js';
import { PORT_VERSION } from '../payment-provider.js';
import { type Finding, findingOf, type Situation, under, Unexpected } from './finding.js';
import type { ProviderFixture } from './fixture.js';
import { tried } from './json-changes.js';
import { type Observed, observed } from './observed.js';
import { ACTION_CHECKS } from './situations/actions.js';
import { CHANGED_ANSWERS } from './situations/changed-answers.js';
import { CHARGE_CHECKS } from './situations/charges.js';
import { CREDENTIALS } from './situations/credentials.js';
import { EVENTS } from './situations/events.js';
import { LATER_EVENTS } from './situations/later-events.js';
import { MONEY } from './situations/money.js';
import { NOTIFICATION_CHECKS } from './situations/notifications.js';
import { OPERATION_CHECKS } from './situations/operations.js';
import { PLAYED_ANSWERS } from './situations/scripted-answers.js';
import { REPEATS } from './situations/repeats.js';
import { SAVED_METHODS } from './situations/saved-methods.js';
import { STATES_OF_CHARGES } from './situations/states.js';
import { UNSENT } from './situations/unsent.js';

/**
 * The functions of a test runner: Jest's and Vitest's fit; `node:test` and Mocha call the last two `before` and `after`.
 */
export interface TestRunner {
  describe: (name: string, body: () => void) => unknown;
  it: (name: string, body: () => Promise<void>) => unknown;
  beforeAll: (body: () => Promise<void>) => unknown;
  afterAll: (body: () => Promise<void>) => unknown;
}

const VERSION: Situation[] = under('the-module', {
  'was made for this version of the port': ({ provider }) => {
    if (provider.portVersion !== PORT_VERSION)
      throw new Unexpected(String(PORT_VERSION), provider.portVersion, 'portVersion');
  },
});

/** The table of the suite: everything that happens to a connector, and what is allowed then. */
export const SITUATIONS: readonly Situation[] = [
  ...VERSION,
  ...CHARGE_CHECKS,
  ...ACTION_CHECKS,
  ...OPERATION_CHECKS,
  ...STATES_OF_CHARGES,
  ...PLAYED_ANSWERS,
  ...UNSENT,
  ...CHANGED_ANSWERS,
  ...REPEATS,
  ...MONEY,
  ...NOTIFICATION_CHECKS,
  ...EVENTS,
  ...LATER_EVENTS,
  ...CREDENTIALS,
  ...SAVED_METHODS,
];

/**
 * Declares the tests that every connector passes, also ours: one for each situation. A failed one says the situation, what
 * the port expects, what the connector did, and the paragraph of the page. Capabilities that are absent are not demanded.
 * `setup` runs once. `changedPart`: the part of the generated changes of answers and events to try, for runs that must be short.
 */
export function conformance(
  { describe, it, beforeAll, afterAll }: TestRunner,
  name: string,
  setup: () => Promise<ProviderFixture>,
  { changedPart = 1 }: { changedPart?: number } = {},
): void {
  describe(`the connector of ${name}`, () => {
    let seen: Observed | undefined;
    beforeAll(async () => {
      tried.part = changedPart;
      seen = observed(await setup());
    });
    afterAll(async () => {
      tried.part = 1;
      seen?.stop();
      await seen?.fixture.stop();
    });
    for (const situation of SITUATIONS) {
      it(situation.name, async () => {
        const finding = await examine(seen!, situation);
        if (finding) throw finding;
      });
    }
  });
}

/** The findings in a connector, without a test runner: in the situations with these names, or in all. */
export async function findingsOf(
  setup: () => Promise<ProviderFixture>,
  names?: readonly string[],
  patienceMs = patience.ms,
): Promise<Finding[]> {
  const usual = patience.ms;
  patience.ms = patienceMs;
  const seen = observed(await setup());
  const findings: Finding[] = [];
  try {
    for (const situation of SITUATIONS.filter(({ name }) => names?.includes(name) ?? true)) {
      const finding = await examine(seen, situation);
      if (finding) findings.push(finding);
    }
  } finally {
    patience.ms = usual;
    seen.stop();
    await seen.fixture.stop();
  }
  return findings;
}

async function examine(seen: Observed, situation: Situation): Promise<Finding | undefined> {
  try {
    await situation.check(seen.fixture);
  } catch (thrown) {
    return findingOf(situation, thrown);
  } finally {
    seen.fixture.wire?.clear();
  }
  await new Promise((resolve) => setImmediate(resolve)); // rejections are reported then
  return seen.take()[0];
}
