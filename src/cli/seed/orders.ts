import type { SeededRandom } from '../../shared/seeded-random.js';
import { MANUAL_FLOWS, SHOPS, type Account } from './cast.js';

type Shares = readonly (readonly [value: string, share: number])[];

const COUNTRIES: Shares = [
  ['DE', 30],
  ['FR', 16],
  ['GB', 20],
  ['US', 12],
  ['ES', 6],
  ['IT', 4],
  ['PL', 3],
  ['SE', 4],
  ['CH', 3],
  ['JP', 1],
];
const OTHER_SCHEMES: Shares = [
  ['visa', 4],
  ['mastercard', 4],
  ['maestro', 1],
  ['amex', 0.3],
];
const SCHEMES: Readonly<Record<string, Shares>> = {
  DE: [
    ['visa', 4],
    ['mastercard', 3],
    ['maestro', 3],
    ['amex', 0.5],
    ['girocard', 0.8],
  ],
  FR: [
    ['cartes_bancaires', 5],
    ['visa', 3],
    ['mastercard', 2],
    ['amex', 0.4],
  ],
  GB: [
    ['visa', 6],
    ['mastercard', 4],
    ['amex', 0.7],
  ],
  US: [
    ['visa', 5],
    ['mastercard', 3],
    ['amex', 1.5],
    ['discover', 0.7],
  ],
};
const BINS: Readonly<Record<string, string>> = {
  visa: '411111',
  mastercard: '555544',
  maestro: '670303',
  amex: '371449',
  cartes_bancaires: '497010',
  girocard: '672100',
  discover: '601111',
};
const EURO_FLOWS: Shares = [
  ['Web checkout EU', 7],
  ['Mobile app', 2],
  ['Subscriptions', 1.5],
  ['Marketplace', 1.5],
  ['Business invoices', 0.5],
  ['Pre-orders', 0.5],
  ['Gift cards', 0.5],
];
const FLOWS: Readonly<Record<string, Shares>> = {
  GB: [
    ['Web checkout UK', 6],
    ['Mobile app', 2],
    ['Phone orders', 1],
    ['Marketplace', 1],
  ],
  US: [
    ['Web checkout US', 6],
    ['Mobile app', 2],
    ['Outlet', 0.7],
  ],
  JP: [['Mobile app', 1]],
};
const CURRENCIES: Readonly<Record<string, string>> = {
  GB: 'GBP',
  US: 'USD',
  PL: 'PLN',
  SE: 'SEK',
  CH: 'CHF',
  JP: 'JPY',
};
/** How many units are worth as much as a euro, about. */
const RATES: Readonly<Record<string, number>> = { JPY: 160, PLN: 4, SEK: 11 };
const DECLINE_CODES: Shares = [
  ['insufficient_funds', 5],
  ['do_not_honor', 4],
  ['authentication_required', 2],
  ['expired_card', 1.5],
  ['limit_exceeded', 1],
  ['incorrect_cvc', 1],
  ['suspected_fraud', 0.8],
];
const FIRST_NAMES = [
  'Ada',
  'Jonas',
  'Léa',
  'Olivia',
  'Noah',
  'Zofia',
  'Erik',
  'Carmen',
  'Luca',
  'Yuki',
  'Mila',
  'Emre',
];
const LAST_NAMES = ['Müller', 'Martin', 'Smith', 'García', 'Rossi', 'Kowalski', 'Larsson', 'Tanaka', 'Weber', 'Jones'];
const CUSTOMERS = 900;

/** The parts of an order that are not drawn. */
export interface OrderWishes {
  country?: string;
  scheme?: string;
  flow?: string;
  amount?: number;
  orderId?: string;
  /** The sandbox's token in every account. */
  token?: string;
  metadata?: Record<string, unknown>;
  isFalling?: boolean;
}

export interface Order {
  body: Record<string, unknown>;
  /** The reason for which the provider declines it a little later, by account. */
  laterDeclines: Partial<Record<Account, string>>;
}

/** Orders of a merchant in Europe and America, which only `random` decides. */
export class Orders {
  private lastOrder = 20_000;

  constructor(private readonly random: SeededRandom) {}

  /** `isFalling`: some cards are declined more often. */
  next(wishes: OrderWishes = {}): Order {
    const { random } = this;
    const country = wishes.country ?? this.draw(COUNTRIES);
    const scheme = wishes.scheme ?? this.draw(SCHEMES[country] ?? OTHER_SCHEMES);
    const flow = wishes.flow ?? this.draw(FLOWS[country] ?? EURO_FLOWS);
    const currency = CURRENCIES[country] ?? 'EUR';
    const laterDeclines: Order['laterDeclines'] = {};
    const options = ACCOUNTS.map((account) => {
      const token =
        wishes.token ?? this.tokenFor(account, { country, scheme, flow, isFalling: wishes.isFalling === true });
      if (token === 'tok_pending' && wishes.token === undefined) laterDeclines[account] = this.draw(DECLINE_CODES);
      return { provider: 'sandbox', account, token: `${token}@${account}` };
    });
    const amount = wishes.amount ?? this.amountIn(currency);
    const body = {
      ...{ flow_name: flow, amount, currency, country, customer: this.customer() },
      metadata: {
        order_id: wishes.orderId ?? `A-${++this.lastOrder}`,
        channel: flow === 'Mobile app' ? 'app' : 'web',
        ...wishes.metadata,
      },
      payment_method: {
        ...{ type: 'card', options, card: this.card(scheme, country) },
        ...(flow === 'Subscriptions' && random.chance(0.3) && { save: true }),
      },
    };
    return { body, laterDeclines };
  }

  /** One of `shares`, each as often as its share says. */
  draw(shares: Shares): string {
    let left = this.random.next() * shares.reduce((sum, [, share]) => sum + share, 0);
    return (shares.find(([, share]) => (left -= share) < 0) ?? shares.at(-1)!)[0];
  }

  private tokenFor(account: Account, facts: Facts): string {
    if (this.random.chance(approvalOf(account, facts))) {
      return MANUAL_FLOWS.includes(facts.flow) ? 'tok_authorize_only' : 'tok_success';
    }
    return this.draw([
      ['tok_soft_decline', 3],
      ['tok_decline', 1],
      ['tok_pending', 5],
    ]);
  }

  private amountIn(currency: string): number {
    const amount = (8 + this.random.next() ** 2.2 * 240) * (RATES[currency] ?? 1);
    return currency === 'JPY' ? Math.round(amount) : Math.round(amount * 100) / 100;
  }

  private customer(): Record<string, string> {
    const number = this.random.integer(1, CUSTOMERS);
    const first = FIRST_NAMES[number % FIRST_NAMES.length]!;
    const last = LAST_NAMES[number % LAST_NAMES.length]!;
    const mailbox = `${first}.${last}`
      .normalize('NFD')
      .replaceAll(/[^\w.]/g, '')
      .toLowerCase();
    const name = { first_name: first, last_name: last, full_name: `${first} ${last}` };
    return { reference: `customer-${number}`, email: `${mailbox}.${number}@example.com`, ...name };
  }

  private card(scheme: string, country: string): Record<string, unknown> {
    const { random } = this;
    return {
      scheme,
      funding: random.chance(0.4) ? 'credit' : 'debit',
      issuer_country: random.chance(0.93) ? country : 'US',
      bin: BINS[scheme],
      last4: String(random.integer(1_000, 9_999)),
      ...{ expiry_month: random.integer(1, 12), expiry_year: random.integer(2027, 2031) },
    };
  }
}

const ACCOUNTS = [...new Set(SHOPS.map(({ account }) => account))];

interface Facts {
  country: string;
  scheme: string;
  flow: string;
  isFalling: boolean;
}

/** The chance of an approval. */
function approvalOf(account: Account, { country, scheme, isFalling }: Facts): number {
  if (isFalling && scheme === 'maestro' && country === 'DE' && account === 'eu') return 0.62;
  if (account === 'us' && country === 'GB') return 0.6;
  return 0.925 - (scheme === 'amex' ? 0.04 : 0) - (account === 'us' && country !== 'US' ? 0.05 : 0);
}
