import type { Schema } from '@payment-orchestrator/client';
import { type Entry, known } from './timeline/entry';

/** What is known of a payment method, as names and texts; empty: nothing. */
export const methodFacts = ({ type, card, options = [] }: Partial<Schema<'PaymentMethodFacts'>>): Entry['facts'] =>
  known([['Payment method', type], ...cardFacts(card ?? {}), ['Accounts', options.map(accountText).join('; ')]]);

export const cardFacts = (card: Schema<'CardFacts'>): [string, string | undefined][] => [
  ['Card', [card.scheme, digitsOf(card)].filter(Boolean).join(' ')],
  ['Funding', card.funding],
  ['Issuer country', card.issuer_country],
  ['Card expires', expiryOf(card)],
];

const accountText = ({ provider, account }: Schema<'PaymentMethodAccount'>): string =>
  account === undefined ? `${provider} (any account)` : `${provider} ${account}`;

/** The known digits; the dots stand for the others. */
const digitsOf = ({ bin = '', last4 = '' }: Schema<'CardFacts'>): string =>
  bin === '' && last4 === '' ? '' : [bin, '••••', last4].filter(Boolean).join(' ');

function expiryOf({ expiry_month: month, expiry_year: year }: Schema<'CardFacts'>): string | undefined {
  if (year === undefined) return undefined;
  return month === undefined ? String(year) : `${String(month).padStart(2, '0')}/${year}`;
}
