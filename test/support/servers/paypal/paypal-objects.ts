import { randomBytes } from 'node:crypto';
import type { FakeAnswer } from '@payment-orchestrator/provider-kit/testing';

/** Currencies without decimal places: https://developer.paypal.com/reference/currency-codes/ */
const WITHOUT_PLACES: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD']);
const CURRENCIES: ReadonlySet<string> = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TWD USD'.split(' '),
);
const DAY_MS = 86_400_000;
/** Authorisations end after 29 days. */
const VALID_MS = 29 * DAY_MS;

export interface Money {
  currency_code: string;
  value: string;
}

/** An authorisation, a capture or a refund. */
export interface Payment {
  id: string;
  status: string;
  amount: Money;
  custom_id?: string;
  status_details?: { reason: string };
  /** The end of an authorisation. */
  expiration_time?: string;
  create_time: string;
  update_time: string;
}

interface Wallet {
  vault_id?: string;
  email_address?: string;
  stored_credential?: object;
  attributes?: { vault?: { store_in_vault?: string; usage_type?: string } };
  experience_context?: { return_url?: string; cancel_url?: string };
}

export interface GivenOrder {
  intent?: string;
  purchase_units?: { amount?: Money; custom_id?: string; description?: string; soft_descriptor?: string }[];
  payment_source?: { paypal?: Wallet };
}

/** The fate of an order's money, by the wallet that pays. */
export interface Fate {
  /** PayPal refuses to take the money, with this issue. */
  issue?: string;
  /** Such a payment is pending first. */
  pending?: 'charge' | 'capture' | 'refund';
}

export interface StoredOrder {
  id: string;
  intent: 'CAPTURE' | 'AUTHORIZE';
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  amount: Money;
  custom_id: string | undefined;
  wallet: Wallet;
  fate: Fate;
  vaultId: string | undefined;
  authorizations: Payment[];
  captures: Payment[];
  refunds: Payment[];
}

/** Upper-case letters and digits, as PayPal's ids. */
export const newId = (): string =>
  [...randomBytes(17)].map((byte) => 'ABCDEFGHJKLMNPRSTUVWXY0123456789'[byte % 32]).join('');

export const minorOf = ({ currency_code: currency, value }: Money): number =>
  Math.round(Number(value) * (WITHOUT_PLACES.has(currency) ? 1 : 100));

export function moneyOf(minor: number, currency: string): Money {
  const places = WITHOUT_PLACES.has(currency) ? 0 : 2;
  return { currency_code: currency, value: (minor / 10 ** places).toFixed(places) };
}

/** The issue of an amount that PayPal does not accept. */
export function amountIssue({ currency_code: currency = '', value = '' }: Partial<Money> = {}): string | undefined {
  if (!CURRENCIES.has(currency)) return 'INVALID_CURRENCY_CODE';
  if (!(WITHOUT_PLACES.has(currency) ? /^\d+(\.0+)?$/ : /^\d+(\.\d{1,2})?$/).test(value)) return 'DECIMAL_PRECISION';
  return Number(value) > 0 ? undefined : 'CANNOT_BE_ZERO_OR_NEGATIVE';
}

export function newPayment(status: string, amount: Money, customId: string | undefined): Payment {
  const at = new Date().toISOString();
  const custom = customId === undefined ? {} : { custom_id: customId };
  return { id: newId(), status, amount, ...custom, create_time: at, update_time: at };
}

export const newAuthorization = (amount: Money, customId: string | undefined): Payment => ({
  ...newPayment('CREATED', amount, customId),
  expiration_time: new Date(Date.now() + VALID_MS).toISOString(),
});

const NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST',
  403: 'NOT_AUTHORIZED',
  404: 'RESOURCE_NOT_FOUND',
  409: 'RESOURCE_CONFLICT',
  422: 'UNPROCESSABLE_ENTITY',
  429: 'RATE_LIMIT_REACHED',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

/** https://developer.paypal.com/api/rest/responses/#failed-requests */
export const refusal = (status: number, issue?: string, links: readonly object[] = []): FakeAnswer => ({
  status,
  body: {
    name: NAMES[status],
    message: 'The requested action could not be performed.',
    debug_id: newId().toLowerCase(),
    ...(issue !== undefined && { details: [{ issue, description: 'See the documentation.' }] }),
    links,
  },
});

/** The answer of the token's own endpoint. */
export const UNAUTHORIZED: FakeAnswer = {
  status: 401,
  body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
};
export const NOT_FOUND = refusal(404, 'INVALID_RESOURCE_ID');
export const unprocessable = (issue: string): FakeAnswer => refusal(422, issue);

const API = 'https://api-m.sandbox.paypal.com';
export const linkTo = (path: string, rel = 'self', method = 'GET') => ({ href: `${API}${path}`, rel, method });

export const refundedOf = ({ refunds }: StoredOrder, statuses: readonly string[]): number =>
  refunds.filter(({ status }) => statuses.includes(status)).reduce((sum, { amount }) => sum + minorOf(amount), 0);

/** PayPal's refunds name their capture by a link only. */
export const shownRefund = ({ captures }: StoredOrder, refund: Payment): object => ({
  ...refund,
  links: [linkTo(`/v2/payments/refunds/${refund.id}`), linkTo(`/v2/payments/captures/${captures[0]?.id}`, 'up')],
});
