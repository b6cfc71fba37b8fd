import { Injectable } from '@nestjs/common';
import { Encryption } from '../../platform/encryption/encryption.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { Random } from '../../shared/random.js';
import { PAYMENT_TOKEN_PURPOSE, rowOfCharge, type SecretOwner } from '../../shops/secret-columns.js';
import type { NewCharge, OperationRow } from '../ledger/operation.js';

/** A charge before it is recorded. */
export interface ChargeRecord extends Omit<NewCharge, 'attemptedAt'> {
  /** Our id, if the provider accepts one: then a notification can overtake the answer. */
  transactionId: string | null;
  /** Kept only if a repeat may be the only way to find the outcome. */
  encryptedToken: Buffer | null;
}

/**
 * Makes the identifiers of a charge before it is recorded. They are random, so that no other database has ever used
 * them.
 */
@Injectable()
export class NewCharges {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly random: Random,
    private readonly encryption: Encryption,
  ) {}

  make(providerName: string, owner: SecretOwner, paymentMethodToken: string | undefined): ChargeRecord {
    // the shop's credentials are read later, by the statement that records the charge
    const { choosesTransactionIds, lookup } = this.providers.get(providerName).capabilities({});
    const keepsToken = paymentMethodToken !== undefined && lookup !== 'by_reference';
    const reference = this.random.uuid();
    return {
      idempotencyKey: this.random.uuid(),
      reference,
      transactionId: choosesTransactionIds ? null : `${providerName}_${this.random.uuid()}`,
      encryptedToken: keepsToken ? this.encrypt(owner, reference, paymentMethodToken) : null,
    };
  }

  /**
   * Returns the payment token, `undefined` for none. Throws if its encryption key is no longer configured, or if the
   * token belongs to another charge.
   */
  tokenOf(charge: OperationRow): string | undefined {
    const { sealed_payment_token: encrypted, merchant_id: merchantId, shop_id: shopId, reference } = charge;
    if (encrypted === null) return undefined;
    return this.encryption.decrypt(encrypted, PAYMENT_TOKEN_PURPOSE, rowOfCharge({ merchantId, shopId }, reference));
  }

  private encrypt(owner: SecretOwner, reference: string, token: string): Buffer {
    return this.encryption.encrypt(token, PAYMENT_TOKEN_PURPOSE, rowOfCharge(owner, reference));
  }
}
