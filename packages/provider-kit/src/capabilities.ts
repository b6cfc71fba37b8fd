import type { OperationLookup } from './requests.js';

/** The means of recovery after a lost answer. */
export interface ProviderCapabilities {
  /** How a transaction is found at the provider; `none`: only repeating the call shows its outcome. */
  lookup: 'by_reference' | 'by_transaction_id' | 'none';
  /** How long the provider gives the first answer to a repeated idempotency key, in ms. */
  idempotencyWindowMs: number;
  /** The provider chooses the transaction's id; otherwise it accepts ours. */
  choosesTransactionIds: boolean;
  /** A charge can be authorised first and captured later (`capture`). */
  manualCapture: boolean;
  /** A capture may be of less than the authorised amount; the provider releases the rest. */
  partialCapture: boolean;
  /** A refund may be of less than the captured amount, and a charge may have several refunds. */
  partialRefund: boolean;
  /**
   * The kinds that `lookupOperation` finds; absent: all, if it is present. Leave out a kind that the provider shows only by the
   * state of the charge, such as a void: the service asks `lookup` then.
   */
  operationLookup?: readonly OperationLookup['kind'][];
  /**
   * An automatic charge is captured by the provider seconds or minutes after its approval. It answers `approved` nevertheless, and
   * `lookup` shows `authorized` until then. A refund in between is `refused` with the `charge` found `authorized`; the
   * service sends it again until there is something to refund. Absent: an approved automatic charge is captured.
   */
  capturesLater?: boolean;
  /**
   * `false`: a payment that waits for its payer cannot be cancelled, and ends by itself at the provider. The service then
   * looks it up instead of calling `void` until it is no longer `open`. Without a `lookup` for it, `void` is called, and answers
   * `refused` with the `charge` found `open`. Absent: `void` cancels it.
   */
  voidsUnfinished?: boolean;
  /**
   * The values of `payment_method.type` that the account takes, such as `card` or `paypal`; absent: any. Payments of other types
   * are not routed to its shops.
   */
  paymentMethodTypes?: readonly string[];
  /** Its shops accept tokens of any account; absent: only those of their own. */
  acceptsAnyToken?: boolean;
  /** ISO 4217 codes that the provider accepts; absent: all of ours. */
  currencies?: readonly string[];
}
