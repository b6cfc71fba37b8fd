import assert from 'node:assert/strict';
import { holds, hasFields, isText } from '../assertions.js';
import { type Check, type Situation, under } from '../finding.js';
import {
  begin,
  canEndAs,
  capabilitiesOf,
  charge,
  chargeUnsent,
  loseAnswer,
  operationOn,
  soon,
  stateOf,
} from '../steps.js';

const NAME = /^[a-z][a-z0-9_]{0,31}$/;
/** Values that a merchant can send in place of a text. */
const ODD_CREDENTIALS = [null, 7, {}, []];
const DECLINES = ['declined', 'soft_declined'] as const;

export const CHARGE_CHECKS: Situation[] = under('outcomes-and-errors', {
  'names itself, and accepts its own credentials only': ({ provider, credentials }) => {
    isText(provider.name, NAME);
    assert.deepEqual(provider.validateCredentials(credentials), []);
    const unknown = provider.validateCredentials({ ...credentials, no_such_credential: 'x' });
    assert.deepEqual(
      unknown.map(({ field }) => field),
      ['no_such_credential'],
    );
    for (const { name, required } of provider.credentialFields) {
      if (!required) continue;
      const { [name]: _, ...rest } = credentials;
      assert.ok(
        provider.validateCredentials(rest).some(({ field }) => field === name),
        `${name} is required`,
      );
    }
  },

  'refuses absent and odd credentials by name': ({ provider, credentials }) => {
    const refused = (given: Record<string, unknown>) => provider.validateCredentials(given).map(({ field }) => field);
    const required = provider.credentialFields.flatMap((one) => (one.required ? [one.name] : []));
    assert.deepEqual(new Set(refused({})), new Set(required));
    for (const { name } of provider.credentialFields) {
      for (const odd of ODD_CREDENTIALS) assert.ok(refused({ ...credentials, [name]: odd }).includes(name));
    }
  },

  'checks its credentials with a call': async ({ provider, credentials }) => {
    hasFields(await provider.checkCredentials(credentials, soon()), { outcome: 'accepted' });
  },

  'approves, and holds exactly the requested amount': async (fixture) => {
    const { request, answer } = await begin(fixture, 'approved');
    hasFields(answer, { outcome: 'approved' });
    isText(answer.transactionId);
    await holds(fixture, request, [{ status: 'captured', amount: '100.1', currency: 'EUR' }]);
  },

  ...Object.fromEntries(
    DECLINES.map((wanted): [string, Check] => [
      `answers ${wanted}, with a code, and holds nothing, if it can`,
      async (fixture) => {
        if (!canEndAs(fixture, wanted)) return;
        const { request, answer } = await begin(fixture, wanted);
        hasFields(answer, { outcome: wanted });
        isText('declineCode' in answer && answer.declineCode, /^[a-z0-9_]+$/);
        const held = await fixture.held(request.reference);
        assert.deepEqual(
          held.filter(({ status }) => status !== 'declined'),
          [],
        );
      },
    ]),
  ),

  'answers processing, with the payer’s next step, if there are any': async (fixture) => {
    if (!canEndAs(fixture, 'next_action')) return;
    const { request, answer } = await begin(fixture, 'next_action');
    hasFields(answer, { outcome: 'processing' });
    const nextAction = 'nextAction' in answer ? answer.nextAction : undefined;
    if (nextAction?.type === 'redirect') {
      isText(nextAction.method, /^(GET|POST)$/);
      isText(nextAction.url, /^https?:/);
    } else hasFields(nextAction, { type: 'provider_action', provider: fixture.provider.name });
    await holds(fixture, request, [{ status: 'open' }]);
  },

  'answers unavailable if no byte of the call was sent': async (fixture) => {
    const request = fixture.request('approved');
    const answer = await chargeUnsent(fixture, request);
    hasFields(answer, { outcome: 'unavailable' });
    isText('reason' in answer && answer.reason);
    assert.deepEqual(await fixture.held(request.reference), []);
  },

  'rejects when the answer got lost, and charges once after a repeat under the same key': async (fixture) => {
    const request = fixture.request('approved');
    loseAnswer(fixture);
    await assert.rejects(charge(fixture, request));
    const repeated = await charge(fixture, request);
    hasFields(repeated, { outcome: 'approved' });
    assert.deepEqual(await charge(fixture, request), repeated);
    await holds(fixture, request, [{ status: 'captured' }]);
  },

  'charges once for concurrent calls under one key': async (fixture) => {
    const request = fixture.request('approved');
    await Promise.allSettled([1, 2, 3].map(() => charge(fixture, request)));
    await holds(fixture, request, [{ status: 'captured' }]);
  },

  'rejects another amount under a used key': async (fixture) => {
    const { request } = await begin(fixture, 'approved');
    await assert.rejects(charge(fixture, { ...request, amount: '1.00' }));
    await holds(fixture, request, [{ status: 'captured', amount: '100.1' }]);
  },

  'returns the provider’s state of a charge, if it has a look-up': async (fixture) => {
    const hasLookup = capabilitiesOf(fixture).lookup !== 'none';
    assert.equal(fixture.provider.lookup !== undefined, hasLookup);
    if (!hasLookup) return;
    const begun = await begin(fixture, 'approved');
    const state = await stateOf(fixture, begun);
    hasFields(state, { status: 'captured', transactionId: begun.answer.transactionId, currency: 'EUR' });
    assert.equal(state !== undefined && 'amount' in state && Number(state.amount), 100.1);
  },

  'finds the outcome of a charge whose answer got lost, by look-up or by a repeat': async (fixture) => {
    const request = fixture.request('approved');
    loseAnswer(fixture);
    await assert.rejects(charge(fixture, request));
    if (capabilitiesOf(fixture).lookup === 'by_reference') {
      hasFields(await fixture.provider.lookup!(operationOn({ request }), soon()), { status: 'captured' });
    } else hasFields(await charge(fixture, request), { outcome: 'approved' });
  },
});
