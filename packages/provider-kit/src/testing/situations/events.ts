import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingNotification, ParsedNotification, ProviderEvent } from '../../provider-event.js';
import { type Situation, under, Unexpected } from '../finding.js';
import type { ProviderFixture } from '../fixture.js';
import { jsonChanges } from '../json-changes.js';
import { begin, type Begun, incomingOf, loseAnswer, operationOn, parsedOf, soon } from '../steps.js';

const REFUSALS = ['invalid_signature', 'malformed_json', 'validation_failed'];
const NO_NOTIFICATIONS = ['x', '{', '[]', 'null', '7', '"text"', '{}', ''];
const DAY_MS = 86_400_000;
/** Statuses with money or an end, which an event may not get by a value that the provider never sends. */
const MEANINGFUL = new Set<ProviderEvent['status']>([
  'authorized',
  'authorization_expired',
  'completed',
  'failed',
  'cancelled',
  'refunded',
  'void_failed',
  'refund_failed',
  'capture_failed',
  'disputed',
]);

const isSigned = ({ provider }: ProviderFixture): boolean =>
  provider.credentialFields.some(({ usedFor }) => usedFor === 'notifications');

function signerOf(fixture: ProviderFixture): NonNullable<ProviderFixture['sign']> | undefined {
  if (fixture.sign) return (body, signer) => fixture.sign!(body, signer);
  if (isSigned(fixture)) throw new Unexpected('the fixture has `sign`, because notifications are signed', 'it has not');
  return undefined;
}

const parse = (
  { provider, credentials }: ProviderFixture,
  incoming: IncomingNotification,
  of: Record<string, unknown> = credentials,
): Promise<ParsedNotification> => provider.parseNotification(incoming, of, soon());

/** Rejects with one of `codes`, which the service answers to the provider. */
async function refuses(call: Promise<unknown>, codes: readonly string[], detail: string): Promise<void> {
  const got: unknown = await call.catch((error: unknown) => error);
  const { code } = got as { code?: unknown };
  if (!(got instanceof Error) || typeof code !== 'string' || !codes.includes(code))
    throw new Unexpected(`NotificationRefused, ${codes.join(' or ')}`, got, detail);
}

/** A charge with all that its provider tells: paid, refunded or captured in part, and what was sent about it. */
async function reported(fixture: ProviderFixture): Promise<Begun & { sent: IncomingNotification[] }> {
  const begun = await begin(fixture, 'approved');
  await fixture.provider.refund(operationOn(begun), soon());
  const sent = await incomingOf(fixture, begun.request.reference);
  return { ...begun, sent };
}

export const EVENTS: Situation[] = under('notifications', {
  'a notification is signed with another key, or not': async (fixture) => {
    const sign = signerOf(fixture);
    if (!sign) return;
    const { sent } = await reported(fixture);
    for (const { rawBody } of sent) {
      const text = rawBody.toString();
      await parse(fixture, sign(text, 'this_shop'));
      await refuses(parse(fixture, sign(text, 'another_key')), ['invalid_signature'], 'signed with another key');
      await refuses(parse(fixture, sign(text, 'no_one')), ['invalid_signature'], 'not signed');
    }
  },

  'a signature is cut, doubled, empty or of odd characters': async (fixture) => {
    if (!isSigned(fixture)) return;
    const { sent } = await reported(fixture);
    const [one] = sent;
    if (!one) return;
    const signatures = Object.entries(one.headers).filter(
      ([name, value]) => /sig|hmac|digest/i.test(name) && typeof value === 'string',
    );
    for (const [name, value] of signatures as [string, string][]) {
      const odd = [
        '',
        'x',
        value.slice(0, -8),
        `${value.slice(0, -4)}zzzz`,
        'ü'.repeat(value.length),
        '0'.repeat(64),
        '=',
      ];
      for (const given of odd)
        await refuses(
          parse(fixture, { ...one, headers: { ...one.headers, [name]: given } }),
          ['invalid_signature'],
          `${name}: ${given}`,
        );
      await refuses(
        parse(fixture, { ...one, headers: { ...one.headers, [name]: [value, value] } }),
        ['invalid_signature'],
        `${name} twice`,
      );
    }
  },

  'a signed body was changed': async (fixture) => {
    if (!isSigned(fixture)) return;
    const { sent, request } = await reported(fixture);
    for (const one of sent) {
      const text = one.rawBody.toString();
      for (const [from, to] of [
        [request.reference, randomUUID()],
        ['10010', '10011'],
        ['100.10', '100.11'],
        ['100.1', '100.2'],
      ] as const) {
        if (!text.includes(from)) continue;
        await refuses(
          parse(fixture, { ...one, rawBody: Buffer.from(text.replace(from, to)) }),
          ['invalid_signature'],
          `${from} became ${to}`,
        );
      }
    }
  },

  'a signed body is no notification': async (fixture) => {
    const sign = signerOf(fixture);
    for (const body of NO_NOTIFICATIONS) {
      const incoming = sign
        ? sign(body, 'this_shop')
        : { rawBody: Buffer.from(body), headers: {}, query: {}, shopId: 1 };
      await refuses(parse(fixture, incoming), REFUSALS, `the body ${JSON.stringify(body)}`);
    }
  },

  'a signed event has an unknown value, or lacks one': async (fixture) => {
    const sign = signerOf(fixture);
    if (!sign) return;
    const { sent, request } = await reported(fixture);
    for (const { rawBody } of sent) {
      const value = JSON.parse(rawBody.toString()) as unknown;
      const before = new Set(
        (await parse(fixture, sign(rawBody.toString(), 'this_shop'))).events.map(({ status }) => status),
      );
      for (const change of jsonChanges(value)) {
        const got = await parse(fixture, sign(JSON.stringify(change.apply(value)), 'this_shop')).catch(
          (error: unknown) => error,
        );
        const detail = `the event has ${change.shown}`;
        if (got instanceof Error) {
          const { code } = got as { code?: string };
          if (!REFUSALS.includes(code ?? '') && code !== 'malformed_answer' && code !== 'dependency_unavailable')
            throw new Unexpected('NotificationRefused or `ignored`', got, detail);
          continue;
        }
        for (const { status, match } of (got as ParsedNotification).events) {
          if (MEANINGFUL.has(status) && !before.has(status))
            throw new Unexpected(`${[...before].join(', ')} or ignored`, status, detail);
          if (
            match.reference !== undefined &&
            ![request.reference, 'zz_unknown', 'constructor'].includes(match.reference)
          )
            throw new Unexpected(request.reference, match.reference, detail);
        }
      }
    }
  },

  'events have ids of their own, the time of now, and nothing secret or of the payer': async (fixture) => {
    const customer = { id: 7, email: 'payer.7f3a@example.com', firstName: 'Adaline', lastName: 'Byronson' };
    const begun = await begin(fixture, 'approved', { customer });
    await fixture.provider.refund(operationOn(begun), soon());
    await incomingOf(fixture, begun.request.reference);
    const events = (await parsedOf(fixture, begun.request.reference)).flatMap((one) => one.events);
    const ids = events.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
    for (const { occurredAt, data, status, match } of events) {
      if (occurredAt && Math.abs(occurredAt.getTime() - Date.now()) > DAY_MS)
        throw new Unexpected('the time of now', occurredAt, `occurredAt of ${status}`);
      const text = JSON.stringify(data);
      for (const part of [customer.email, customer.firstName, customer.lastName, 'client_secret'])
        if (text.includes(part)) throw new Unexpected('data without secrets and facts of the payer', data, status);
      if (status !== 'ignored' && match.transactionId === undefined && match.reference === undefined)
        throw new Unexpected('a transactionId or a reference', match, status);
    }
  },

  'a notification comes before the answer: it names our reference': async (fixture) => {
    const request = fixture.request('approved');
    loseAnswer(fixture);
    await fixture.provider.charge(request, soon()).catch(() => undefined);
    await incomingOf(fixture, request.reference);
    const parsed = await parsedOf(fixture, request.reference);
    for (const { status, match } of parsed.flatMap(({ events }) => events)) {
      if (status === 'ignored') continue;
      const found =
        match.reference ??
        (match.transactionId &&
          (await fixture.provider.findReference?.(match.transactionId, { credentials: fixture.credentials }, soon())));
      if (found !== request.reference)
        throw new Unexpected(`the reference ${request.reference}`, match, `the event ${status}`);
    }
  },

  'events of the charge name our reference or the answer’s transaction': async (fixture) => {
    const { sent, request, answer } = await reported(fixture);
    for (const one of sent) {
      const { events, ask = [] } = await parse(fixture, one);
      for (const { match, status } of events) {
        if (status === 'ignored') continue;
        const isOurs = match.reference === undefined || match.reference === request.reference;
        const isKnown = match.reference !== undefined || match.transactionId === answer.transactionId;
        if (!isOurs || !isKnown)
          throw new Unexpected(`${request.reference} or ${answer.transactionId}`, match, `the event ${status}`);
      }
      for (const id of ask)
        if (id !== answer.transactionId) throw new Unexpected(String(answer.transactionId), id, 'ask');
    }
  },

  'the same notification is parsed by another process: the same events': async (fixture) => {
    if (!fixture.another) return;
    const { sent } = await reported(fixture);
    const other = await fixture.another();
    for (const one of sent) {
      const [mine, theirs] = [
        await parse(fixture, one),
        await other.parseNotification(one, fixture.credentials, soon()),
      ];
      assert.deepEqual(theirs, mine);
    }
  },

  'a notification of another account of the provider comes to this shop': async (fixture) => {
    const { secondAccount } = fixture;
    if (!isSigned(fixture) || !secondAccount) return;
    const { sent } = await reported(fixture);
    const names = fixture.provider.credentialFields
      .filter(({ usedFor }) => usedFor === 'notifications')
      .map(({ name }) => name);
    if (names.every((name) => secondAccount.credentials[name] === fixture.credentials[name])) return;
    for (const one of sent)
      await refuses(
        parse(fixture, one, secondAccount.credentials),
        ['invalid_signature'],
        'with the other shop’s credentials',
      );
  },

  'an event is about a payment of another system': async (fixture) => {
    const sign = signerOf(fixture);
    if (!sign || !fixture.provider.accountsAreShared) return;
    const { sent, request } = await reported(fixture);
    for (const { rawBody } of sent) {
      const text = rawBody.toString().replaceAll(request.reference, 'ORDER-1');
      const got = await parse(fixture, sign(text, 'this_shop')).catch((error: unknown) => error as Error);
      if (got instanceof Error) {
        await refuses(Promise.reject(got), [...REFUSALS, 'dependency_unavailable'], 'the reference is ORDER-1');
        continue;
      }
      if (got.events.some(({ match }) => match.reference === request.reference))
        throw new Unexpected('no reference of ours', got.events);
    }
  },

  'a dispute’s event comes again: it keeps its id and its time': async (fixture) => {
    if (!fixture.dispute) return;
    const { request, answer } = await begin(fixture, 'approved');
    for (const one of await fixture.dispute(request, answer)) {
      const first = await parse(fixture, one);
      await delay(5); // its own time would differ
      const again = await parse(fixture, one);
      assert.deepEqual(again, first);
      for (const { status, occurredAt } of first.events)
        if (status === 'disputed' && !(occurredAt instanceof Date))
          throw new Unexpected('occurredAt, which orders the reports', occurredAt, status);
    }
  },
});
