import { Injectable } from '@nestjs/common';
import { Encryption } from '../../platform/encryption/encryption.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import type { PaymentMethodInput } from '@payment-orchestrator/provider-kit';
import { Random } from '../../shared/random.js';
import { PAYMENT_TOKEN_PURPOSE, rowOfCharge, type SecretOwner } from '../../shops/secret-columns.js';
import type { OperationRow, PreparedCharge } from '../money/state/operation.js';

/** A charge before it is recorded. */
export interface ChargeRecord extends Omit<PreparedCharge, 'attemptedAt'> {
  /** Our id, if the provider accepts one: then a notification can overtake the answer. */
  transactionId: string | null;
  /** Kept only if a repeat may be the only way to find the outcome. */
  encryptedMethod: Buffer | null;
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

  make(providerName: string, owner: SecretOwner, paymentMethod: PaymentMethodInput | undefined): ChargeRecord {
    // the shop's credentials are read later, by the statement that records the charge
    const { choosesTransactionIds, lookup } = this.providers.get(providerName).capabilities({});
    const isKept = paymentMethod !== undefined && lookup !== 'by_reference';
    const reference = this.random.uuid();
    return {
      idempotencyKey: this.random.uuid(),
      reference,
      transactionId: choosesTransactionIds ? null : `${providerName}_${this.random.orderedUuid()}`,
      paymentMethod,
      encryptedMethod: isKept ? this.encrypt(owner, reference, toSealed(paymentMethod)) : null,
    };
  }

  /**
   * Returns the payment method, `undefined` for none. Throws if its encryption key is no longer configured, or if it
   * belongs to another charge.
   */
  methodOf(charge: OperationRow): PaymentMethodInput | undefined {
    const { sealed_payment_token: encrypted, merchant_id: merchantId, shop_id: shopId, reference } = charge;
    if (encrypted === null) return undefined;
    const row = rowOfCharge({ merchantId, shopId }, reference);
    return fromSealed(this.encryption.decrypt(encrypted, PAYMENT_TOKEN_PURPOSE, row));
  }

  private encrypt(owner: SecretOwner, reference: string, method: string): Buffer {
    return this.encryption.encrypt(method, PAYMENT_TOKEN_PURPOSE, rowOfCharge(owner, reference));
  }
}

/** Starts the JSON of a method. A method with only a token is stored as it is, because processes of earlier releases read it. */
const JSON_MARK = '\u0000';

function toSealed({ token, ...others }: PaymentMethodInput): string {
  if (token !== undefined && Object.keys(others).length === 0) return token;
  return JSON_MARK + JSON.stringify({ token, ...others });
}

const fromSealed = (text: string): PaymentMethodInput =>
  text.startsWith(JSON_MARK) ? (JSON.parse(text.slice(JSON_MARK.length)) as PaymentMethodInput) : { token: text };
