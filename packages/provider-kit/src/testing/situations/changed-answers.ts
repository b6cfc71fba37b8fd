import type { ChargeRequest } from '../../payment-provider.js';
import { callsOf, isAllowed, type PortCall, resultOf, stepsOf, wireOf } from '../calls.js';
import { type Check, type Situation, under } from '../finding.js';
import type { ProviderFixture, WantedOutcome } from '../fixture.js';
import { type JsonChange, jsonChanges } from '../json-changes.js';
import { begin, canEndAs, lookedUpBy, operationOn, soon } from '../steps.js';

const MANY = 400;
/** Results besides the first one that a changed answer may have. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  approved: ['rejects', 'processing'],
  authorized: ['rejects', 'processing'],
  declined: ['rejects', 'soft_declined'],
  soft_declined: ['rejects', 'declined'],
  processing: ['rejects'],
  confirmed: ['rejects', 'pending'],
  pending: ['rejects'],
  captured: ['rejects', 'refunded', 'open'],
};

/** An answer whose change may not turn it into another outcome. */
function changedAnswers(prepared: (fixture: ProviderFixture) => PortCall | undefined): Check {
  return async (fixture) => {
    const call = fixture.wire && prepared(fixture);
    if (!call) return;
    const wire = wireOf(fixture);
    const main = (await stepsOf(wire, call)).findLast(({ isChange }) => isChange) ?? (await stepsOf(wire, call)).at(-1);
    if (!main) return;
    let seen: unknown;
    let base = '';
    const make = async (change?: JsonChange) => {
      const { make: one } = await call.prepare!();
      wire.changeNext((body) => (change ? change.apply(body) : (seen = body)), main);
      const result = await resultOf(one(soon()));
      if (wire.clear()) return undefined;
      const isRead = change !== undefined && call.member === 'read';
      // pending work may end at any time: then the change says nothing about the result
      return isRead && result.name !== base && (await resultOf(one(soon()))).name !== base ? undefined : result;
    };
    base = (await make())?.name ?? '';
    for (const change of jsonChanges(seen).slice(0, MANY)) {
      const result = await make(change);
      if (result)
        isAllowed(result, [base, ...(ALSO[base] ?? ['rejects'])], `${call.name}, the answer has ${change.shown}`);
    }
  };
}

const charging =
  (wanted: WantedOutcome, fields?: Partial<ChargeRequest>) =>
  (fixture: ProviderFixture): PortCall | undefined => {
    if (wanted !== 'approved' && !canEndAs(fixture, wanted)) return undefined;
    return {
      name: `a charge that is ${wanted}`,
      member: 'charge',
      prepare: () => {
        const request = fixture.request(wanted, fields);
        return Promise.resolve({ make: (signal) => fixture.provider.charge(request, signal) });
      },
    };
  };
/** An operation that is accepted, and whose outcome comes later; also its look-up. */
const pending =
  (kind: 'capture' | 'refund', isLookUp: boolean) =>
  (fixture: ProviderFixture): PortCall | undefined => {
    const { provider } = fixture;
    const later = fixture.later?.[`${kind}_declined`];
    if (!later?.fields || !provider[kind] || (isLookUp && !lookedUpBy(fixture).includes(kind))) return undefined;
    return {
      name: `${isLookUp ? 'a look-up of a' : 'a'} pending ${kind}`,
      member: isLookUp ? 'read' : kind,
      async prepare() {
        const begun = await begin(fixture, 'approved', {
          ...(kind === 'capture' && { capture: 'manual' }),
          ...later.fields,
        });
        const operation = { ...operationOn(begun), authorizedAmount: begun.request.amount };
        if (!isLookUp) return { make: (signal) => provider[kind]!(operation, signal) };
        const { operationId = null } = await provider[kind]!(operation, soon());
        return { make: (signal) => provider.lookupOperation!({ ...operation, kind, operationId }, signal) };
      },
    };
  };
const named = (name: string) => (fixture: ProviderFixture) => callsOf(fixture).find((call) => call.name === name);

export const CHANGED_ANSWERS: Situation[] = under('outcomes-and-errors', {
  'the answer to an approved charge has an unknown value or lacks one': changedAnswers(charging('approved')),
  'the answer to a declined charge has an unknown value or lacks one': changedAnswers(charging('declined')),
  'the answer to a soft-declined charge has an unknown value or lacks one': changedAnswers(charging('soft_declined')),
  'the answer to a charge that ends later has an unknown value or lacks one': changedAnswers(charging('processing')),
  'the answer with the payer’s step has an unknown value or lacks one': changedAnswers(charging('next_action')),
  'the answer to an authorisation has an unknown value or lacks one': changedAnswers(
    named('a charge to capture later'),
  ),
  'the answer to a capture has an unknown value or lacks one': changedAnswers(named('a capture')),
  'the answer to a void has an unknown value or lacks one': changedAnswers(named('a void')),
  'the answer to a refund has an unknown value or lacks one': changedAnswers(named('a refund')),
  'the answer to a pending capture has an unknown value or lacks one': changedAnswers(pending('capture', false)),
  'the answer to a pending refund has an unknown value or lacks one': changedAnswers(pending('refund', false)),
  'the look-up of a pending capture has an unknown value or lacks one': changedAnswers(pending('capture', true)),
  'the look-up of a pending refund has an unknown value or lacks one': changedAnswers(pending('refund', true)),
  'the answer to a look-up has an unknown value or lacks one': changedAnswers(named('a look-up')),
  'the answer to a look-up of a refund has an unknown value or lacks one': changedAnswers(
    named('a look-up of a refund by its id'),
  ),
});
