import type { ChargeAnswer } from '../../payment-provider.js';
import { DECLINE_CODES } from '../../decline-code.js';
import { callsOf, isAllowed, isChange, type PortCall, resultOf, type Step, stepsOf, wireOf } from '../calls.js';
import { type Situation, under, Unexpected } from '../finding.js';
import type { PlayedAnswer, ProviderFixture } from '../fixture.js';
import { capabilitiesOf, soon } from '../steps.js';
import { type AnswerRow, ANSWERS, playedFor } from './answers.js';

/** Codes that an answer of a meaning may have. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  unusable_method: ['payment_method_unusable'],
  wrong_credentials: ['configuration_error', 'invalid_credentials'],
  permission: ['configuration_error', 'permission_missing', 'invalid_credentials'],
  refused_request: ['request_refused', 'invalid_amount', 'currency_not_supported', 'configuration_error'],
};

/** Each situation for each call of the port, at each of its calls by HTTP. */
export const PLAYED_ANSWERS: Situation[] = ANSWERS.flatMap((row) =>
  under('outcomes-and-errors', {
    [`${row.situation}, in any call`]: async (fixture) => {
      if (!fixture.wire) return;
      for (const call of callsOf(fixture)) await play(fixture, row, call);
    },
  }),
);

async function play(fixture: ProviderFixture, row: AnswerRow, call: PortCall): Promise<void> {
  const allowed = row.allowed[call.member];
  const answers = playedFor(fixture, row);
  if (!allowed || answers.length === 0) return;
  const steps = await stepsOf(wireOf(fixture), call);
  for (const [index, step] of steps.entries()) {
    const isMain = step.isChange || steps.every(({ isChange: changes }) => !changes);
    // a read after the change only describes it
    if (!isMain && !step.isFirst) continue;
    if (row.isOtherwiseFull && !step.hasFields) continue;
    const isLast = step.isChange && !steps.slice(index + 1).some(({ isChange: changes }) => changes);
    const before = isLast
      ? []
      : [...(row.before?.[call.member] ?? []), ...(row.meaning === 'not_found' ? ['confirmed'] : [])];
    const others = allowedAt(fixture, row, call, step);
    for (const answer of answers) await playOne(fixture, row, call, step, answer, [...allowed, ...before, ...others]);
  }
}

/** Results that only some connectors may have. */
function allowedAt(
  fixture: ProviderFixture,
  { meaning }: AnswerRow,
  call: PortCall,
  { isChange: changes }: Step,
): string[] {
  // another account may make no objects that only this payment needs
  if (meaning === 'permission' && !changes) return ['rejects'];
  // an attempt without an id is not found, so there is nothing to cancel
  if (meaning === 'not_found' && call.member === 'void' && capabilitiesOf(fixture).lookup === 'by_reference')
    return ['confirmed'];
  return [];
}

async function playOne(
  fixture: ProviderFixture,
  row: AnswerRow,
  call: PortCall,
  step: Step,
  { status, body, headers = {} }: PlayedAnswer,
  allowed: readonly string[],
): Promise<void> {
  const wire = wireOf(fixture);
  const { make } = await call.prepare!();
  const from = wire.exchanges.length;
  // after a 401 `AccessTokens` sends the call again, with a new token
  const sends = status === 401 && wire.exchanges.some(({ line }) => /token$/.test(line)) ? 2 : 1;
  for (let sent = 0; sent < sends; sent++) wire.answerNext(status, body, { line: step.line, skip: step.skip, headers });
  const result = await resultOf(make(soon()));
  const detail = `${call.name}, ${step.shown} is answered ${status} ${typeof body === 'string' ? body : JSON.stringify(body)}`;
  if (wire.clear()) return; // the call was not made this time
  isAllowed(result, allowed, detail);
  const codes = row.meaning && CODES[row.meaning];
  const { declineCode = '' } = (result.value ?? {}) as Partial<Extract<ChargeAnswer, { declineCode: unknown }>>;
  if (codes && result.name === 'soft_declined' && !codes.includes(declineCode))
    throw new Unexpected(`declineCode ${codes.join(' or ')}`, declineCode, detail);
  if (result.name === 'soft_declined' && !DECLINE_CODES.includes(declineCode))
    throw new Unexpected('a code of DECLINE_CODES', declineCode, detail);
  const repeated = wire.exchanges.slice(from).filter((exchange) => isChange(exchange) && step.line.test(exchange.line));
  if (step.isChange && repeated.length > sends + step.skip)
    throw new Unexpected('the call is sent once: the service repeats it', `${repeated.length} times`, detail);
}
