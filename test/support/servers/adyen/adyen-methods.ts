import { decrypt } from './adyen-encryption.js';
import { AdyenFault, type Behaviour, MAGIC_METHODS } from './adyen-objects.js';

/** The `paymentMethod` of `/payments`: a stored one, or what Drop-in collected. */
export type GivenPaymentMethod = Readonly<Record<string, string | undefined>>;

/** Cards that require authentication of the payer, by number. All others are authorised without it. */
const CARDS: Readonly<Record<string, Behaviour>> = {
  '4212345678901237': { result: 'Authenticate', steps: ['fingerprint', 'challenge'] },
  '5201281505129736': { result: 'Authenticate', steps: ['fingerprint'] },
  '4917610000000000': { result: 'Authenticate', steps: ['challenge'] },
};

/** Names of card holders that Adyen's test environment refuses. https://docs.adyen.com/development-resources/testing */
const HOLDERS: Readonly<Record<string, Behaviour>> = {
  DECLINED: MAGIC_METHODS['REFUSED']!,
  CARD_EXPIRED: MAGIC_METHODS['EXPIRED']!,
  NOT_ENOUGH_BALANCE: MAGIC_METHODS['NOBALANCE']!,
};

const OTHERS: Readonly<Record<string, Behaviour>> = {
  ideal: { result: 'RedirectShopper' },
  klarna: { result: 'RedirectShopper' },
  paypal: { result: 'Pending', action: 'sdk' },
  blik: { result: 'Pending', action: 'await' },
  pix: { result: 'Pending', action: 'qrCode' },
  multibanco: { result: 'PresentToShopper' },
  bankTransfer_IBAN: { result: 'Received', action: 'bankTransfer' },
};

/** The encrypted values of a card. */
const ENCRYPTED: readonly [field: string, pattern: RegExp, fault: string, message: string][] = [
  ['encryptedCardNumber', /^\d{12,19}$/, '101', 'Invalid card number'],
  ['encryptedExpiryMonth', /^(0[1-9]|1[0-2])$/, '129', 'Expiry Date Invalid'],
  ['encryptedExpiryYear', /^20\d\d$/, '129', 'Expiry Date Invalid'],
  ['encryptedSecurityCode', /^\d{3,4}$/, '103', 'CVC is not the right length'],
];

/** How the fake treats a payment method. `methods`: scripted behaviours by stored method or card number. */
export function behaviourOf(method: GivenPaymentMethod, methods: ReadonlyMap<string, Behaviour>): Behaviour {
  const { type = '', storedPaymentMethodId: stored } = method;
  if (stored !== undefined) {
    const behaviour = methods.get(stored) ?? MAGIC_METHODS[stored];
    if (behaviour) return behaviour;
    throw new AdyenFault(422, '803', 'PaymentDetail not found');
  }
  if (type === 'scheme') return cardBehaviour(method, methods);
  if (type === 'applepay' || type === 'googlepay') return walletBehaviour(method);
  const behaviour = OTHERS[type];
  if (behaviour) return behaviour;
  throw new AdyenFault(500, '905', 'Payment details are not supported', 'configuration');
}

function cardBehaviour(method: GivenPaymentMethod, methods: ReadonlyMap<string, Behaviour>): Behaviour {
  for (const [field, pattern, code, message] of ENCRYPTED) {
    const value = decrypt(method[field] ?? 'test_');
    if (value === undefined) throw new AdyenFault(422, '174', 'Unable to decrypt data');
    if (!pattern.test(value)) throw new AdyenFault(422, code, message);
  }
  const number = decrypt(method['encryptedCardNumber']!)!;
  return HOLDERS[method['holderName'] ?? ''] ?? methods.get(number) ?? CARDS[number] ?? { result: 'Authorised' };
}

function walletBehaviour({ type, applePayToken, googlePayToken }: GivenPaymentMethod): Behaviour {
  const token = type === 'applepay' ? applePayToken : googlePayToken;
  if (token === undefined) throw new AdyenFault(422, '14_004', 'Missing payment method details');
  return { result: 'Authorised' };
}
