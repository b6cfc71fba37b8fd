import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  CaptureRequest,
  ChargeAnswer,
  ChargeRequest,
  OperationAnswer,
  VoidRequest,
} from '../../../src/providers/payment-provider.js';
import type { IncomingNotification } from '@payment-orchestrator/provider-kit';
import { eventually } from '../../support/eventually.js';
import {
  adyenFixture,
  askingFixture,
  type Held,
  type ProviderFixture,
  sandboxFixture,
  stripeFixture,
  type WantedOutcome,
} from '../../support/providers/provider-fixtures.js';

/** Optional behaviour of an adapter, which depends on its provider. */
interface ProviderTraits {
  /** A void of an unknown reference blocks a later charge. */
  blocksUnknown: boolean;
  /** The provider sends several notifications in one batch: the fixture has `batch`. */
  batches: boolean;
}

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

/** The behaviour that every adapter must have. */
function describeProvider(
  name: string,
  setup: () => Promise<ProviderFixture>,
  { blocksUnknown, batches }: ProviderTraits,
): void {
  describe(`the adapter of ${name}`, () => {
    let fixture: ProviderFixture;
    beforeAll(async () => {
      fixture = await setup();
    });
    afterAll(() => fixture.stop());

    const charge = (request: ChargeRequest) => fixture.provider.charge(request, soon());
    const begin = async (wanted: WantedOutcome, fields?: Partial<ChargeRequest>) => {
      const request = fixture.request(wanted, fields);
      return { request, answer: await charge(request) };
    };
    const operationOn = (request: ChargeRequest, answer?: ChargeAnswer): VoidRequest & { reason: undefined } => ({
      ...request,
      transactionId: answer?.transactionId ?? request.transactionId,
      idempotencyKey: randomUUID(),
      chargeIdempotencyKey: request.idempotencyKey,
      reason: undefined,
    });
    const holds = async ({ reference }: { reference: string }, expected: Partial<Held>[]) =>
      eventually(async () => expect(await fixture.held(reference)).toMatchObject(expected));
    /** Done, or accepted without the need of a further call. */
    const isDone = ({ outcome }: OperationAnswer) => expect(['confirmed', 'pending']).toContain(outcome);
    const parsedOf = async (reference: string) => {
      const sent = await fixture.notifications(reference);
      return Promise.all(
        sent.map((notification) => fixture.provider.parseNotification(notification, fixture.credentials, soon())),
      );
    };
    const eventsOf = async (reference: string) => (await parsedOf(reference)).flatMap(({ events }) => events);
    const askedOf = async (reference: string) => (await parsedOf(reference)).flatMap(({ ask = [] }) => ask);

    it('approves, and holds exactly the requested amount', async () => {
      const { request, answer } = await begin('approved');
      expect(answer).toMatchObject({ outcome: 'approved', transactionId: expect.any(String) });
      await holds(request, [{ status: 'captured', amount: '100.1', currency: 'EUR' }]);
    });

    it.each(['declined', 'soft_declined'] as const)('answers %s, with a code, and holds nothing', async (wanted) => {
      const { request, answer } = await begin(wanted);
      expect(answer).toMatchObject({ outcome: wanted, declineCode: expect.stringMatching(/^[a-z0-9_]+$/) });
      const held = await fixture.held(request.reference);
      expect(held.filter(({ status }) => status !== 'declined')).toEqual([]);
    });

    it('answers processing, with the payer’s next step', async () => {
      const { request, answer } = await begin('next_action');
      const nextAction = { type: 'redirect', url: expect.stringMatching(/^https?:/), method: 'GET' };
      expect(answer).toMatchObject({ outcome: 'processing', nextAction });
      await holds(request, [{ status: 'open' }]);
    });

    it('answers unavailable if no byte of the call was sent', async () => {
      const request = fixture.request('approved');
      expect(await fixture.chargeUnsent(request)).toMatchObject({
        outcome: 'unavailable',
        reason: expect.any(String),
      });
      expect(await fixture.held(request.reference)).toEqual([]);
    });

    it('rejects when the answer got lost, and charges once after a repeat under the same key', async () => {
      const request = fixture.request('approved');
      fixture.loseAnswer();
      await expect(charge(request)).rejects.toThrow();
      const repeated = await charge(request);
      expect(repeated).toMatchObject({ outcome: 'approved' });
      expect(await charge(request)).toEqual(repeated);
      await holds(request, [{ status: 'captured' }]);
    });

    it('charges once for concurrent calls under one key', async () => {
      const request = fixture.request('approved');
      await Promise.allSettled([charge(request), charge(request), charge(request)]);
      await holds(request, [{ status: 'captured' }]);
    });

    it('rejects another amount under a used key', async () => {
      const { request } = await begin('approved');
      await expect(charge({ ...request, amount: '1.00' })).rejects.toThrow();
      await holds(request, [{ status: 'captured', amount: '100.1' }]);
    });

    it('returns the provider’s state of a charge, if it has a look-up', async () => {
      const { provider } = fixture;
      if (provider.capabilities(fixture.credentials).lookup === 'none') return expect('lookup' in provider).toBe(false);
      const { request, answer } = await begin('approved');
      const state = await provider.lookup!(operationOn(request, answer), soon());
      expect(state).toMatchObject({ status: 'captured', transactionId: answer.transactionId, currency: 'EUR' });
      expect('amount' in state && Number(state.amount)).toBe(100.1);
    });

    it('finds the outcome of a charge whose answer got lost, by look-up or by a repeat', async () => {
      const { provider } = fixture;
      const request = fixture.request('approved');
      fixture.loseAnswer();
      await expect(charge(request)).rejects.toThrow();
      const { lookup } = provider.capabilities(fixture.credentials);
      const known = lookup === 'by_reference' ? await provider.lookup!(request, soon()) : await charge(request);
      const status = lookup === 'by_reference' ? { status: 'captured' } : { outcome: 'approved' };
      expect(known).toMatchObject(status);
    });

    it('voids a charge that is not captured, also when repeated', async () => {
      const { request, answer } = await begin('next_action');
      const operation = operationOn(request, answer);
      isDone(await fixture.provider.void(operation, soon()));
      isDone(await fixture.provider.void(operation, soon()));
      await holds(request, [{ status: 'voided' }]);
    });

    it('never voids a captured charge', async () => {
      const { request, answer } = await begin('approved');
      const { outcome } = await fixture.provider.void(operationOn(request, answer), soon());
      expect(['refused', 'pending']).toContain(outcome);
      await holds(request, [{ status: 'captured' }]);
    });

    it('voids an unknown reference, so that no charge is made under it', async () => {
      const request = fixture.request('approved');
      isDone(await fixture.provider.void(operationOn(request), soon()));
      if (!blocksUnknown) return;
      const late = await charge(request).catch(() => ({ outcome: 'unknown' }));
      expect(late.outcome).not.toBe('approved');
      const held = await fixture.held(request.reference);
      expect(held.filter(({ status }) => status === 'captured')).toEqual([]);
    });

    it('refunds the whole charge once, for any number of calls under the key', async () => {
      const { request, answer } = await begin('approved');
      const refund = operationOn(request, answer);
      const first = await fixture.provider.refund(refund, soon());
      isDone(first);
      expect(await fixture.provider.refund(refund, soon())).toEqual(first);
      await holds(request, [{ status: 'refunded', amount: '100.1' }]);
    });

    it('never refunds twice under another key', async () => {
      const { request, answer } = await begin('approved');
      isDone(await fixture.provider.refund(operationOn(request, answer), soon()));
      await holds(request, [{ status: 'refunded' }]);
      await fixture.provider.refund(operationOn(request, answer), soon());
      await holds(request, [{ status: 'refunded', amount: '100.1' }]);
    });

    it('rejects a refund whose answer got lost, and repeats it safely', async () => {
      const { request, answer } = await begin('approved');
      const refund = operationOn(request, answer);
      fixture.loseAnswer();
      await expect(fixture.provider.refund(refund, soon())).rejects.toThrow();
      isDone(await fixture.provider.refund(refund, soon()));
      await holds(request, [{ status: 'refunded' }]);
    });

    const capabilities = () => fixture.provider.capabilities(fixture.credentials);
    const stateOf = async (request: ChargeRequest, answer: ChargeAnswer) => {
      const { lookup } = capabilities();
      return lookup === 'none' ? undefined : fixture.provider.lookup!(operationOn(request, answer), soon());
    };

    it('gives back parts with ids of their own, and never more than all, if it can', async () => {
      if (!capabilities().partialRefund) return;
      const { request, answer } = await begin('approved');
      const refund = (amount: string) => fixture.provider.refund({ ...operationOn(request, answer), amount }, soon());
      const [one, other] = [await refund('40.00'), await refund('60.10')];
      for (const each of [one, other]) isDone(each);
      expect(one.operationId).not.toBe(other.operationId);
      await holds(request, [{ status: 'refunded' }]);
      // a provider that answers later refuses by a notification
      expect(['refused', 'pending']).toContain((await refund('0.10')).outcome);
      await holds(request, [{ status: 'refunded', amount: '100.1' }]);
    });

    it('shows the sum of partial refunds, and leaves the charge captured, if it can', async () => {
      if (!capabilities().partialRefund) return;
      const { request, answer } = await begin('approved');
      isDone(await fixture.provider.refund({ ...operationOn(request, answer), amount: '40.00' }, soon()));
      await eventually(async () => {
        const state = await stateOf(request, answer);
        if (state === undefined) return;
        expect(state).toMatchObject({ status: 'captured' });
        if ('refundedAmount' in state) expect(Number(state.refundedAmount)).toBe(40);
      });
    });

    describe('with manual capture', () => {
      const authorize = async () => {
        const { request, answer } = await begin('approved', { capture: 'manual' });
        const operation = (amount: string): CaptureRequest => ({
          ...operationOn(request, answer),
          amount,
          authorizedAmount: request.amount,
        });
        return { request, answer, operation };
      };

      it('authorises with a time until when it can be captured, if it can', async () => {
        expect('capture' in fixture.provider && fixture.provider.capture !== undefined).toBe(
          capabilities().manualCapture,
        );
        if (!capabilities().manualCapture) return;
        const { request, answer } = await authorize();
        expect(answer).toMatchObject({ outcome: 'authorized', captureBefore: expect.any(Date) });
        await holds(request, [{ status: 'authorized' }]);
        const state = await stateOf(request, answer);
        if (state !== undefined) expect(state).toMatchObject({ status: 'authorized' });
      });

      it('captures once, also when it is asked again under the key, if it can', async () => {
        if (!capabilities().manualCapture) return;
        const { request, operation } = await authorize();
        const capture = operation(request.amount);
        isDone(await fixture.provider.capture!(capture, soon()));
        isDone(await fixture.provider.capture!(capture, soon()));
        await holds(request, [{ status: 'captured' }]);
      });

      it('captures a part and shows it, if it can', async () => {
        if (!capabilities().partialCapture) return;
        const { request, answer, operation } = await authorize();
        isDone(await fixture.provider.capture!(operation('60.00'), soon()));
        await eventually(async () => {
          await holds(request, [{ status: 'captured' }]);
          const state = await stateOf(request, answer);
          if (state === undefined) return;
          expect(state).toMatchObject({ status: 'captured' });
          expect('capturedAmount' in state && Number(state.capturedAmount)).toBe(60);
        });
      });

      it('voids an authorisation, and then captures nothing, if it can', async () => {
        if (!capabilities().manualCapture) return;
        const { request, answer, operation } = await authorize();
        isDone(await fixture.provider.void(operationOn(request, answer), soon()));
        await holds(request, [{ status: 'voided' }]);
        const { outcome } = await fixture.provider.capture!(operation(request.amount), soon());
        expect(['refused', 'pending']).toContain(outcome);
        await holds(request, [{ status: 'voided' }]);
      });
    });

    it.each([
      ['JPY', '500', '500'],
      ['KWD', '5.120', '5.12'],
    ])('charges and refunds %s in its own minor units, if it accepts it', async (currency, amount, held) => {
      if (capabilities().currencies?.includes(currency) === false) return;
      const { request, answer } = await begin('approved', { currency, amount });
      expect(answer.outcome).toBe('approved');
      await holds(request, [{ status: 'captured', amount: held, currency }]);
      isDone(await fixture.provider.refund(operationOn(request, answer), soon()));
      await holds(request, [{ status: 'refunded', amount: held, currency }]);
    });

    describe('parses notifications', () => {
      const completed = async () => {
        const { request, answer } = await begin('processing');
        expect(answer.outcome).toBe('processing');
        await fixture.settle(request, answer);
        await holds(request, [{ status: 'captured' }]);
        const find = async () => {
          const events = (await eventsOf(request.reference)).filter(
            ({ status }) => status === 'completed' || status === 'authorized',
          );
          const ask = await askedOf(request.reference);
          return events.length + ask.length > 0 && { events, ask };
        };
        return { request, answer, ...((await eventually(find)) || { events: [], ask: [] }) };
      };

      it('with the reference, the amount and the currency of the payment', async () => {
        const { request, answer, events, ask } = await completed();
        if (events.length === 0) {
          // it only names the transaction, and its look-up has the rest
          expect(new Set(ask)).toEqual(new Set([answer.transactionId]));
          expect(await stateOf(request, answer)).toMatchObject({ status: 'captured', currency: 'EUR' });
          return;
        }
        expect(events[0]).toMatchObject({
          id: expect.any(String),
          match: { reference: request.reference },
          currency: 'EUR',
        });
        expect(Number(events[0]!.amount)).toBe(100.1);
      });

      it('to the same events when they are repeated', async () => {
        const { request } = await completed();
        const ids = async () => (await eventsOf(request.reference)).map(({ id }) => id);
        expect([await ids(), await askedOf(request.reference)]).toEqual([
          await ids(),
          await askedOf(request.reference),
        ]);
      });

      it('only with a valid signature of this shop, if it has a secret for it', async () => {
        if (!fixture.provider.credentialFields.some(({ usedFor }) => usedFor === 'notifications')) return;
        const { request } = await completed();
        const [notification] = await fixture.notifications(request.reference);
        const changed = notification!.rawBody.toString().replace(request.reference, randomUUID());
        const parse = (incoming: IncomingNotification, credentials = fixture.credentials) =>
          fixture.provider.parseNotification(incoming, credentials, soon());
        const refusal = { code: 'invalid_signature' };
        await expect(parse({ ...notification!, rawBody: Buffer.from(changed) })).rejects.toMatchObject(refusal);
        await expect(parse(notification!, {})).rejects.toMatchObject(refusal);
      });

      it('of a dispute, with its id and its amount, if it reports disputes', async () => {
        if (!fixture.dispute) return;
        const { request, answer } = await begin('approved');
        const sent = await fixture.dispute(request, answer);
        const parsed = await Promise.all(
          sent.map((notification) => fixture.provider.parseNotification(notification, fixture.credentials, soon())),
        );
        const disputed = parsed.flatMap(({ events }) => events).filter(({ status }) => status === 'disputed');
        const [event] = disputed;
        expect(event!.dispute).toMatchObject({
          id: expect.any(String),
          kind: 'chargeback',
          status: 'open',
          currency: 'EUR',
        });
        expect(Number(event!.dispute!.amount)).toBe(100.1);
        const { transactionId, reference } = event!.match;
        expect(transactionId === answer.transactionId || reference === request.reference).toBe(true);
        expect(new Set(disputed.map(({ dispute }) => dispute!.id)).size).toBe(1);
      });

      if (!batches) return;
      it('of a batch, each of them', async () => {
        const [one, other] = [(await completed()).request.reference, (await completed()).request.reference];
        const { events } = await fixture.provider.parseNotification(
          await fixture.batch!([one, other]),
          fixture.credentials,
          soon(),
        );
        expect(events.map(({ match }) => match.reference)).toEqual(expect.arrayContaining([one, other]));
      });
    });
  });
}

describeProvider('the sandbox', sandboxFixture, { blocksUnknown: true, batches: false });
describeProvider('Stripe', stripeFixture, { blocksUnknown: true, batches: false });
// a cancel of an unknown reference has no effect
describeProvider('Adyen', adyenFixture, { blocksUnknown: false, batches: true });
// promises only what it must: nothing of this is demanded
describeProvider('a provider with few capabilities, which only asks', askingFixture, {
  blocksUnknown: true,
  batches: false,
});
