import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ApiCallError, type ChargeAnswer, DECLINE_CODES, declineParty } from '@payment-orchestrator/provider-kit';
import { documentedDeclines } from '../../../test/support/decline-codes.js';
import { ADYEN_REFUSALS, readAdyenDecline } from './decline.js';
import { ADYEN_ERRORS } from './error.js';
import { AdyenApiError, refusedCharge } from './failure.js';

type Kind = 'hard' | 'soft' | 'unavailable' | 'unknown';

const PAGE = readFileSync(new URL('../../../docs/integrate/providers.md', import.meta.url), 'utf8');
const SECTION = PAGE.split(/^## /m).find((text) => text.startsWith('Adyen\n')) ?? '';
const kindOf = (outcome: string): Kind => (outcome === 'declined' ? 'hard' : 'soft');

function read(charge: () => ChargeAnswer): [Kind, string | null] {
  try {
    const answer = charge();
    return 'declineCode' in answer ? [kindOf(answer.outcome), answer.declineCode] : ['unavailable', null];
  } catch {
    return ['unknown', null];
  }
}

/** Errors as https://docs.adyen.com/development-resources/error-codes has them, with our answer. */
const ERRORS: readonly [status: number, code: string, type: string, kind: Kind, answer: string | null][] = [
  [401, '000', 'security', 'unavailable', null],
  [403, '010', 'security', 'unavailable', null],
  [403, '901', 'security', 'unavailable', null],
  [429, '', '', 'unavailable', null],
  [422, '100', 'validation', 'soft', 'request_refused'], // no amount or no original reference
  [422, '101', 'validation', 'hard', 'invalid_number'],
  [422, '102', 'validation', 'hard', 'invalid_number'],
  [422, '103', 'validation', 'hard', 'invalid_cvc'],
  [422, '104', 'validation', 'hard', 'incorrect_address'],
  [422, '107', 'configuration', 'soft', 'configuration_error'], // recurring is not enabled
  [422, '108', 'validation', 'hard', 'invalid_account'],
  [422, '117', 'validation', 'hard', 'incorrect_address'],
  [422, '118', 'validation', 'hard', 'incorrect_address'],
  [422, '126', 'validation', 'hard', 'invalid_account'],
  [422, '129', 'validation', 'hard', 'invalid_expiry'],
  [422, '130', 'validation', 'soft', 'request_refused'],
  [422, '131', 'validation', 'hard', 'incorrect_address'],
  [422, '132', 'validation', 'hard', 'incorrect_address'],
  [422, '133', 'validation', 'hard', 'incorrect_address'],
  [422, '134', 'validation', 'hard', 'incorrect_address'],
  [422, '135', 'validation', 'hard', 'incorrect_address'],
  [422, '137', 'validation', 'soft', 'invalid_amount'],
  [422, '138', 'validation', 'soft', 'currency_not_supported'],
  [422, '140', 'validation', 'hard', 'invalid_expiry'],
  [422, '141', 'validation', 'hard', 'invalid_expiry'],
  [422, '142', 'validation', 'hard', 'invalid_account'],
  [422, '147', 'validation', 'hard', 'incorrect_address'],
  [422, '153', 'validation', 'hard', 'invalid_cvc'],
  [422, '155', 'validation', 'soft', 'request_refused'], // no acquirer
  [422, '156', 'validation', 'soft', 'request_refused'], // no MID
  [422, '158', 'validation', 'soft', 'request_refused'],
  [422, '161', 'validation', 'hard', 'invalid_account'],
  [422, '163', 'validation', 'hard', 'invalid_account'],
  [422, '166', 'validation', 'soft', 'invalid_amount'],
  [422, '172', 'validation', 'soft', 'payment_method_unusable'],
  [422, '194', 'validation', 'hard', 'incorrect_address'],
  [400, '702', 'validation', 'soft', 'request_refused'],
  [422, '800', 'validation', 'soft', 'payment_method_unusable'],
  [500, '803', 'validation', 'soft', 'payment_method_unusable'],
  [422, '901', 'security', 'soft', 'configuration_error'],
  [422, '902', 'validation', 'soft', 'request_refused'], // invalid or empty request data
  [422, '905', 'configuration', 'soft', 'configuration_error'],
  [500, '905_1', 'configuration', 'soft', 'configuration_error'],
  [422, '907', 'configuration', 'soft', 'configuration_error'],
  [500, '907', 'configuration', 'soft', 'configuration_error'],
  [500, '907', 'internal', 'unknown', null],
  [422, '916', 'validation', 'soft', 'invalid_amount'],
  [422, '950', 'configuration', 'soft', 'configuration_error'],
  [422, '951', 'configuration', 'soft', 'configuration_error'],
  [422, '14_030', 'validation', 'soft', 'request_refused'], // no returnUrl
  [422, '14_9999', 'configuration', 'soft', 'configuration_error'],
  [422, '704', 'validation', 'unknown', null],
  [500, '903', 'internal', 'unknown', null],
  [500, '950', 'configuration', 'unknown', null],
  [502, '', '', 'unknown', null],
];

/** Errors that come as refusals with `refusalReasonCode` 2, and names as notifications have them. */
const REFUSALS: readonly [reason: string, kind: Kind, answer: string][] = [
  ['010 Not allowed', 'soft', 'configuration_error'],
  ['905 Payment details are not supported', 'soft', 'configuration_error'],
  ['905_1 Could not find an acquirer account for the provided txvariant (visa)', 'soft', 'configuration_error'],
  ['905_3 Could not find an acquirer account', 'soft', 'configuration_error'],
  ['803 PaymentDetail not found', 'soft', 'payment_method_unusable'],
  ['Refused', 'soft', 'card_declined'],
  ['AVS Declined', 'hard', 'incorrect_address'],
  ['Not enough balance', 'hard', 'insufficient_funds'],
];

describe("Adyen's errors and refusals", () => {
  it.each(ERRORS)('answers %i %s %s with %s %s', (status, code, type, kind, answer) => {
    const error = new AdyenApiError(status, code, type, false);
    expect(read(() => refusedCharge(error))).toEqual([kind, answer]);
  });

  it.each(REFUSALS)('reads the refusal %j as %s %s', (refusalReason, kind, answer) => {
    for (const refusalReasonCode of ['2', undefined]) {
      const isNumbered = refusalReasonCode === undefined || /^(\d|Refused)/.test(refusalReason);
      const { outcome, declineCode } = readAdyenDecline({
        refusalReason,
        ...(isNumbered && { refusalReasonCode }),
      });
      expect([kindOf(outcome), declineCode]).toEqual([kind, answer]);
    }
  });

  it('counts for the health of a shop only if the shop has to change something', () => {
    const faults = [...ADYEN_ERRORS].filter(([, { declineCode }]) => declineParty(declineCode) === 'shop');
    expect(new Set(faults.map(([, { declineCode }]) => declineCode))).toEqual(new Set(['configuration_error']));
    expect(declineParty('request_refused')).toBe('issuer');
  });

  it('each code of ours is one of the kit', () => {
    const codes = [...ADYEN_ERRORS.values()].map(({ declineCode }) => declineCode);
    const refusals = Object.values(ADYEN_REFUSALS).map(([, , code]) => code);
    expect(DECLINE_CODES).toEqual(expect.arrayContaining([...codes, ...refusals]));
  });

  it('leaves the outcome unknown after a lost answer, and not after a lost connection', () => {
    expect(() => refusedCharge(new ApiCallError(true, 'not answered in time'))).toThrow('not answered');
    expect(refusedCharge(new ApiCallError(false, 'no connection'))).toMatchObject({ outcome: 'unavailable' });
  });

  it('match the tables in docs/integrate/providers.md', () => {
    const errors = [...SECTION.matchAll(/^\| ((?:`\d{3}`,? ?)+) +\| `(\w+)` +\| (hard|soft) +\|$/gm)].flatMap(
      ([, codes = '', ours, kind]) => [...codes.matchAll(/\d{3}/g)].map(([code]) => [code, kind, ours]),
    );
    expect(errors).toEqual(
      [...ADYEN_ERRORS].map(([code, { outcome, declineCode }]) => [code, kindOf(outcome), declineCode]),
    );
    const refusals = Object.entries(ADYEN_REFUSALS).map(([code, [, kind, ours]]) => [code, [kind, ours]]);
    expect(documentedDeclines('Adyen')).toEqual(Object.fromEntries(refusals));
  });
});
