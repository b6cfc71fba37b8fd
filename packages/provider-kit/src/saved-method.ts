/** A payment method that the provider has saved with a charge. */
export interface SavedMethod {
  /** For the `paymentMethod` of later charges. */
  token: string;
  /** The customer of the charge, if the provider repeats it: for another one than the payment's nothing is stored. */
  customerId?: number;
  /** The card network's id of the first charge, which others of the payer refer to, at any provider. */
  networkTransactionId?: string;
  /** The provider's id of the first charge, if later ones in this account name it. */
  transactionId?: string;
}
