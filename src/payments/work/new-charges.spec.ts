import { describe, expect, it } from '@jest/globals';
import type { ChargeAnswer, ProviderState } from '@payment-orchestrator/provider-kit';
import type { KnownEnd } from '../money/state/attempt.js';
import type { PaymentRow } from '../money/state/payment.js';
import type { OperationRow } from '../money/state/operation.js';
import type { Encryption } from '../../platform/encryption/encryption.js';
import type { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { SystemRandom } from '../../shared/random.js';
import { factOfRepeat, NewCharges } from './new-charges.service.js';

const HELD = { transactionId: 'tx_1', amount: '10', currency: 'EUR' };
const DECLINED: ChargeAnswer = { outcome: 'declined', declineCode: 'card_declined' };
const NAMED: ChargeAnswer = { ...DECLINED, transactionId: 'tx_1' };

/** A provider whose look-up answers with `state`; `null`: it has no answer; absent: it has no look-up. */
function factOf(answer: ChargeAnswer, state?: ProviderState | null) {
  const looked = state ? { known: true, answer: state } : { known: false };
  const calls = { canLookUp: () => Promise.resolve(state !== undefined), lookup: () => Promise.resolve(looked) };
  const outcome = answer.outcome === 'authorized' ? 'approved' : answer.outcome;
  const end: KnownEnd = { number: 1, outcome, declineCode: null };
  const charge = { attempt: 1, provider_transaction_id: null } as Parameters<typeof factOfRepeat>[1];
  const payment = { capture: 'automatic', amount_refunded: '0' } as PaymentRow;
  return factOfRepeat(calls as Parameters<typeof factOfRepeat>[0], charge, payment, end, answer);
}

describe('factOfRepeat', () => {
  it.each<[ChargeAnswer, ProviderState | null | undefined, [string, string] | undefined]>([
    [{ outcome: 'approved', transactionId: 'tx_1' }, null, ['answer', 'captured']],
    [DECLINED, { status: 'captured', ...HELD }, ['look_up', 'captured']],
    [NAMED, { status: 'authorized', ...HELD }, ['look_up', 'processing']],
    [NAMED, { status: 'voided', ...HELD }, ['look_up', 'cancelled']],
    [NAMED, { status: 'declined', ...HELD }, ['answer', 'declined']],
    [DECLINED, { status: 'not_found' }, ['answer', 'declined']],
    [NAMED, null, undefined],
    [NAMED, undefined, ['answer', 'declined']],
    [DECLINED, undefined, undefined],
    [{ outcome: 'soft_declined', declineCode: 'card_declined' }, undefined, undefined],
  ])('takes %j, with the charge %j at the provider, as %j', async (answer, state, expected) => {
    const fact = await factOf(answer, state);
    expect(fact && [fact.source, fact.status]).toEqual(expected);
  });
});

describe('NewCharges', () => {
  const at = (lookup: string) => {
    const providers = { get: () => ({ capabilities: () => ({ lookup, choosesTransactionIds: true }) }) };
    const encryption = { encrypt: (text: string) => Buffer.from(text), decrypt: (bytes: Buffer) => bytes.toString() };
    return new NewCharges(
      providers as unknown as ProviderRegistry,
      new SystemRandom(),
      encryption as unknown as Encryption,
    );
  };
  const owner = { merchantId: 1, shopId: 1 };
  const payer = { ipAddress: '203.0.113.7' };
  const firstCharge = { networkTransactionId: 'MCC1' };

  it.each([
    [{ paymentMethod: { token: 'pm_1' } }, 'pm_1'],
    [{ paymentMethod: { token: 'pm_1', type: 'card' } }, '\u0000{"token":"pm_1","type":"card"}'],
    [{ paymentMethod: { token: 'pm_1' }, payer, firstCharge }, expect.stringMatching(/^.{"token":"pm_1","facts":{/)],
    [{ statementDescriptor: 'EXAMPLE' }, expect.any(String)],
    [{}, undefined],
  ])('keeps %j for a repeat, as earlier processes read it', (input, kept) => {
    const { encryptedInput } = at('none').make('acme', owner, input);
    expect(encryptedInput?.toString()).toEqual(kept);
    const charge = { sealed_payment_token: encryptedInput } as OperationRow;
    expect(at('none').inputOf(charge)).toEqual(input);
  });

  it('keeps nothing where a look-up shows each outcome', () => {
    expect(at('by_reference').make('acme', owner, { payer }).encryptedInput).toBeNull();
  });
});
