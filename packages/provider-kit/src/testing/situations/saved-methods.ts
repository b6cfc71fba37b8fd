import { eventually, holds } from '../assertions.js';
import { type Situation, under, Unexpected } from '../finding.js';
import type { ProviderFixture } from '../fixture.js';
import { begin, type Begun, canEndAs, parsedOf, soon } from '../steps.js';

/** The token that the charge has saved: its answer or a notification tells it. */
async function savedBy(fixture: ProviderFixture, { request, answer }: Begun): Promise<string> {
  if ('savedMethod' in answer && answer.savedMethod) return answer.savedMethod.token;
  return eventually(async () => {
    const events = (await parsedOf(fixture, request.reference)).flatMap((one) => one.events);
    const token = events.find(({ savedMethod }) => savedMethod)?.savedMethod?.token;
    if (token === undefined) throw new Unexpected('savedMethod in the answer or an event', answer);
    return token;
  });
}

/** The calls of a charge that the merchant begins differ from those of one that the payer begins. */
async function tellsWhoBegins(fixture: ProviderFixture, token: string): Promise<void> {
  const { wire, provider } = fixture;
  if (!wire) return;
  const sent = async (initiator: 'merchant' | 'customer') => {
    const from = wire.exchanges.length;
    const request = fixture.request('approved', { paymentMethod: { token }, initiator });
    await provider.charge(request, soon());
    const bodies = wire.exchanges.slice(from).map(({ request: { body = '', url } }) => url.pathname + body);
    return bodies.join('\n').replaceAll(request.reference, '').replaceAll(request.idempotencyKey, '');
  };
  if ((await sent('merchant')) === (await sent('customer')))
    throw new Unexpected('`initiator: merchant` is sent to the provider', 'the same call as for a payer');
}

/** No call has a path or a query that an id has made. */
export function keepsItsPath({ wire }: ProviderFixture, from: number, id: string): void {
  for (const { request } of wire?.exchanges.slice(from) ?? []) {
    const { pathname, search, href } = request.url;
    if (/^(\/v\d+)?\/account$/.test(pathname) || /[?&]y=1/.test(search))
      throw new Unexpected('an encoded id in the path', href, id);
  }
}

export const SAVED_METHODS: Situation[] = under('notifications', {
  'a payment method is saved, charged without the payer, and removed': async (fixture) => {
    if (!canEndAs(fixture, 'saved_method')) return;
    const { provider, credentials } = fixture;
    const token = await savedBy(fixture, await begin(fixture, 'approved', { ...fixture.savable, save: true }));
    const later = await begin(fixture, 'approved', { paymentMethod: { token }, initiator: 'merchant' });
    if (later.answer.outcome !== 'approved')
      throw new Unexpected('approved', later.answer, 'a charge of the saved method');
    await holds(fixture, later.request, [{ status: 'captured' }]);
    if (canEndAs(fixture, 'initiator')) await tellsWhoBegins(fixture, token);
    if (!provider.detach) return;
    const removed = await provider.detach({ token, credentials }, soon());
    if (removed.outcome !== 'confirmed') throw new Unexpected('confirmed', removed, 'its removal');
    const again = await provider.detach({ token, credentials }, soon());
    if (!['confirmed', 'not_found'].includes(again.outcome))
      throw new Unexpected('not_found', again, 'its second removal');
    const { answer } = await begin(fixture, 'approved', { paymentMethod: { token }, initiator: 'merchant' });
    if (answer.outcome !== 'soft_declined' || answer.declineCode !== 'payment_method_unusable')
      throw new Unexpected('soft_declined, payment_method_unusable', answer, 'a charge after its removal');
  },

  'nothing is saved without `save`, or by a declined charge': async (fixture) => {
    const plain = await begin(fixture, 'approved');
    if ('savedMethod' in plain.answer && plain.answer.savedMethod)
      throw new Unexpected('no savedMethod', plain.answer, 'without `save`');
    if (!canEndAs(fixture, 'saved_method') || !canEndAs(fixture, 'declined')) return;
    const { answer } = await begin(fixture, 'declined', { save: true });
    if ('savedMethod' in answer && answer.savedMethod) throw new Unexpected('no savedMethod', answer, 'declined');
  },

  'a method that the account does not have is removed': async (fixture) => {
    if (!fixture.provider.detach) return;
    for (const token of ['unknown_7f3a', 'cus_x/pm_x', '../account', '../../account', 'x?y=1', '']) {
      const from = fixture.wire?.exchanges.length ?? 0;
      const answer = await fixture.provider.detach({ token, credentials: fixture.credentials }, soon());
      if (answer.outcome !== 'not_found') throw new Unexpected('not_found', answer, JSON.stringify(token));
      keepsItsPath(fixture, from, token);
    }
  },

  'a charge names a method that the account does not have': async (fixture) => {
    for (const paymentMethod of [{ token: 'unknown_7f3a' }, { token: 'constructor' }]) {
      const { answer, request } = await begin(fixture, 'approved', { paymentMethod });
      if (answer.outcome !== 'soft_declined' || answer.declineCode !== 'payment_method_unusable')
        throw new Unexpected('soft_declined, payment_method_unusable', answer, JSON.stringify(paymentMethod));
      const held = (await fixture.held(request.reference)).filter(({ status }) => status !== 'declined');
      if (held.length > 0) throw new Unexpected('nothing in the books', held);
    }
  },
});
