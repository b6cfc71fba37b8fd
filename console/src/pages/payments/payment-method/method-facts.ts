import type { Schema } from '@payment-orchestrator/client';
import { type Entry, known } from '../timeline/entry';

/** Known facts about a payment method, as names and texts; empty: nothing is known. */
export const methodFacts = ({ type, card, options = [] }: Partial<Schema<'PaymentMethodFacts'>>): Entry['facts'] =>
  known([['Payment method', type], ...cardFacts(card ?? {}), ['Accounts', accountsText(options)]]);

export const cardFacts = (card: Schema<'CardFacts'>): [string, string | undefined][] => [
  ['Card', [card.scheme, digitsOf(card)].filter(Boolean).join(' ')],
  ['Funding', card.funding],
  ['Issuer country', card.issuer_country],
  ['Card expires', expiryOf(card)],
];

export const accountsText = (options: readonly Schema<'PaymentMethodAccount'>[]): string =>
  options.map(accountText).join('; ');

/** Known facts about a card, in one line, such as `visa •••• 1111, debit, DE, 03/2030`. */
export const cardText = (card: Schema<'CardFacts'>): string =>
  known(cardFacts(card))
    .map(([, value]) => value)
    .join(', ');

const accountText = ({ provider, account }: Schema<'PaymentMethodAccount'>): string =>
  account === undefined ? `${provider} (any account)` : `${provider} ${account}`;

/** The known digits; the dots stand for the others. */
const digitsOf = ({ bin = '', last4 = '' }: Schema<'CardFacts'>): string =>
  bin === '' && last4 === '' ? '' : [bin, '••••', last4].filter(Boolean).join(' ');

function expiryOf({ expiry_month: month, expiry_year: year }: Schema<'CardFacts'>): string | undefined {
  if (year === undefined) return undefined;
  return month === undefined ? String(year) : `${String(month).padStart(2, '0')}/${year}`;
}
