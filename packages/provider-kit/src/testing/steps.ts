import { randomUUID } from 'node:crypto';
import type {
  ChargeAnswer,
  ChargeRequest,
  OperationLookup,
  ProviderCapabilities,
  ProviderState,
  RefundRequest,
  VoidRequest,
} from '../payment-provider.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingNotification, ParsedNotification } from '../provider-event.js';
import { eventually } from './assertions.js';
import { Finding } from './finding.js';
import type { Lack, ProviderFixture, WantedOutcome } from './fixture.js';

export interface Begun {
  request: ChargeRequest;
  answer: ChargeAnswer;
}

export const soon = (): AbortSignal => AbortSignal.timeout(20_000);

export const charge = ({ provider }: ProviderFixture, request: ChargeRequest): Promise<ChargeAnswer> =>
  provider.charge(request, soon());

export async function begin(
  fixture: ProviderFixture,
  wanted: WantedOutcome,
  fields?: Partial<ChargeRequest>,
): Promise<Begun> {
  const request = fixture.request(wanted, fields);
  const answer = await charge(fixture, request);
  // later calls are about a captured charge
  if (answer.outcome === 'approved' && capabilitiesOf(fixture).capturesLater)
    await eventually(async () => {
      const [held] = await fixture.held(request.reference);
      if (held?.status === 'authorized') throw new Error('the charge is not captured yet');
    });
  return { request, answer };
}

export const canEndAs = ({ lacks = [] }: ProviderFixture, wanted: Lack): boolean => !lacks.includes(wanted);

/** A call that changes something; not the one for an access token. */
const CHANGE = /^(?!GET )(?!.*token$)/;

/** Loses the answer of the next call that changes something, after it took effect. */
export function loseAnswer(fixture: ProviderFixture): void {
  if (fixture.wire) fixture.wire.loseNext({ line: CHANGE });
  else fixture.loseAnswer!();
}

/** A charge of which no byte is sent. */
export function chargeUnsent(fixture: ProviderFixture, request: ChargeRequest): Promise<ChargeAnswer> {
  if (!fixture.wire) return fixture.chargeUnsent!(request);
  fixture.wire.cutNext({ line: CHANGE });
  return charge(fixture, request);
}

/** A later operation on the charge, under a key of its own. */
export const operationOn = ({ request, answer }: { request: ChargeRequest; answer?: ChargeAnswer }) =>
  ({
    ...request,
    transactionId: answer?.transactionId ?? request.transactionId,
    idempotencyKey: randomUUID(),
    chargeIdempotencyKey: request.idempotencyKey,
    reason: undefined,
  }) satisfies VoidRequest & RefundRequest;

export const capabilitiesOf = ({ provider, credentials }: ProviderFixture): ProviderCapabilities =>
  provider.capabilities(credentials);

/** The kinds of operations that the provider looks up. */
export const lookedUpBy = (fixture: ProviderFixture): readonly OperationLookup['kind'][] =>
  fixture.provider.lookupOperation ? (capabilitiesOf(fixture).operationLookup ?? ['capture', 'void', 'refund']) : [];

/** The provider's state; `undefined` if it has no look-up. */
export async function stateOf(fixture: ProviderFixture, begun: Begun): Promise<ProviderState | undefined> {
  if (capabilitiesOf(fixture).lookup === 'none') return undefined;
  return fixture.provider.lookup!(operationOn(begun), soon());
}

/** The notifications about the reference, at least one, unless none comes within a second. */
export async function incomingOf(fixture: ProviderFixture, reference: string): Promise<IncomingNotification[]> {
  for (let tries = 0; tries < 40; tries++) {
    const sent = await fixture.notifications(reference);
    if (sent.length > 0) return sent;
    await delay(25);
  }
  return [];
}

/**
 * Whether a situation is to be played. Throws if the fixture neither plays it nor names it in `lacks`: what is not played
 * is not tested.
 */
export function plays(fixture: ProviderFixture, lack: Lack, member: string, hook: unknown): boolean {
  if (!canEndAs(fixture, lack)) return false;
  if (hook !== undefined) return true;
  throw new Finding('the fixture', `it has \`${member}\`, or '${lack}' in \`lacks\``, 'neither', 'check');
}

/** The notifications about the reference, parsed. */
export async function parsedOf(fixture: ProviderFixture, reference: string): Promise<ParsedNotification[]> {
  const sent = await fixture.notifications(reference);
  return Promise.all(sent.map((one) => fixture.provider.parseNotification(one, fixture.credentials, soon())));
}
