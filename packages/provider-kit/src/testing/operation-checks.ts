import assert from 'node:assert/strict';
import type { CaptureRequest } from '../payment-provider.js';
import { eventually, hasFields, holds, isDone, isNotDone } from './assertions.js';
import type { Checks, ProviderFixture } from './fixture.js';
import { begin, type Begun, canEndAs, capabilitiesOf, charge, operationOn, soon, stateOf } from './steps.js';

const voids = ({ provider }: ProviderFixture, begun: Parameters<typeof operationOn>[0]) =>
  provider.void(operationOn(begun), soon());

const captureOf = (begun: Begun, amount: string): CaptureRequest => ({
  ...operationOn(begun),
  amount,
  authorizedAmount: begun.request.amount,
});

const MINOR_UNITS = [
  { currency: 'JPY', amount: '500', held: '500' },
  { currency: 'KWD', amount: '5.120', held: '5.12' },
];

export const OPERATION_CHECKS: Checks = {
  'voids an unfinished charge, also when repeated, if there are any': async (fixture) => {
    const wanted = (['next_action', 'processing'] as const).find((one) => canEndAs(fixture, one));
    if (!wanted) return;
    const begun = await begin(fixture, wanted);
    const operation = operationOn(begun);
    isDone(await fixture.provider.void(operation, soon()));
    isDone(await fixture.provider.void(operation, soon()));
    await holds(fixture, begun.request, [{ status: 'voided' }]);
  },

  'never voids a captured charge': async (fixture) => {
    const begun = await begin(fixture, 'approved');
    isNotDone(await voids(fixture, begun));
    await holds(fixture, begun.request, [{ status: 'captured' }]);
  },

  'voids an unknown reference, so that no charge is made under it': async (fixture) => {
    const request = fixture.request('approved');
    isDone(await voids(fixture, { request }));
    if (!fixture.blocksUnknown) return;
    const late = await charge(fixture, request).catch(() => ({ outcome: 'unknown' }));
    assert.notEqual(late.outcome, 'approved');
    const held = await fixture.held(request.reference);
    assert.deepEqual(
      held.filter(({ status }) => status === 'captured'),
      [],
    );
  },

  'refunds the whole charge once, for any number of calls under the key': async (fixture) => {
    const begun = await begin(fixture, 'approved');
    const refund = operationOn(begun);
    const first = await fixture.provider.refund(refund, soon());
    isDone(first);
    assert.deepEqual(await fixture.provider.refund(refund, soon()), first);
    await holds(fixture, begun.request, [{ status: 'refunded', amount: '100.1' }]);
  },

  'never refunds twice under another key': async (fixture) => {
    const begun = await begin(fixture, 'approved');
    isDone(await fixture.provider.refund(operationOn(begun), soon()));
    await holds(fixture, begun.request, [{ status: 'refunded' }]);
    await fixture.provider.refund(operationOn(begun), soon());
    await holds(fixture, begun.request, [{ status: 'refunded', amount: '100.1' }]);
  },

  'rejects a refund whose answer got lost, and repeats it safely': async (fixture) => {
    const begun = await begin(fixture, 'approved');
    const refund = operationOn(begun);
    fixture.loseAnswer();
    await assert.rejects(fixture.provider.refund(refund, soon()));
    isDone(await fixture.provider.refund(refund, soon()));
    await holds(fixture, begun.request, [{ status: 'refunded' }]);
  },

  'gives back parts with ids of their own, and never more than all, if it can': async (fixture) => {
    if (!capabilitiesOf(fixture).partialRefund) return;
    const begun = await begin(fixture, 'approved');
    const refund = (amount: string) => fixture.provider.refund({ ...operationOn(begun), amount }, soon());
    const [one, other] = [await refund('40.00'), await refund('60.10')];
    for (const each of [one, other]) isDone(each);
    assert.notEqual(one.operationId, other.operationId);
    await holds(fixture, begun.request, [{ status: 'refunded' }]);
    isNotDone(await refund('0.10'));
    await holds(fixture, begun.request, [{ status: 'refunded', amount: '100.1' }]);
  },

  'shows the sum of partial refunds, and leaves the charge captured, if it can': async (fixture) => {
    if (!capabilitiesOf(fixture).partialRefund) return;
    const begun = await begin(fixture, 'approved');
    isDone(await fixture.provider.refund({ ...operationOn(begun), amount: '40.00' }, soon()));
    await eventually(async () => {
      const state = await stateOf(fixture, begun);
      if (state === undefined) return;
      hasFields(state, { status: 'captured' });
      if ('refundedAmount' in state) assert.equal(Number(state.refundedAmount), 40);
    });
  },

  'authorises with a time until when it can be captured, if it can': async (fixture) => {
    const { manualCapture } = capabilitiesOf(fixture);
    assert.equal(fixture.provider.capture !== undefined, manualCapture);
    if (!manualCapture) return;
    const begun = await begin(fixture, 'approved', { capture: 'manual' });
    hasFields(begun.answer, { outcome: 'authorized' });
    assert.ok('captureBefore' in begun.answer && begun.answer.captureBefore instanceof Date);
    await holds(fixture, begun.request, [{ status: 'authorized' }]);
    const state = await stateOf(fixture, begun);
    if (state !== undefined) hasFields(state, { status: 'authorized' });
  },

  'captures once, also when it is asked again under the key, if it can': async (fixture) => {
    if (!capabilitiesOf(fixture).manualCapture) return;
    const begun = await begin(fixture, 'approved', { capture: 'manual' });
    const capture = captureOf(begun, begun.request.amount);
    isDone(await fixture.provider.capture!(capture, soon()));
    isDone(await fixture.provider.capture!(capture, soon()));
    await holds(fixture, begun.request, [{ status: 'captured' }]);
  },

  'captures a part and shows it, if it can': async (fixture) => {
    if (!capabilitiesOf(fixture).partialCapture) return;
    const begun = await begin(fixture, 'approved', { capture: 'manual' });
    isDone(await fixture.provider.capture!(captureOf(begun, '60.00'), soon()));
    await holds(fixture, begun.request, [{ status: 'captured' }]);
    await eventually(async () => {
      const state = await stateOf(fixture, begun);
      if (state === undefined) return;
      hasFields(state, { status: 'captured' });
      assert.equal('capturedAmount' in state && Number(state.capturedAmount), 60);
    });
  },

  'voids an authorisation, and then captures nothing, if it can': async (fixture) => {
    if (!capabilitiesOf(fixture).manualCapture) return;
    const begun = await begin(fixture, 'approved', { capture: 'manual' });
    isDone(await voids(fixture, begun));
    await holds(fixture, begun.request, [{ status: 'voided' }]);
    isNotDone(await fixture.provider.capture!(captureOf(begun, begun.request.amount), soon()));
    await holds(fixture, begun.request, [{ status: 'voided' }]);
  },

  ...Object.fromEntries(
    MINOR_UNITS.map(({ currency, amount, held }): [string, Checks[string]] => [
      `charges and refunds ${currency} in its own minor units, if it accepts it`,
      async (fixture) => {
        if (capabilitiesOf(fixture).currencies?.includes(currency) === false) return;
        const begun = await begin(fixture, 'approved', { currency, amount });
        hasFields(begun.answer, { outcome: 'approved' });
        await holds(fixture, begun.request, [{ status: 'captured', amount: held, currency }]);
        isDone(await fixture.provider.refund(operationOn(begun), soon()));
        await holds(fixture, begun.request, [{ status: 'refunded', amount: held, currency }]);
      },
    ]),
  ),
};
