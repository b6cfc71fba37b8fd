import { Injectable } from '@nestjs/common';
import { Encryption } from '../../platform/encryption/encryption.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import type { ChargeAnswer, PaymentMethodInput } from '@payment-orchestrator/provider-kit';
import { Random } from '../../shared/random.js';
import { PAYMENT_TOKEN_PURPOSE, rowOfCharge, type SecretOwner } from '../../shops/secret-columns.js';
import type { ChargeFacts, ChargeInput, PreparedCharge } from '../methods/given-charge.js';
import type { KnownEnd } from '../money/state/attempt.js';
import { factOfAnswer, factOfState } from '../money/state/call-fact.js';
import type { ChargeFact } from '../money/state/fact.js';
import type { OperationRow } from '../money/state/operation.js';
import type { PaymentRow } from '../money/state/payment.js';
import type { ChargeTarget, ProviderCallsService } from './provider-calls.service.js';

/** A charge before it is recorded. */
export interface ChargeRecord extends Omit<PreparedCharge, 'attemptedAt'> {
  /** Our id, if the provider accepts one: then a notification can overtake the answer. */
  transactionId: string | null;
  /** Kept only if a repeat may be the only way to find the outcome. */
  encryptedInput: Buffer | null;
}

/**
 * Makes the identifiers of a charge before it is recorded. They are random, so that no other database has ever used
 * them. Reference and idempotency key tell the provider nothing, not even a time.
 */
@Injectable()
export class NewCharges {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly random: Random,
    private readonly encryption: Encryption,
  ) {}

  make(providerName: string, owner: SecretOwner, input: ChargeInput): ChargeRecord {
    // the shop's credentials are read later, by the statement that records the charge
    const { choosesTransactionIds, lookup } = this.providers.get(providerName).capabilities({});
    const isKept = lookup !== 'by_reference' && Object.values(input).some((value) => value !== undefined);
    const reference = this.random.uuid();
    return {
      idempotencyKey: this.random.uuid(),
      reference,
      transactionId: choosesTransactionIds ? null : `${providerName}_${this.random.orderedUuid()}`,
      input,
      encryptedInput: isKept ? this.encrypt(owner, reference, toSealed(input)) : null,
    };
  }

  /**
   * Returns the input of a recorded charge, empty if none is kept. Throws if its encryption key is no longer configured, or if it
   * belongs to another charge.
   */
  inputOf(charge: OperationRow): ChargeInput {
    const { sealed_payment_token: encrypted, merchant_id: merchantId, shop_id: shopId, reference } = charge;
    if (encrypted === null) return {};
    const row = rowOfCharge({ merchantId, shopId }, reference);
    return fromSealed(this.encryption.decrypt(encrypted, PAYMENT_TOKEN_PURPOSE, row));
  }

  private encrypt(owner: SecretOwner, reference: string, input: string): Buffer {
    return this.encryption.encrypt(input, PAYMENT_TOKEN_PURPOSE, rowOfCharge(owner, reference));
  }
}

/**
 * Starts the JSON of an input. One with only a token is stored as it is, and others as their payment method with the facts in it,
 * because processes of earlier releases read both.
 */
const JSON_MARK = '\u0000';

function toSealed({ paymentMethod: { token, ...others } = {}, ...facts }: ChargeInput): string {
  if (token !== undefined && Object.keys({ ...others, ...facts }).length === 0) return token;
  return JSON_MARK + JSON.stringify({ token, ...others, ...(Object.keys(facts).length > 0 && { facts }) });
}

function fromSealed(text: string): ChargeInput {
  if (!text.startsWith(JSON_MARK)) return { paymentMethod: { token: text } };
  const { facts, ...method } = JSON.parse(text.slice(JSON_MARK.length)) as PaymentMethodInput & { facts?: ChargeFacts };
  return { ...facts, ...(Object.keys(method).length > 0 && { paymentMethod: method }) };
}

/** The calls that show what a repeat did not. */
type LookUps = Pick<ProviderCallsService, 'canLookUp' | 'lookup'>;

/**
 * The fact of the answer to a repeat of a charge whose first answer was lost. A refusal may be about only the repeat, while the
 * provider holds the money of the first call. So the charge is looked up, by the id in the answer if there is none yet. Without a
 * look-up, only a refusal with an id is the stored answer to the key. `undefined`: the outcome stays unknown.
 */
export async function factOfRepeat(
  calls: LookUps,
  charge: Pick<OperationRow, 'payment_id'> & ChargeTarget,
  payment: PaymentRow,
  end: KnownEnd,
  answer: ChargeAnswer,
): Promise<ChargeFact | undefined> {
  const isRefusal = end.outcome === 'declined' || end.outcome === 'soft_declined';
  if (!isRefusal) return factOfAnswer(end, answer);
  const id = answer.transactionId ?? charge.provider_transaction_id;
  const named = { ...charge, provider_transaction_id: id };
  if (!(await calls.canLookUp(named))) {
    return answer.transactionId === undefined ? undefined : factOfAnswer(end, answer);
  }
  const found = await calls.lookup(named);
  if (!found.known) return undefined;
  const { answer: seen, capturesLater } = found;
  const state = factOfState(seen, charge.attempt, payment.capture, payment.amount_refunded, capturesLater);
  return state.status === 'not_found' || state.status === 'declined' ? factOfAnswer(end, answer) : state;
}
