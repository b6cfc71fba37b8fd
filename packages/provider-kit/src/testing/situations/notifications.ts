import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingNotification, ProviderEvent } from '../../provider-event.js';
import { eventually, hasFields, holds, isText } from '../assertions.js';
import { type Situation, under } from '../finding.js';
import type { ProviderFixture } from '../fixture.js';
import { begin, type Begun, canEndAs, parsedOf, soon, stateOf } from '../steps.js';

const eventsOf = async (fixture: ProviderFixture, reference: string): Promise<ProviderEvent[]> =>
  (await parsedOf(fixture, reference)).flatMap(({ events }) => events);
const askedOf = async (fixture: ProviderFixture, reference: string): Promise<string[]> =>
  (await parsedOf(fixture, reference)).flatMap(({ ask = [] }) => ask);

/** A charge that ended later, and what its notifications say. */
async function completed(fixture: ProviderFixture): Promise<Begun & { events: ProviderEvent[]; ask: string[] }> {
  const begun = await begin(fixture, 'processing');
  const { request, answer } = begun;
  hasFields(answer, { outcome: 'processing' });
  await fixture.settle(request, answer);
  await holds(fixture, request, [{ status: 'captured' }]);
  return eventually(async () => {
    const all = await eventsOf(fixture, request.reference);
    const events = all.filter(({ status }) => status === 'completed' || status === 'authorized');
    const ask = await askedOf(fixture, request.reference);
    assert.ok(events.length + ask.length > 0, 'no notification reports the outcome');
    return { ...begun, events, ask };
  });
}

export const NOTIFICATION_CHECKS: Situation[] = under('notifications', {
  'parses notifications with the reference, the amount and the currency of the payment': async (fixture) => {
    if (!canEndAs(fixture, 'processing')) return;
    const { request, answer, events, ask } = await completed(fixture);
    const [event] = events;
    if (event === undefined) {
      // it only names the transaction, and its look-up has the rest
      assert.deepEqual([...new Set(ask)], [answer.transactionId]);
      hasFields(await stateOf(fixture, { request, answer }), { status: 'captured', currency: 'EUR' });
      return;
    }
    isText(event.id);
    hasFields(event.match, { reference: request.reference });
    hasFields(event, { currency: 'EUR' });
    assert.equal(Number(event.amount), 100.1);
  },

  'parses repeated notifications to the same events': async (fixture) => {
    if (!canEndAs(fixture, 'processing')) return;
    const { request } = await completed(fixture);
    const ids = async () => [
      ...(await eventsOf(fixture, request.reference)).map(({ id }) => id),
      ...(await askedOf(fixture, request.reference)),
    ];
    assert.deepEqual(await ids(), await ids());
  },

  'accepts only a valid signature of this shop, if it has a secret for it': async (fixture) => {
    const { provider, credentials } = fixture;
    const isSigned = provider.credentialFields.some(({ usedFor }) => usedFor === 'notifications');
    if (!isSigned || !canEndAs(fixture, 'processing')) return;
    const { request } = await completed(fixture);
    const [notification] = await fixture.notifications(request.reference);
    const changed = notification!.rawBody.toString().replace(request.reference, randomUUID());
    const parse = (incoming: IncomingNotification, of = credentials) =>
      provider.parseNotification(incoming, of, soon());
    const refusal = { code: 'invalid_signature' };
    await assert.rejects(parse({ ...notification!, rawBody: Buffer.from(changed) }), refusal);
    await assert.rejects(parse(notification!, {}), refusal);
  },

  'refuses any body as forged without credentials, if it has a secret for it': async ({ provider }) => {
    if (!provider.credentialFields.some(({ usedFor }) => usedFor === 'notifications')) return;
    for (const body of ['', 'no JSON', '{}', '[]', 'null']) {
      const incoming = { rawBody: Buffer.from(body), headers: {}, shopId: 1, query: {} };
      await assert.rejects(provider.parseNotification(incoming, {}, soon()), { code: 'invalid_signature' });
    }
  },

  'parses a notification of a dispute, with its id and its amount, if it reports disputes': async (fixture) => {
    if (!fixture.dispute) return;
    const { request, answer } = await begin(fixture, 'approved');
    const sent = await fixture.dispute(request, answer);
    const parsed = await Promise.all(
      sent.map((one) => fixture.provider.parseNotification(one, fixture.credentials, soon())),
    );
    const disputed = parsed.flatMap(({ events }) => events).filter(({ status }) => status === 'disputed');
    const [event] = disputed;
    isText(event?.dispute?.id);
    hasFields(event?.dispute, { kind: 'chargeback', status: 'open', currency: 'EUR' });
    assert.equal(Number(event!.dispute!.amount), 100.1);
    const { transactionId, reference } = event!.match;
    assert.ok(transactionId === answer.transactionId || reference === request.reference);
    assert.equal(new Set(disputed.map(({ dispute }) => dispute!.id)).size, 1);
  },

  'parses each notification of a batch, if there are batches': async (fixture) => {
    if (!fixture.batch || !canEndAs(fixture, 'processing')) return;
    const references = [(await completed(fixture)).request.reference, (await completed(fixture)).request.reference];
    const batch = await fixture.batch(references);
    const { events } = await fixture.provider.parseNotification(batch, fixture.credentials, soon());
    const named = new Set(events.map(({ match }) => match.reference));
    assert.deepEqual(
      references.filter((reference) => !named.has(reference)),
      [],
    );
  },
});
