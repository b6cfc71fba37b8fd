import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { holds } from '../assertions.js';
import { callsOf, isChange, resultOf, stepsOf, wireOf } from '../calls.js';
import { type Situation, under, Unexpected } from '../finding.js';
import type { Held, ProviderFixture } from '../fixture.js';
import { begin, capabilitiesOf, operationOn, soon } from '../steps.js';
import type { Exchange } from '../wire.js';

/** Headers that may differ between two equal calls. */
const OWN = new Set(['authorization', 'content-length', 'user-agent']);

const sentBy = async (fixture: ProviderFixture, call: () => Promise<unknown>): Promise<Exchange[]> => {
  const from = wireOf(fixture).exchanges.length;
  await call();
  return wireOf(fixture).exchanges.slice(from).filter(isChange);
};

const shownCall = ({ request: { method, url, headers, body } }: Exchange) => {
  const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { method, url: url.href, headers: Object.fromEntries(sent.filter(([name]) => !OWN.has(name)).sort()), body };
};
const headersOf = (exchange: Exchange): string => Object.values(exchange.request.headers).join('\n');
const textOf = ({ request: { url, headers, body = '' } }: Exchange): string =>
  [
    url.href,
    decodeURIComponent(url.search.replaceAll('+', ' ')),
    ...Object.values(headers),
    body,
    decodeBody(body),
  ].join('\n');
function decodeBody(body: string): string {
  try {
    return decodeURIComponent(body.replaceAll('+', ' '));
  } catch {
    return '';
  }
}

/** The books after a call that took effect once, by the member of the port. */
const AFTER: Readonly<Record<string, Held['status']>> = { capture: 'captured', void: 'voided', refund: 'refunded' };

export const REPEATS: Situation[] = under('idempotency-and-recovery', {
  'the answer of any call is lost, and the call is repeated by another process': async (fixture) => {
    if (!fixture.wire) return;
    for (const call of callsOf(fixture)) {
      const changes = (await stepsOf(fixture.wire, call)).filter((step) => step.isChange);
      for (const [index, step] of changes.entries()) {
        const { make, begun } = await call.prepare!();
        fixture.wire.loseNext(step);
        const lost = await resultOf(make(soon()));
        if (fixture.wire.clear()) continue;
        const detail = `${call.name}, the answer to ${step.shown} is lost`;
        const mayEnd = call.member === 'detach' || call.member === 'credentials' ? ['rejects', 'unknown'] : ['rejects'];
        if (!mayEnd.includes(lost.name)) throw new Unexpected('rejects', lost.value, detail);
        const again = await resultOf(make(soon()));
        if (again.name === 'rejects') throw new Unexpected('the repeat shows the outcome', again.value, detail);
        if (!begun || index < changes.length - 1) continue;
        const charged = begun.request.capture === 'manual' ? 'authorized' : 'captured';
        const status = call.member === 'charge' ? charged : AFTER[call.member];
        if (status) await holds(fixture, begun.request, [{ status, amount: '100.1' }]);
      }
    }
  },

  'a call is repeated: the provider gets the same bytes, also from another process': async (fixture) => {
    if (!fixture.wire) return;
    const other = (await fixture.another?.()) ?? fixture.provider;
    const request = fixture.request('approved');
    const first = await sentBy(fixture, () => fixture.provider.charge(request, soon()));
    const again = await sentBy(fixture, () => other.charge(request, soon()));
    assert.deepEqual(again.map(shownCall), first.map(shownCall));
    const refund = operationOn({ request, answer: await other.charge(request, soon()) });
    const one = await sentBy(fixture, () => fixture.provider.refund(refund, soon()));
    const two = await sentBy(fixture, () => other.refund(refund, soon()));
    assert.deepEqual(two.map(shownCall), one.map(shownCall));
  },

  'each call that changes something has its own idempotency key in a header': async (fixture) => {
    if (!fixture.wire) return;
    const { provider } = fixture;
    const { manualCapture } = capabilitiesOf(fixture);
    const request = fixture.request('approved');
    const charges = await sentBy(fixture, () => provider.charge(request, soon()));
    const last = charges.at(-1);
    if (last && ![request.idempotencyKey, request.reference].some((key) => headersOf(last).includes(key)))
      throw new Unexpected('the idempotencyKey in a header of the charge', Object.keys(last.request.headers));
    const begun = await begin(fixture, 'approved', manualCapture ? { capture: 'manual' } : {});
    const operation = operationOn(begun);
    const posts: [string, string, Exchange[]][] = [];
    const add = async (name: string, make: (of: typeof operation) => Promise<unknown>) => {
      const of = { ...operation, idempotencyKey: randomUUID() };
      posts.push([name, of.idempotencyKey, await sentBy(fixture, () => make(of))]);
    };
    if (manualCapture) await add('capture', (of) => provider.capture!({ ...of, authorizedAmount: of.amount }, soon()));
    await holds(fixture, begun.request, [{ status: 'captured' }]);
    await add('refund', (of) => provider.refund(of, soon()));
    const voidable = operationOn(
      await begin(fixture, manualCapture ? 'approved' : 'next_action', manualCapture ? { capture: 'manual' } : {}),
    );
    await add('void', (of) =>
      provider.void({ ...of, ...{ reference: voidable.reference, transactionId: voidable.transactionId } }, soon()),
    );
    for (const [name, key, exchanges] of posts) {
      const main = exchanges.find(({ request: { method } }) => method === 'POST');
      if (main && !headersOf(main).includes(key))
        throw new Unexpected(`the idempotencyKey of the ${name} in a header`, main.request.headers, name);
    }
  },

  'the charge has our reference, so that look-ups and notifications have it': async (fixture) => {
    if (!fixture.wire) return;
    const request = fixture.request('approved');
    const sent = await sentBy(fixture, () => fixture.provider.charge(request, soon()));
    if (sent.length === 0) throw new Unexpected('the charge is made by `http.call`', 'no call');
    const bodies = sent.map(({ request: { body = '', url } }) => `${url.href} ${body}`).join('\n');
    if (!bodies.includes(request.reference)) throw new Unexpected('the reference in the body of the charge', 'none');
  },

  'the payer’s way back is sent with the charge': async (fixture) => {
    const returnUrl = 'https://shop.example/back-7f3a';
    if (!fixture.wire || fixture.lacks?.includes('next_action') || fixture.provider.completesRedirects) return;
    const request = fixture.request('next_action', { returnUrl });
    const sent = await sentBy(fixture, () => fixture.provider.charge(request, soon()));
    if (!sent.some((exchange) => textOf(exchange).includes(returnUrl)))
      throw new Unexpected('the returnUrl in the charge', 'none');
  },

  'two refunds of the same amount are two refunds, and both are there': async (fixture) => {
    if (!capabilitiesOf(fixture).partialRefund) return;
    const begun = await begin(fixture, 'approved');
    const ids: unknown[] = [];
    for (const key of [randomUUID(), randomUUID()]) {
      const of = { ...operationOn(begun), amount: '50.05', idempotencyKey: key };
      ids.push((await fixture.provider.refund(of, soon())).operationId);
    }
    assert.equal(new Set(ids).size, 2, 'the two refunds have ids of their own');
    await holds(fixture, begun.request, [{ status: 'refunded' }]);
  },

  'another process makes the later calls': async (fixture) => {
    if (!fixture.another) return;
    const begun = await begin(fixture, 'approved');
    const other = await fixture.another();
    await other.refund(operationOn(begun), soon());
    await holds(fixture, begun.request, [{ status: 'refunded' }]);
  },
});
