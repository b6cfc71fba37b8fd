import assert from 'node:assert/strict';
import type { ChargeAnswer } from '../../payment-provider.js';
import { hasFields, holds } from '../assertions.js';
import { type Situation, under } from '../finding.js';
import type { PageActions, ProviderFixture } from '../fixture.js';
import { begin, type Begun, operationOn, soon } from '../steps.js';

/** A charge whose payer must act in the page; `approve` acts, and returns the data to hand in. */
async function beginInPage(fixture: ProviderFixture, actions: PageActions) {
  const begun = await begin(fixture, 'next_action', actions.fields);
  const action = 'nextAction' in begun.answer ? begun.answer.nextAction : undefined;
  assert.ok(action?.type === 'provider_action', 'the next action is a provider_action');
  return { begun, approve: () => actions.approve(begun.answer, action.data) };
}

const complete = (fixture: ProviderFixture, begun: Begun, data: Record<string, unknown>): Promise<ChargeAnswer> =>
  fixture.provider.completeAction!(operationOn(begun), data, soon());

export const ACTION_CHECKS: Situation[] = under('next-actions', {
  'completes the payer’s step in the page, with one charge for all repeats, if there are such steps': async (
    fixture,
  ) => {
    if (!fixture.pageActions) return;
    const { begun, approve } = await beginInPage(fixture, fixture.pageActions);
    const data = await approve();
    // one of two at once may reject: the other one is still under way, so its outcome is unknown
    const settled = await Promise.allSettled([1, 2].map(() => complete(fixture, begun, data)));
    const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    for (const answer of [...answers, await complete(fixture, begun, data)]) hasFields(answer, { outcome: 'approved' });
    await holds(fixture, begun.request, [{ status: 'captured', amount: '100.1' }]);
  },

  'refuses the answer to a step of another transaction, if there are such steps': async (fixture) => {
    if (!fixture.pageActions) return;
    const one = await beginInPage(fixture, fixture.pageActions);
    const other = await beginInPage(fixture, fixture.pageActions);
    const data = await other.approve();
    await assert.rejects(complete(fixture, one.begun, data), { code: 'validation_failed' });
    await holds(fixture, one.begun.request, [{ status: 'open' }]);
  },
});
