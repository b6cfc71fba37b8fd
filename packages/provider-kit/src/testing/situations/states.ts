import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ListedCharge, ListedCharges, OperationAnswer, RefundRequest } from '../../payment-provider.js';
import { eventually, hasFields, holds, isDone } from '../assertions.js';
import { type Situation, under, Unexpected } from '../finding.js';
import type { ProviderFixture, WantedOutcome } from '../fixture.js';
import { begin, type Begun, canEndAs, capabilitiesOf, operationOn, soon, stateOf } from '../steps.js';
import { keepsItsPath } from './saved-methods.js';

const manual = { capture: 'manual' } as const;
const DAY_MS = 86_400_000;

const refund = (
  fixture: ProviderFixture,
  begun: Begun,
  fields: Partial<RefundRequest> = {},
): Promise<OperationAnswer> => fixture.provider.refund({ ...operationOn(begun), ...fields }, soon());
const capture = (fixture: ProviderFixture, begun: Begun, amount = begun.request.amount): Promise<OperationAnswer> =>
  fixture.provider.capture!({ ...operationOn(begun), amount, authorizedAmount: begun.request.amount }, soon());

/** Refused, if the books do not change. */
async function isRefused(call: Promise<OperationAnswer>, detail: string): Promise<void> {
  const answer = await call;
  if (answer.outcome === 'confirmed') throw new Unexpected('refused, or pending', answer, detail);
  if (answer.outcome === 'refused' && answer.isUnavailable)
    throw new Unexpected('a refusal that was processed', answer, detail);
}

const STATES = under('outcomes-and-errors', {
  'the look-up of each kind of charge shows its state': async (fixture) => {
    const wanted: [WantedOutcome, string[]][] = [
      ['processing', ['open', 'captured']],
      ['next_action', ['open']],
      ['declined', ['declined', 'voided', 'not_found']],
      ['soft_declined', ['declined', 'voided', 'not_found']],
    ];
    for (const [outcome, allowed] of wanted) {
      if (outcome !== 'approved' && !canEndAs(fixture, outcome)) continue;
      const begun = await begin(fixture, outcome);
      if (begun.answer.transactionId === undefined && capabilitiesOf(fixture).lookup !== 'by_reference') continue;
      const state = await stateOf(fixture, begun);
      if (state && !allowed.includes(state.status))
        throw new Unexpected(allowed.join(' or '), state, `a charge that is ${outcome}`);
      if (outcome === 'next_action' && state && 'transactionId' in state && 'nextAction' in begun.answer)
        if (state.nextAction === undefined)
          throw new Unexpected('the nextAction of a charge that waits for its payer', state);
    }
  },

  'the look-up shows authorised, voided and refunded charges': async (fixture) => {
    const refunded = await begin(fixture, 'approved');
    isDone(await refund(fixture, refunded));
    await eventually(async () => {
      const state = await stateOf(fixture, refunded);
      if (state) hasFields(state, { status: 'refunded', transactionId: refunded.answer.transactionId });
    });
    if (!capabilitiesOf(fixture).manualCapture) return;
    const begun = await begin(fixture, 'approved', manual);
    const state = await stateOf(fixture, begun);
    const { captureBefore } = { ...begun.answer } as { captureBefore?: Date };
    if (captureBefore && !isSoon(captureBefore))
      throw new Unexpected('a captureBefore within the next 400 days', captureBefore);
    if (state && 'captureBefore' in state && state.captureBefore && !isSoon(state.captureBefore))
      throw new Unexpected('a captureBefore within the next 400 days', state.captureBefore, 'the look-up');
    isDone(await fixture.provider.void(operationOn(begun), soon()));
    await eventually(async () => {
      const voided = await stateOf(fixture, begun);
      if (voided) hasFields(voided, { status: 'voided' });
    });
  },

  'the look-up asks for a reference that the provider does not have': async (fixture) => {
    if (capabilitiesOf(fixture).lookup !== 'by_reference') return;
    await begin(fixture, 'approved');
    const request = fixture.request('approved');
    hasFields(await fixture.provider.lookup!(operationOn({ request }), soon()), { status: 'not_found' });
  },

  'more than the authorised amount is captured': async (fixture) => {
    if (!capabilitiesOf(fixture).manualCapture) return;
    const begun = await begin(fixture, 'approved', manual);
    await isRefused(capture(fixture, begun, '100.11'), 'a capture of 100.11 of 100.10');
    await holds(fixture, begun.request, [{ status: 'authorized' }]);
  },

  'a capture comes again under another key': async (fixture) => {
    if (!capabilitiesOf(fixture).manualCapture) return;
    const begun = await begin(fixture, 'approved', manual);
    isDone(await capture(fixture, begun, capabilitiesOf(fixture).partialCapture ? '60.00' : undefined));
    await holds(fixture, begun.request, [{ status: 'captured' }]);
    const again = await capture(fixture, begun, '100.10');
    if (again.outcome === 'confirmed' && capabilitiesOf(fixture).partialCapture)
      throw new Unexpected('refused, or pending: 60.00 was captured', again);
    const [held] = await fixture.held(begun.request.reference);
    if (held?.captured !== undefined && capabilitiesOf(fixture).partialCapture) assert.equal(Number(held.captured), 60);
  },

  'an authorisation, a voided and a declined charge are refunded': async (fixture) => {
    if (capabilitiesOf(fixture).manualCapture) {
      const begun = await begin(fixture, 'approved', manual);
      await isRefused(refund(fixture, begun), 'a refund of an authorisation');
      await holds(fixture, begun.request, [{ status: 'authorized' }]);
      isDone(await fixture.provider.void(operationOn(begun), soon()));
      await holds(fixture, begun.request, [{ status: 'voided' }]);
      await isRefused(refund(fixture, begun), 'a refund of a voided charge');
    }
    if (!canEndAs(fixture, 'declined')) return;
    const declined = await begin(fixture, 'declined');
    if (declined.answer.transactionId !== undefined)
      await isRefused(refund(fixture, declined), 'a refund of a declined charge');
  },

  'after the capture of a part, that part can be refunded': async (fixture) => {
    if (!capabilitiesOf(fixture).partialCapture) return;
    const begun = await begin(fixture, 'approved', manual);
    isDone(await capture(fixture, begun, '60.00'));
    await holds(fixture, begun.request, [{ status: 'captured' }]);
    await isRefused(refund(fixture, begun, { amount: '60.01' }), 'a refund of 60.01 of 60.00');
    isDone(await refund(fixture, begun, { amount: '60.00' }));
    await eventually(async () => {
      const [held] = await fixture.held(begun.request.reference);
      if (held?.refunded !== undefined) assert.equal(Number(held.refunded), 60);
    });
  },

  'a transaction’s id has the form of a path': async (fixture) => {
    const begun = await begin(fixture, 'approved', capabilitiesOf(fixture).manualCapture ? manual : {});
    const { provider } = fixture;
    for (const transactionId of ['../account', '../../account', 'x?y=1']) {
      const of = { ...operationOn(begun), transactionId, authorizedAmount: begun.request.amount };
      const from = fixture.wire?.exchanges.length ?? 0;
      const calls: (() => Promise<unknown> | undefined)[] = [
        () => provider.refund(of, soon()),
        () => provider.capture?.(of, soon()),
        () => provider.lookup?.(of, soon()),
      ];
      for (const call of calls) await call()?.catch(() => undefined);
      const rawBody = Buffer.from(`id=${encodeURIComponent(transactionId)}`);
      await Promise.allSettled([
        provider.parseNotification({ rawBody, headers: {}, query: {}, shopId: 1 }, fixture.credentials, soon()),
      ]);
      keepsItsPath(fixture, from, transactionId);
    }
  },

  'a transaction that the provider does not have is captured, refunded or looked up': async (fixture) => {
    const begun = await begin(fixture, 'approved', capabilitiesOf(fixture).manualCapture ? manual : {});
    const id = begun.answer.transactionId ?? '';
    const other = id.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, (last) => (last === '7' ? '8' : '7'));
    const unknown = {
      request: { ...begun.request, reference: randomUUID() },
      answer: { ...begun.answer, transactionId: `${other.slice(0, -4)}7777` },
    };
    const { provider } = fixture;
    const isNothing = async (call: Promise<unknown>, detail: string) => {
      const got = await call.catch((error: unknown) => error);
      const { outcome, status } = (got ?? {}) as { outcome?: string; status?: string };
      if (got instanceof Error) return;
      if (outcome === 'confirmed' || (status !== undefined && status !== 'not_found'))
        throw new Unexpected('refused, pending or not_found', got, detail);
    };
    await isNothing(refund(fixture, unknown), 'a refund');
    if (capabilitiesOf(fixture).manualCapture) await isNothing(capture(fixture, unknown), 'a capture');
    if (capabilitiesOf(fixture).lookup !== 'none')
      await isNothing(provider.lookup!(operationOn(unknown), soon()), 'a look-up');
  },
});

const isSoon = (date: Date): boolean => date.getTime() > Date.now() && date.getTime() < Date.now() + 400 * DAY_MS;

const REST = under('idempotency-and-recovery', {
  'the rest is refunded after a refund of a part': async (fixture) => {
    if (!capabilitiesOf(fixture).partialRefund) return;
    const begun = await begin(fixture, 'approved');
    isDone(await refund(fixture, begun, { amount: '40.00' }));
    await eventually(async () => {
      const [held] = await fixture.held(begun.request.reference);
      if (held?.refunded !== undefined) assert.equal(Number(held.refunded), 40);
    });
    const rest = await refund(fixture, begun, { isRest: true });
    // a provider that needs an amount refuses more than the rest
    if (rest.outcome === 'refused' && capabilitiesOf(fixture).lookup !== 'none')
      throw new Unexpected('the remaining 60.10 are refunded', rest);
    if (rest.outcome === 'confirmed' || capabilitiesOf(fixture).lookup !== 'none')
      await holds(fixture, begun.request, [{ status: 'refunded' }]);
  },

  'the refund of a part leaves the rest, with `isRest` absent': async (fixture) => {
    if (!capabilitiesOf(fixture).partialRefund) return;
    const begun = await begin(fixture, 'approved');
    isDone(await refund(fixture, begun, { amount: '40.00', reason: 'Returned' }));
    await holds(fixture, begun.request, [{ status: 'captured' }]);
    isDone(await refund(fixture, begun, { amount: '60.10' }));
    await holds(fixture, begun.request, [{ status: 'refunded' }]);
  },

  'the answer to a charge is lost, and it is voided without its id': async (fixture) => {
    const wanted = (['next_action', 'processing'] as const).find((one) => canEndAs(fixture, one));
    if (!wanted || !fixture.wire || capabilitiesOf(fixture).voidsUnfinished === false) return;
    const request = fixture.request(wanted);
    fixture.wire.loseNext({ line: /^POST (?!.*token$)/ });
    await fixture.provider.charge(request, soon()).catch(() => undefined);
    isDone(await fixture.provider.void(operationOn({ request }), soon()));
    await holds(fixture, request, [{ status: 'voided' }]);
  },

  'charges are listed since a time, with references, amounts and a last page': async (fixture) => {
    const { provider, credentials } = fixture;
    if (!provider.listCharges) return;
    const { request, answer } = await begin(fixture, 'approved');
    const account = { shopId: request.shopId, credentials };
    const list = async (since: Date) => {
      const charges: ListedCharge[] = [];
      let after: string | null = null;
      for (let page = 0; page < 200; page++) {
        const listed: ListedCharges = await provider.listCharges!(account, since, after, soon());
        charges.push(...listed.charges);
        if (listed.next === null) return charges;
        after = listed.next;
      }
      throw new Unexpected('a last page', 'more than 200 pages');
    };
    const found = (await list(new Date(Date.now() - 600_000))).filter(
      ({ reference }) => reference === request.reference,
    );
    if (found.length !== 1) throw new Unexpected('the charge, once', found);
    const { amount, createdAt, ...fields } = found[0]!;
    hasFields(fields, {
      paymentId: request.paymentId,
      transactionId: answer.transactionId,
      status: 'captured',
      currency: 'EUR',
    });
    assert.equal(Number(amount), 100.1);
    if (Math.abs(createdAt.getTime() - Date.now()) > DAY_MS) throw new Unexpected('createdAt of now', createdAt);
    const later = await list(new Date(Date.now() + DAY_MS));
    if (later.length > 0) throw new Unexpected('no charge since tomorrow', later.length);
  },

  'the reference of a transaction is asked for, by any id': async (fixture) => {
    const { provider } = fixture;
    if (!provider.findReference) return;
    const { request, answer } = await begin(fixture, 'approved');
    assert.equal(
      await provider.findReference(answer.transactionId!, { credentials: fixture.credentials }, soon()),
      request.reference,
    );
    for (const id of ['unknown', '../account', 'x?y=1#z', 'constructor', '%2e%2e']) {
      const from = fixture.wire?.exchanges.length ?? 0;
      const found = await provider
        .findReference(id, { credentials: fixture.credentials }, soon())
        .catch(() => undefined);
      if (found !== undefined) throw new Unexpected('undefined', found, id);
      keepsItsPath(fixture, from, id);
    }
  },
});

const CAPABILITIES = under('capabilities', {
  'the capabilities agree with the members': ({ provider, credentials }) => {
    const of = provider.capabilities(credentials);
    if (!Number.isInteger(of.idempotencyWindowMs) || of.idempotencyWindowMs < 60_000)
      throw new Unexpected('milliseconds, at least a minute', of.idempotencyWindowMs);
    for (const name of ['choosesTransactionIds', 'manualCapture', 'partialCapture', 'partialRefund'] as const)
      if (typeof of[name] !== 'boolean') throw new Unexpected('true or false', of[name], name);
    if (of.partialCapture && !of.manualCapture) throw new Unexpected('manualCapture with partialCapture', of);
    if (of.operationLookup && !provider.lookupOperation)
      throw new Unexpected('lookupOperation', 'none', 'operationLookup');
    assert.equal(provider.capture !== undefined, of.manualCapture);
    assert.equal(provider.lookup !== undefined, of.lookup !== 'none');
    if (provider.completesRedirects && !provider.completeAction)
      throw new Unexpected('completeAction', 'none', 'completesRedirects');
  },
});

const ACTIONS = under('next-actions', {
  'the payer comes back with wrong or no data': async (fixture) => {
    const { provider, pageActions } = fixture;
    if (!provider.completeAction || !canEndAs(fixture, 'next_action')) return;
    const begun = await begin(fixture, 'next_action', pageActions?.fields);
    for (const data of [{}, { constructor: 'x' }, { result: 7 }, { payload: '' }]) {
      const answer = await provider
        .completeAction(operationOn(begun), data, soon())
        .catch((error: unknown) => error as Error);
      if (!(answer instanceof Error) && answer.outcome !== 'processing')
        throw new Unexpected('an error, or processing', answer, JSON.stringify(data));
    }
    await holds(fixture, begun.request, [{ status: 'open' }]);
  },

  'a charge without the payer does not wait for one': async (fixture) => {
    if (!canEndAs(fixture, 'next_action')) return;
    const { answer } = await begin(fixture, 'next_action', { returnUrl: undefined, initiator: 'merchant' });
    if (answer.outcome === 'approved') throw new Unexpected('processing or a decline', answer);
  },
});

export const STATES_OF_CHARGES: Situation[] = [...STATES, ...REST, ...CAPABILITIES, ...ACTIONS];
