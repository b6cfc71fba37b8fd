import assert from 'node:assert/strict';
import type { ChargeRequest } from '../payment-provider.js';
import { Unexpected } from './finding.js';
import type { ProviderFixture } from './fixture.js';
import { begin, type Begun, canEndAs, capabilitiesOf, incomingOf, lookedUpBy, operationOn } from './steps.js';
import type { Exchange, Wire } from './wire.js';

/** A call of the port with all that it needs, ready to be made, also again. */
interface Prepared {
  make: (signal: AbortSignal) => Promise<unknown>;
  begun?: Begun;
}

export interface PortCall {
  name: string;
  /** The member of the port. */
  member:
    'charge' | 'capture' | 'void' | 'refund' | 'read' | 'credentials' | 'detach' | 'listed' | 'found' | 'notification';
  /** Absent: the connector has no such call. */
  prepare?(): Promise<Prepared>;
}

const manual = { capture: 'manual' } as const;

/** A charge that is authorised, or unfinished where nothing is captured later. */
function beginVoidable(fixture: ProviderFixture): Promise<Begun> {
  if (capabilitiesOf(fixture).manualCapture) return begin(fixture, 'approved', manual);
  return begin(fixture, canEndAs(fixture, 'next_action') ? 'next_action' : 'processing');
}

const canVoid = (fixture: ProviderFixture): boolean =>
  capabilitiesOf(fixture).manualCapture ||
  (capabilitiesOf(fixture).voidsUnfinished !== false &&
    (canEndAs(fixture, 'next_action') || canEndAs(fixture, 'processing')));

/** The calls of the connector that go to its provider. */
export function callsOf(fixture: ProviderFixture): PortCall[] {
  const { provider, credentials } = fixture;
  const { manualCapture, lookup } = capabilitiesOf(fixture);
  const charging = (fields?: Partial<ChargeRequest>) => () => {
    const request = fixture.request('approved', fields);
    return Promise.resolve({
      make: (signal: AbortSignal) => provider.charge(request, signal),
      begun: { request, answer: NO_ANSWER },
    });
  };
  const on = (
    begun: Begun,
    make: (operation: ReturnType<typeof operationOn>, signal: AbortSignal) => Promise<unknown>,
  ): Prepared => {
    const operation = operationOn(begun);
    return { begun, make: (signal) => make(operation, signal) };
  };
  const approved = (fields?: Partial<ChargeRequest>) => begin(fixture, 'approved', fields);
  const calls: (PortCall | false | undefined)[] = [
    { name: 'a charge', member: 'charge', prepare: charging() },
    manualCapture && { name: 'a charge to capture later', member: 'charge', prepare: charging(manual) },
    canEndAs(fixture, 'saved_method') && {
      name: 'a charge that saves',
      member: 'charge',
      prepare: charging({ ...fixture.savable, save: true }),
    },
    manualCapture && {
      name: 'a capture',
      member: 'capture',
      prepare: async () =>
        on(await approved(manual), (operation, signal) =>
          provider.capture!({ ...operation, authorizedAmount: operation.amount }, signal),
        ),
    },
    canVoid(fixture) && {
      name: 'a void',
      member: 'void',
      prepare: async () => on(await beginVoidable(fixture), (operation, signal) => provider.void(operation, signal)),
    },
    canVoid(fixture) && {
      name: 'a void without the transaction’s id',
      member: 'void',
      prepare: async () =>
        on(await beginVoidable(fixture), (operation, signal) =>
          provider.void({ ...operation, transactionId: null }, signal),
        ),
    },
    {
      name: 'a refund',
      member: 'refund',
      prepare: async () => on(await approved(), (operation, signal) => provider.refund(operation, signal)),
    },
    {
      name: 'a refund of the rest',
      member: 'refund',
      prepare: async () =>
        on(await approved(), (operation, signal) => provider.refund({ ...operation, isRest: true }, signal)),
    },
    lookup !== 'none' && {
      name: 'a look-up',
      member: 'read',
      prepare: async () => on(await approved(), (operation, signal) => provider.lookup!(operation, signal)),
    },
    ...lookedUpBy(fixture)
      .filter((kind) => kind === 'refund' || (manualCapture && kind === 'capture'))
      .flatMap((kind) => [lookingUp(fixture, kind, true), lookingUp(fixture, kind, false)]),
    {
      name: 'a check of credentials',
      member: 'credentials',
      prepare: () => ready((signal) => provider.checkCredentials(credentials, signal)),
    },
    provider.accountId && {
      name: 'the account’s id',
      member: 'found',
      prepare: () => ready((signal) => provider.accountId!(credentials, signal)),
    },
    provider.listCharges && {
      name: 'a list of charges',
      member: 'listed',
      prepare: () =>
        ready((signal) =>
          provider.listCharges!({ shopId: 1, credentials }, new Date(Date.now() - 3_600_000), null, signal),
        ),
    },
    provider.findReference && {
      name: 'the reference of a transaction',
      member: 'found',
      prepare: async () => {
        const begun = await approved();
        return {
          begun,
          make: (signal) => provider.findReference!(begun.answer.transactionId!, { credentials }, signal),
        };
      },
    },
    provider.detach &&
      canEndAs(fixture, 'saved_method') && {
        name: 'the removal of a saved method',
        member: 'detach',
        prepare: async () => {
          const { answer } = await approved({ ...fixture.savable, save: true });
          const { token } = 'savedMethod' in answer && answer.savedMethod ? answer.savedMethod : { token: 'none' };
          return { make: (signal) => provider.detach!({ token, credentials }, signal) };
        },
      },
    {
      name: 'a notification',
      member: 'notification',
      prepare: async () => {
        const begun = await approved();
        const [first] = await incomingOf(fixture, begun.request.reference);
        if (first === undefined) return { make: () => Promise.resolve(undefined) };
        return { begun, make: (signal) => provider.parseNotification(first, credentials, signal) };
      },
    },
  ];
  return calls.filter((call): call is PortCall => typeof call === 'object');
}

const NO_ANSWER: Begun['answer'] = { outcome: 'processing' };
const ready = (make: Prepared['make']): Promise<Prepared> => Promise.resolve({ make });

function lookingUp(fixture: ProviderFixture, kind: 'capture' | 'refund' | 'void', byId: boolean): PortCall {
  const { provider } = fixture;
  return {
    name: `a look-up of a ${kind} by its ${byId ? 'id' : 'key'}`,
    member: 'read',
    async prepare() {
      const begun = await begin(fixture, 'approved', kind === 'capture' ? manual : {});
      const operation = { ...operationOn(begun), authorizedAmount: begun.request.amount };
      const made = await provider[kind]!(operation, AbortSignal.timeout(20_000));
      const operationId = (byId && made.operationId) || null;
      return { begun, make: (signal) => provider.lookupOperation!({ ...operation, kind, operationId }, signal) };
    },
  };
}

/** A call by HTTP in a call of the port. */
export interface Step {
  line: RegExp;
  skip: number;
  shown: string;
  /** It may change something at the provider. */
  isChange: boolean;
  /** The usual answer is an object with fields. */
  hasFields: boolean;
  /** Only steps that read come before. */
  isFirst: boolean;
}

/** Calls by HTTP that a call of the port makes, in order. Those for an access token are left out: it may be cached. */
export async function stepsOf(wire: Wire, call: PortCall): Promise<Step[]> {
  const { make } = await call.prepare!();
  const from = wire.exchanges.length;
  await make(AbortSignal.timeout(20_000));
  const shapes = wire.exchanges
    .slice(from)
    .filter(isNoToken)
    .map((exchange) => ({ exchange, shape: shapeOf(exchange) }));
  return shapes.map(({ exchange, shape }, index) => ({
    line: new RegExp(`^${shape}$`),
    skip: shapes.slice(0, index).filter((before) => before.shape === shape).length,
    shown: exchange.line,
    isChange: isChange(exchange),
    hasFields: (exchange.answer?.body.length ?? 0) > 2,
    isFirst: !shapes.slice(0, index).some((before) => isChange(before.exchange)),
  }));
}

export const isChange = (exchange: Exchange): boolean => exchange.request.method !== 'GET' && isNoToken(exchange);
const isNoToken = ({ line }: Exchange): boolean => !/token$/.test(line);

/** The line with any ids. */
const shapeOf = ({ line }: Exchange): string =>
  line
    .split('/')
    .map((part) =>
      (/\d/.test(part) && part.length > 5) || part.length > 24 ? '[^/]+' : part.replace(/[^\w ]/g, '\\$&'),
    )
    .join('/');

/** The name of a call's result: `rejects`, an outcome, a status, or `refused, unavailable`. */
export async function resultOf(call: Promise<unknown>): Promise<{ name: string; value: unknown }> {
  try {
    const value = await call;
    if (value === undefined || value === null) return { name: 'nothing', value };
    if (typeof value === 'string') return { name: 'found', value };
    const { outcome, status, isUnavailable, events } = value as Record<string, string | boolean | undefined>;
    if (Array.isArray(events)) return { name: 'parsed', value };
    const name = String(outcome ?? status ?? 'list');
    return { name: isUnavailable === true ? `${name}, unavailable` : name, value };
  } catch (error) {
    return { name: 'rejects', value: error };
  }
}

/** Throws unless the result's name is one of `allowed`. */
export function isAllowed(
  { name, value }: { name: string; value: unknown },
  allowed: readonly string[],
  detail: string,
): void {
  if (!allowed.includes(name))
    throw new Unexpected(allowed.join(' or '), name === 'rejects' ? value : (value ?? name), detail);
}

/** The wire; throws if the connector makes no calls by it. */
export function wireOf(fixture: ProviderFixture): Wire {
  assert.ok(fixture.wire);
  return fixture.wire;
}
