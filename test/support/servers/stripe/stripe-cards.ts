import { textOf } from './form.js';
import { type Behaviour, MAGIC_TOKENS, StripeFault, TEST_CARD } from './stripe-objects.js';
import { newId, type Params } from './stripe-params.js';

/** Stripe's test cards, by number, with the magic PaymentMethod that behaves the same. All others are approved. */
const CARDS: Readonly<Record<string, string>> = {
  '4000000000003220': 'pm_card_threeDSecure2Required',
  '4000000000000002': 'pm_card_visa_chargeDeclined',
};

/** Creates a PaymentMethod of a card, as Stripe.js does in the payer's page, and adds it to `tokens`. */
export function createCardMethod({ card }: Params, tokens: Map<string, Behaviour>): object {
  const number = typeof card === 'object' ? textOf(card['number']) : '';
  if (!/^\d{12,19}$/.test(number)) {
    const message = 'Your card number is incorrect.';
    throw new StripeFault(402, { type: 'card_error', code: 'incorrect_number', message, param: 'number' });
  }
  const id = newId('pm');
  tokens.set(id, MAGIC_TOKENS[CARDS[number] ?? 'pm_card_visa']!);
  return { id, object: 'payment_method', type: 'card', card: { ...TEST_CARD, last4: number.slice(-4) } };
}
