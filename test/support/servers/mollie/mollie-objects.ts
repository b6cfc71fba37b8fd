// Mollie's objects with all fields that its OpenAPI document requires, and its refusals.
import { randomUUID } from 'node:crypto';
import type { FakeAnswer } from '@payment-orchestrator/provider-kit/testing';

const WITHOUT_PLACES: ReadonlySet<string> = new Set(['ISK', 'JPY']);
const PAGE = { type: 'text/html' };
const DOCUMENTATION = { href: 'https://docs.mollie.com/', ...PAGE };

export interface Amount {
  currency: string;
  value: string;
}

export type Status = 'open' | 'pending' | 'authorized' | 'paid' | 'canceled' | 'expired' | 'failed';

export interface Operation {
  resource: 'capture' | 'refund';
  id: string;
  amount: Amount;
  status: string;
  metadata: unknown;
}

export interface Chargeback {
  id: string;
  amount: Amount;
  createdAt: string;
  reversedAt: string | null;
}

/** A payment as Mollie keeps it. */
export interface StoredPayment {
  id: string;
  createdAt: string;
  amount: Amount;
  description: string;
  redirectUrl: string | null;
  webhookUrl: string | null;
  method: string | null;
  sequenceType: 'oneoff' | 'first' | 'recurring';
  customerId?: string;
  mandateId?: string;
  captureMode: 'automatic' | 'manual';
  captureBefore?: string;
  metadata: Record<string, unknown> | null;
  details: Record<string, unknown> | null;
  status: Status;
}

export const idOf = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;

export const isAmount = ({ currency = '', value = '' }: Partial<Amount> = {}): boolean =>
  (WITHOUT_PLACES.has(currency) ? /^\d+$/ : /^\d+\.\d\d$/).test(value) && /[1-9]/.test(value);

export const minorOf = ({ value }: Amount): number => Number(value.replace('.', ''));

export function amountOf(minor: number, currency: string): Amount {
  const places = WITHOUT_PLACES.has(currency) ? 0 : 2;
  return { currency, value: (minor / 10 ** places).toFixed(places) };
}

const link = (url: string) => ({ href: url, type: 'application/hal+json' });

export const linksOf = (path: string, more: object = {}) => ({
  self: link(`https://api.mollie.com/v2${path}`),
  documentation: DOCUMENTATION,
  ...more,
});

export const dashboardOf = (id: string) => ({ href: `https://my.mollie.com/dashboard/${id}`, ...PAGE });

export const checkoutOf = (url: string) => ({ href: url, ...PAGE });

/** A capture or a refund of a payment, as Mollie shows it. */
export const shownOperation = (operation: Operation, paymentId: string): object => {
  const part = `${operation.resource}s`;
  return structuredClone({
    ...operation,
    mode: 'test',
    description: '',
    createdAt: new Date().toISOString(),
    paymentId,
    _links: linksOf(`/payments/${paymentId}/${part}/${operation.id}`, { payment: link(`/payments/${paymentId}`) }),
  });
};

/** A list, with the link to its next page. */
export const listOf = (name: string, items: readonly object[], next: string | null = null): FakeAnswer => {
  const _links = { ...linksOf(`/${name}`), previous: null, next: next === null ? null : link(next) };
  return { status: 200, body: { count: items.length, _embedded: { [name]: items }, _links } };
};

export const refusal = (status: number, title: string, field?: string): FakeAnswer => ({
  status,
  body: {
    status,
    title,
    detail: `${title}.`,
    ...(field !== undefined && { field }),
    _links: { documentation: DOCUMENTATION },
  },
});

export const NOT_FOUND = refusal(404, 'Not Found');
export const unprocessable = (field?: string): FakeAnswer => refusal(422, 'Unprocessable Entity', field);

/** The profile of a key. */
export const profileOf = (id: string): object => ({
  resource: 'profile',
  id,
  mode: 'test',
  name: 'The shop of the tests',
  website: 'https://shop.example',
  email: 'shop@example.com',
  phone: '+31208202070',
  countriesOfActivity: ['NL'],
  businessCategory: 'OTHER_MERCHANDISE',
  status: 'verified',
  createdAt: new Date(0).toISOString(),
  _links: linksOf('/profiles/me', { dashboard: dashboardOf(id) }),
});
