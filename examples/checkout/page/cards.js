// The card field. Only the providers' components read the card; the page and its backend never do.
// In a real page it is an iframe of each provider, so that the number is not in your page at all.

const CARD = { number: '4111111111111111', month: '03', year: '2030', code: '737', holder: 'Ada Byron' };
const DECLINED_AT_ADYEN = { holder: 'DECLINED' };

const METHODS = {
  approved: { label: 'A card that Adyen approves', card: CARD },
  failover: { label: 'A card that Adyen declines and Stripe approves', card: { ...CARD, ...DECLINED_AT_ADYEN } },
  challenge: { label: '3-D Secure at Adyen', card: { ...CARD, number: '4212345678901237' } },
  stripe: {
    label: 'A card that Adyen declines, then 3-D Secure at Stripe',
    card: { ...CARD, ...DECLINED_AT_ADYEN, number: '4000000000003220' },
  },
  declined: {
    label: 'A card that both decline',
    card: { ...CARD, ...DECLINED_AT_ADYEN, number: '4000000000000002' },
  },
  ideal: { label: 'iDEAL, by a redirect to the bank', type: 'ideal' },
};

/** Shows the test cards in `container`. Returns the field for the components. */
export function createCardField(container) {
  for (const [value, { label }] of Object.entries(METHODS)) {
    const input = Object.assign(document.createElement('input'), { type: 'radio', name: 'method', value });
    input.checked = value === 'approved';
    const line = document.createElement('label');
    line.append(input, ` ${label}`);
    container.append(line);
  }
  return { selected: () => METHODS[container.querySelector('input:checked').value] };
}
