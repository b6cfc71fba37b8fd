import assert from 'node:assert/strict';
import type { ChargeRequest, OperationAnswer } from '../../payment-provider.js';
import type { ProviderEvent } from '../../provider-event.js';
import { eventually, hasFields, isDone } from '../assertions.js';
import { type Situation, under, Unexpected } from '../finding.js';
import type { LaterEventName, ProviderFixture } from '../fixture.js';
import {
  begin,
  type Begun,
  capabilitiesOf,
  lookedUpBy,
  operationOn,
  parsedOf,
  plays,
  soon,
  stateOf,
} from '../steps.js';

const manual = { capture: 'manual' } as const;
type Kind = 'capture' | 'void' | 'refund';

const eventsOf = async (fixture: ProviderFixture, { request }: Begun): Promise<ProviderEvent[]> =>
  (await parsedOf(fixture, request.reference)).flatMap(({ events }) => events);
const asks = async (fixture: ProviderFixture, { request }: Begun): Promise<boolean> =>
  (await parsedOf(fixture, request.reference)).some(({ ask = [] }) => ask.length > 0);

/** An operation on a charge, made. */
async function made(fixture: ProviderFixture, kind: Kind, fields: Partial<ChargeRequest>, amount?: string) {
  const begun = await begin(fixture, 'approved', { ...(kind !== 'refund' && manual), ...fields });
  const operation = {
    ...operationOn(begun),
    authorizedAmount: begun.request.amount,
    ...(amount !== undefined && { amount }),
  };
  const answer: OperationAnswer = await fixture.provider[kind]!(operation, soon());
  isDone(answer);
  const find = () =>
    fixture.provider.lookupOperation!({ ...operation, kind, operationId: answer.operationId ?? null }, soon());
  return { begun, answer, operationId: answer.operationId, find };
}

/** The event comes; `undefined`: this provider only asks, or reports no such events. */
async function comes(
  fixture: ProviderFixture,
  begun: Begun,
  statuses: readonly ProviderEvent['status'][],
): Promise<ProviderEvent | undefined> {
  return eventually(async () => {
    const events = await eventsOf(fixture, begun);
    const found = events.filter(({ status }) => statuses.includes(status));
    if (found.length === 0 && (await asks(fixture, begun))) return undefined;
    if (found.length === 0)
      throw new Unexpected(
        `an event ${statuses.join(' or ')}`,
        events.map(({ status }) => status),
      );
    return found.at(-1);
  });
}

/** The event is about this operation: it names its id, if the answer and the event have ids. */
function isAbout({ status, operationId }: ProviderEvent, answered: string | undefined): void {
  if (answered === undefined && operationId === undefined) return;
  if (operationId !== answered && (answered !== undefined || status.startsWith('refund')))
    throw new Unexpected(`operationId ${String(answered)}, as in the answer`, operationId, `the event ${status}`);
}

/** An accepted operation is declined later. */
const declinedLater =
  (kind: Kind, name: LaterEventName, failed: ProviderEvent['status'], done: ProviderEvent['status']) =>
  async (fixture: ProviderFixture): Promise<void> => {
    if (kind !== 'refund' && !capabilitiesOf(fixture).manualCapture) return;
    const event = fixture.later?.[name];
    if (!plays(fixture, name, `later.${name}`, event)) return;
    const { begun, operationId, find } = await made(fixture, kind, event!.fields ?? {});
    await event!.play?.({ ...begun, operationId });
    const reported = await comes(fixture, begun, [failed]);
    if (reported) {
      isAbout(reported, operationId);
      const events = await eventsOf(fixture, begun);
      const after = events.slice(events.findIndex(({ id }) => id === reported.id) + 1);
      const contradiction = after.find((one) => one.status === done && one.operationId === reported.operationId);
      if (contradiction) throw new Unexpected(`no ${done} after ${failed}`, contradiction);
    }
    if (lookedUpBy(fixture).includes(kind))
      await eventually(async () => hasFields(await find(), { outcome: 'refused' }));
    else if (!reported) throw new Unexpected(`an event ${failed}, or a look-up of the ${kind}`, 'neither');
  };

/** Events of an operation that succeeds. */
const reportedAs =
  (kind: Kind, statuses: readonly ProviderEvent['status'][], part?: string) =>
  async (fixture: ProviderFixture): Promise<void> => {
    const { manualCapture, partialCapture, partialRefund } = capabilitiesOf(fixture);
    if (kind !== 'refund' && !manualCapture) return;
    const canPart = kind === 'refund' ? partialRefund : partialCapture;
    const { begun, operationId } = await made(fixture, kind, {}, canPart ? part : undefined);
    const event = await eventually(async () => {
      const events = await eventsOf(fixture, begun);
      const found = events.findLast(({ status }) => statuses.includes(status));
      const wrong = kind === 'capture' ? undefined : events.find(({ status }) => status.endsWith('_failed'));
      if (wrong) throw new Unexpected(`no failure of a ${kind} that was made`, wrong);
      return found;
    });
    if (!event) return;
    if (kind === 'refund') isAbout(event, operationId);
    if (part !== undefined && canPart && event.amount !== undefined && Number(event.amount) !== Number(part))
      throw new Unexpected(part, event.amount, `the amount of the event ${event.status}`);
  };

export const LATER_EVENTS: Situation[] = under('notifications', {
  'a charge that ends later is declined': async (fixture) => {
    const event = fixture.later?.charge_declined;
    if (fixture.lacks?.includes('processing') || !plays(fixture, 'charge_declined', 'later.charge_declined', event))
      return;
    const begun = await begin(fixture, 'processing', event!.fields);
    await event!.play?.({ ...begun, operationId: undefined });
    const reported = await comes(fixture, begun, ['failed', 'cancelled']);
    const good = (await eventsOf(fixture, begun)).find(
      ({ status }) => status === 'completed' || status === 'authorized',
    );
    if (good) throw new Unexpected('no event of a payment', good);
    if (reported?.status === 'failed' && reported.declineCode !== undefined)
      assert.match(reported.declineCode, /^[a-z0-9_]+$/);
    const state = await stateOf(fixture, begun);
    if (state && !['declined', 'voided'].includes(state.status)) throw new Unexpected('declined', state);
  },

  'a refund that was accepted is declined': declinedLater('refund', 'refund_declined', 'refund_failed', 'refunded'),
  'a capture that was accepted is declined': declinedLater(
    'capture',
    'capture_declined',
    'capture_failed',
    'completed',
  ),
  'a void that was accepted is declined': declinedLater('void', 'void_declined', 'void_failed', 'cancelled'),

  'an authorisation lapses': async (fixture) => {
    const event = fixture.later?.lapse;
    if (!capabilitiesOf(fixture).manualCapture || !plays(fixture, 'lapse', 'later.lapse', event)) return;
    const begun = await begin(fixture, 'approved', { ...manual, ...event!.fields });
    await event!.play?.({ ...begun, operationId: undefined });
    await comes(fixture, begun, ['authorization_expired', 'cancelled']);
    const operation = { ...operationOn(begun), authorizedAmount: begun.request.amount };
    const captured = await fixture.provider.capture!(operation, soon());
    if (captured.outcome === 'confirmed') throw new Unexpected('refused or pending', captured, 'a capture after it');
    const state = await stateOf(fixture, begun);
    if (state && !['voided', 'declined'].includes(state.status)) throw new Unexpected('voided', state);
  },

  'a part is captured: the event has the captured amount': reportedAs('capture', ['completed'], '60.00'),
  'a part is refunded: the event has its amount and its id': reportedAs(
    'refund',
    ['refunded', 'refund_pending'],
    '40.00',
  ),
  'an authorisation is voided: the event is about a cancellation': reportedAs('void', ['cancelled']),

  'two refunds: each event names its own': async (fixture) => {
    if (!capabilitiesOf(fixture).partialRefund) return;
    const begun = await begin(fixture, 'approved');
    const answers = new Map<unknown, string>();
    for (const amount of ['40.00', '10.50']) {
      const { operationId } = await fixture.provider.refund({ ...operationOn(begun), amount }, soon());
      answers.set(operationId, amount);
    }
    const events = await eventually(async () => {
      const found = (await eventsOf(fixture, begun)).filter(
        ({ status }) => status === 'refunded' || status === 'refund_pending',
      );
      if (found.length < 2 && !(await asks(fixture, begun)) && found.length > 0)
        throw new Unexpected('an event of each', found);
      return found;
    });
    for (const { operationId, amount } of events) {
      if (operationId === undefined) continue;
      const own = answers.get(operationId);
      if (own === undefined) throw new Unexpected(`operationId ${[...answers.keys()].join(' or ')}`, operationId);
      if (amount !== undefined && Number(amount) !== Number(own))
        throw new Unexpected(own, amount, `the event of ${operationId}`);
    }
  },

  'an authorisation is reported: nothing is completed before the capture': async (fixture) => {
    if (!capabilitiesOf(fixture).manualCapture) return;
    const begun = await begin(fixture, 'approved', manual);
    const events = await eventsOf(fixture, begun);
    const early = events.find(({ status }) => status === 'completed' || status === 'refunded');
    if (early) throw new Unexpected('authorized', early);
    const limit = Date.now() + 400 * 86_400_000;
    for (const { captureBefore } of events)
      if (captureBefore && (captureBefore.getTime() < Date.now() || captureBefore.getTime() > limit))
        throw new Unexpected('captureBefore within the next 400 days', captureBefore);
  },
});
