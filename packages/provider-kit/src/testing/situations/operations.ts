import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type {
  CaptureRequest,
  ChargeRequest,
  OperationAnswer,
  OperationLookup,
  OperationState,
} from '../../payment-provider.js';
import { eventually, hasFields, holds, isDone, isNotDone } from '../assertions.js';
import { type Check, type Situation, under } from '../finding.js';
import type { ProviderFixture } from '../fixture.js';
import {
  begin,
  type Begun,
  canEndAs,
  capabilitiesOf,
  charge,
  lookedUpBy,
  loseAnswer,
  operationOn,
  soon,
  stateOf,
} from '../steps.js';

const voids = ({ provider }: ProviderFixture, begun: Parameters<typeof operationOn>[0]) =>
  provider.void(operationOn(begun), soon());

const captureOf = (begun: Begun, amount: string): CaptureRequest => ({
  ...operationOn(begun),
  amount,
  authorizedAmount: begun.request.amount,
});

/** A charge, and an operation on it with its look-up: by the key unless `more` has the id. */
async function beginOperation(
  fixture: ProviderFixture,
  kind: OperationLookup['kind'],
  fields: Partial<ChargeRequest> = {},
) {
  const { provider } = fixture;
  const begun = await begin(fixture, 'approved', kind === 'refund' ? fields : { capture: 'manual', ...fields });
  const request = { ...operationOn(begun), authorizedAmount: begun.request.amount };
  const find = (more: Partial<OperationLookup> = {}): Promise<OperationState> =>
    provider.lookupOperation!({ ...request, kind, operationId: null, ...more }, soon());
  return { begun, find, make: () => provider[kind]!(request, soon()) };
}

const MINOR_UNITS = [
  { currency: 'JPY', amount: '500', held: '500' },
  { currency: 'KWD', amount: '5.120', held: '5.12' },
];

export const OPERATION_CHECKS: Situation[] = under('idempotency-and-recovery', {
  'voids an unfinished charge, also when repeated, or says that it is open, if there are any': async (fixture) => {
    const wanted = (['next_action', 'processing'] as const).find((one) => canEndAs(fixture, one));
    if (!wanted) return;
    const begun = await begin(fixture, wanted);
    const operation = operationOn(begun);
    if (capabilitiesOf(fixture).voidsUnfinished === false) {
      const answer = await fixture.provider.void(operation, soon());
      hasFields(answer, { outcome: 'refused', retryable: true });
      hasFields('charge' in answer ? answer.charge : undefined, { status: 'open' });
      return holds(fixture, begun.request, [{ status: 'open' }]);
    }
    isDone(await fixture.provider.void(operation, soon()));
    isDone(await fixture.provider.void(operation, soon()));
    await holds(fixture, begun.request, [{ status: 'voided' }]);
  },

  'never voids a captured charge': async (fixture) => {
    const begun = await begin(fixture, 'approved');
    isNotDone(await voids(fixture, begun));
    await holds(fixture, begun.request, [{ status: 'captured' }]);
  },

  'says what the charge is when it refuses a void, if it does': async (fixture) => {
    const { manualCapture, partialCapture } = capabilitiesOf(fixture);
    const captured = manualCapture && partialCapture ? '60.00' : '100.10';
    const begun = await begin(fixture, 'approved', captured === '60.00' ? { capture: 'manual' } : {});
    if (captured === '60.00') isDone(await fixture.provider.capture!(captureOf(begun, captured), soon()));
    await holds(fixture, begun.request, [{ status: 'captured' }]);
    const answer = await voids(fixture, begun);
    if (answer.outcome !== 'refused' || !answer.charge) return;
    const { amount, capturedAmount = amount, transactionId } = answer.charge;
    hasFields(answer.charge, { status: 'captured', currency: 'EUR' });
    assert.equal(transactionId, operationOn(begun).transactionId);
    assert.deepEqual([Number(amount), Number(capturedAmount)], [100.1, Number(captured)]);
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
    loseAnswer(fixture);
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
    (['capture', 'void', 'refund'] as const).map((kind): [string, Check] => [
      `finds a ${kind} by its id and by its key, and no other, if it can`,
      async (fixture) => {
        const { manualCapture } = capabilitiesOf(fixture);
        if (!lookedUpBy(fixture).includes(kind) || (kind !== 'refund' && !manualCapture)) return;
        const { find, make } = await beginOperation(fixture, kind);
        hasFields(await find(), { outcome: 'not_found' });
        const answer = await make();
        isDone(answer);
        const { operationId } = answer;
        for (const id of new Set([null, operationId ?? null])) {
          const found = await find({ operationId: id });
          isDone(found as OperationAnswer);
          if (operationId !== undefined) hasFields(found, { operationId });
        }
        hasFields(await find({ idempotencyKey: randomUUID() }), { outcome: 'not_found' });
      },
    ]),
  ),

  'tells that a capture has failed after it was accepted, if it can': async (fixture) => {
    const declined = fixture.later?.capture_declined;
    if (!declined || !lookedUpBy(fixture).includes('capture')) return;
    const { begun, find, make } = await beginOperation(fixture, 'capture', declined.fields);
    const answer = await make();
    hasFields(answer, { outcome: 'pending' });
    const { operationId } = answer as { operationId: string };
    await declined.play?.({ ...begun, operationId });
    await eventually(async () => hasFields(await find({ operationId }), { outcome: 'refused' }));
    await holds(fixture, begun.request, [{ status: 'authorized' }]);
  },

  ...Object.fromEntries(
    MINOR_UNITS.map(({ currency, amount, held }): [string, Check] => [
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
});
