/** The side that begins a payment. `merchant`: a charge of a saved payment method without the payer. */
export const INITIATORS = ['customer', 'merchant'] as const;

export type Initiator = (typeof INITIATORS)[number];
