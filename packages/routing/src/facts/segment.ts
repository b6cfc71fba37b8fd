import type { PaymentMethodFacts } from './payment-method.js';

/** The fields by which payments are divided into segments, named as in conditions of rules. */
export const SEGMENT_FIELDS = [
  'currency',
  'country',
  'card.scheme',
  'card.funding',
  'card.issuer_country',
  'card.bin',
] as const;

export type SegmentField = (typeof SEGMENT_FIELDS)[number];

/** A segment's BIN: longer ones would divide the payments of one kind of card. */
export const SEGMENT_BIN_DIGITS = 6;

/** The facts of a payment that segments use. */
export interface SegmentFacts {
  currency: string;
  country?: string | undefined;
  paymentMethod?: PaymentMethodFacts | undefined;
}

/** The payment's value of a field; `undefined`: unknown. */
export function segmentValue(
  field: SegmentField,
  { currency, country, paymentMethod }: SegmentFacts,
): string | undefined {
  switch (field) {
    case 'currency':
      return currency;
    case 'country':
      return country;
    case 'card.scheme':
      return paymentMethod?.card?.scheme;
    case 'card.funding':
      return paymentMethod?.card?.funding;
    case 'card.issuer_country':
      return paymentMethod?.card?.issuer_country;
    case 'card.bin':
      return paymentMethod?.card?.bin?.slice(0, SEGMENT_BIN_DIGITS);
  }
}
