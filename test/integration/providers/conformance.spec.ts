import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ChargeAnswer,
  ChargeRequest,
  IncomingNotification,
  OperationAnswer,
  OperationRequest,
} from '../../../src/providers/payment-provider.js';
import { eventually } from '../../support/eventually.js';
import {
  adyenFixture,
  type Held,
  type ProviderFixture,
  sandboxFixture,
  stripeFixture,
  type Wish,
} from '../../support/providers/provider-fixtures.js';

/** What an adapter need not do, for its provider cannot. */
interface ProviderTraits {
  /** A void of a reference that the provider does not know keeps a charge that comes later from being taken. */
  buriesUnknown: boolean;
  /** The provider puts several notifications into one: the fixture has `batch`. */
  batches: boolean;
}

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

/** What every adapter must do, whatever its provider's words are. */
function describeProvider(
  name: string,
  setup: () => Promise<ProviderFixture>,
  { buriesUnknown, batches }: ProviderTraits,
): void {
  describe(`${name}, an adapter`, () => {
    let fixture: ProviderFixture;
    beforeAll(async () => {
      fixture = await setup();
    });
    afterAll(() => fixture.stop());

    const charge = (request: ChargeRequest) => fixture.provider.charge(request, soon());
    const begin = async (wish: Wish, fields?: Partial<ChargeRequest>) => {
      const request = fixture.request(wish, fields);
      return { request, answer: await charge(request) };
    };
    const operationOn = (request: ChargeRequest, answer?: ChargeAnswer): OperationRequest & { reason: undefined } => ({
      ...request,
      transactionId: answer?.transactionId ?? request.transactionId,
      idempotencyKey: randomUUID(),
      reason: undefined,
    });
    const holds = async ({ reference }: { reference: string }, expected: Partial<Held>[]) =>
      eventually(async () => expect(await fixture.held(reference)).toMatchObject(expected));
    /** Done, or to be done without a further call. */
    const isDone = ({ outcome }: OperationAnswer) => expect(['confirmed', 'pending']).toContain(outcome);
    const eventsOf = async (reference: string) => {
      const sent = await fixture.notifications(reference);
      const parsed = await Promise.all(
        sent.map((notification) => fixture.provider.parseNotification(notification, fixture.credentials)),
      );
      return parsed.flatMap(({ events }) => events);
    };

    it('approves, and holds exactly what was asked for', async () => {
      const { request, answer } = await begin('approved');
      expect(answer).toMatchObject({ outcome: 'approved', transactionId: expect.any(String) });
      await holds(request, [{ status: 'captured', amount: '100.1', currency: 'EUR' }]);
    });

    it.each(['declined', 'soft_declined'] as const)('says %s, with a code, and holds nothing', async (wish) => {
      const { request, answer } = await begin(wish);
      expect(answer).toMatchObject({ outcome: wish, declineCode: expect.stringMatching(/^[a-z0-9_]+$/) });
      const held = await fixture.held(request.reference);
      expect(held.filter(({ status }) => status !== 'declined')).toEqual([]);
    });

    it('says processing, with what the payer has to do', async () => {
      const { request, answer } = await begin('next_action');
      const nextAction = { type: 'redirect', url: expect.stringMatching(/^https?:/), method: 'GET' };
      expect(answer).toMatchObject({ outcome: 'processing', nextAction });
      await holds(request, [{ status: 'open' }]);
    });

    it('says unavailable of a call of which not a byte was sent', async () => {
      const request = fixture.request('approved');
      expect(await fixture.chargeUnsent(request)).toMatchObject({
        outcome: 'unavailable',
        reason: expect.any(String),
      });
      expect(await fixture.held(request.reference)).toEqual([]);
    });

    it('rejects where the answer got lost, and charges once when it is repeated under the same key', async () => {
      const request = fixture.request('approved');
      fixture.loseAnswer();
      await expect(charge(request)).rejects.toThrow();
      const repeated = await charge(request);
      expect(repeated).toMatchObject({ outcome: 'approved' });
      expect(await charge(request)).toEqual(repeated);
      await holds(request, [{ status: 'captured' }]);
    });

    it('answers calls under one key at the same time as one charge', async () => {
      const request = fixture.request('approved');
      await Promise.allSettled([charge(request), charge(request), charge(request)]);
      await holds(request, [{ status: 'captured' }]);
    });

    it('takes no other amount under a key that was used', async () => {
      const { request } = await begin('approved');
      await expect(charge({ ...request, amount: '1.00' })).rejects.toThrow();
      await holds(request, [{ status: 'captured', amount: '100.1' }]);
    });

    it('finds what it can look up, as the provider holds it', async () => {
      const { provider } = fixture;
      if (provider.capabilities(fixture.credentials).lookup === 'none') return expect('lookup' in provider).toBe(false);
      const { request, answer } = await begin('approved');
      const state = await provider.lookup!(operationOn(request, answer), soon());
      expect(state).toMatchObject({ status: 'captured', transactionId: answer.transactionId, currency: 'EUR' });
      expect('amount' in state && Number(state.amount)).toBe(100.1);
    });

    it('learns what became of a charge whose answer got lost, by asking or by repeating it', async () => {
      const { provider } = fixture;
      const request = fixture.request('approved');
      fixture.loseAnswer();
      await expect(charge(request)).rejects.toThrow();
      const { lookup } = provider.capabilities(fixture.credentials);
      const known = lookup === 'by_reference' ? await provider.lookup!(request, soon()) : await charge(request);
      const status = lookup === 'by_reference' ? { status: 'captured' } : { outcome: 'approved' };
      expect(known).toMatchObject(status);
    });

    it('voids what is not captured, also when it is asked again', async () => {
      const { request, answer } = await begin('next_action');
      const operation = operationOn(request, answer);
      isDone(await fixture.provider.void(operation, soon()));
      isDone(await fixture.provider.void(operation, soon()));
      await holds(request, [{ status: 'voided' }]);
    });

    it('does not void what is captured', async () => {
      const { request, answer } = await begin('approved');
      const { outcome } = await fixture.provider.void(operationOn(request, answer), soon());
      expect(['refused', 'pending']).toContain(outcome);
      await holds(request, [{ status: 'captured' }]);
    });

    it('voids a reference that the provider does not know, so that nothing is taken under it', async () => {
      const request = fixture.request('approved');
      isDone(await fixture.provider.void(operationOn(request), soon()));
      if (!buriesUnknown) return;
      const late = await charge(request).catch(() => ({ outcome: 'unknown' }));
      expect(late.outcome).not.toBe('approved');
      const held = await fixture.held(request.reference);
      expect(held.filter(({ status }) => status === 'captured')).toEqual([]);
    });

    it('refunds all of it once, however often the call comes under its key', async () => {
      const { request, answer } = await begin('approved');
      const refund = operationOn(request, answer);
      const first = await fixture.provider.refund(refund, soon());
      isDone(first);
      expect(await fixture.provider.refund(refund, soon())).toEqual(first);
      await holds(request, [{ status: 'refunded', amount: '100.1' }]);
    });

    it('gives nothing back twice under another key', async () => {
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

    it.each([
      ['JPY', '500', '500'],
      ['KWD', '5.120', '5.12'],
    ])('charges and gives back %s in its own minor units', async (currency, amount, held) => {
      const { request, answer } = await begin('approved', { currency, amount });
      expect(answer.outcome).toBe('approved');
      await holds(request, [{ status: 'captured', amount: held, currency }]);
      isDone(await fixture.provider.refund(operationOn(request, answer), soon()));
      await holds(request, [{ status: 'refunded', amount: held, currency }]);
    });

    describe('reads notifications', () => {
      const settled = async () => {
        const { request, answer } = await begin('processing');
        expect(answer.outcome).toBe('processing');
        await fixture.settle(request, answer);
        await holds(request, [{ status: 'captured' }]);
        const completed = async () => {
          const events = (await eventsOf(request.reference)).filter(
            ({ status }) => status === 'completed' || status === 'authorized',
          );
          return events.length > 0 && events;
        };
        return { request, answer, events: (await eventually(completed)) || [] };
      };

      it('with the reference, the amount and the currency of the payment', async () => {
        const { request, events } = await settled();
        expect(events[0]).toMatchObject({
          id: expect.any(String),
          match: { reference: request.reference },
          currency: 'EUR',
        });
        expect(Number(events[0]!.amount)).toBe(100.1);
      });

      it('that come again as the same events', async () => {
        const { request } = await settled();
        const ids = async () => (await eventsOf(request.reference)).map(({ id }) => id);
        expect(await ids()).toEqual(await ids());
      });

      it('only as they were signed, and for this shop', async () => {
        const { request } = await settled();
        const [notification] = await fixture.notifications(request.reference);
        const changed = notification!.rawBody.toString().replace(request.reference, randomUUID());
        const parse = (incoming: IncomingNotification, credentials = fixture.credentials) =>
          fixture.provider.parseNotification(incoming, credentials);
        const refusal = { code: 'invalid_signature' };
        await expect(parse({ ...notification!, rawBody: Buffer.from(changed) })).rejects.toMatchObject(refusal);
        await expect(parse(notification!, {})).rejects.toMatchObject(refusal);
      });

      if (!batches) return;
      it('that come together, each of them', async () => {
        const [one, other] = [(await settled()).request.reference, (await settled()).request.reference];
        const { events } = await fixture.provider.parseNotification(
          await fixture.batch!([one, other]),
          fixture.credentials,
        );
        expect(events.map(({ match }) => match.reference)).toEqual(expect.arrayContaining([one, other]));
      });
    });
  });
}

describeProvider('the sandbox', sandboxFixture, { buriesUnknown: true, batches: false });
describeProvider('Stripe', stripeFixture, { buriesUnknown: true, batches: false });
// a cancel by reference of what is not there comes to nothing
describeProvider('Adyen', adyenFixture, { buriesUnknown: false, batches: true });
