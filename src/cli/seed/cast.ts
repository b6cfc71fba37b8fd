import type { Rights } from '../../access/roles.js';
import type { ClientKind } from '../../auth/api-client.entity.js';

/** An account of the sandbox: a token is valid in one. */
export type Account = 'eu' | 'uk' | 'us';

interface Fee {
  percent: number;
  fixed?: number;
  currency?: string;
  scheme?: string;
}

export interface Shop {
  name: string;
  account: Account;
  fees?: Fee[];
}

/** The shop that was down on Thursday, and is down now. */
export const FRAGILE_SHOP = 'Madrid';

export const SHOPS: readonly Shop[] = [
  {
    name: 'Berlin',
    account: 'eu',
    fees: [
      { percent: 1.4, fixed: 0.25, currency: 'EUR' },
      { percent: 1.9, fixed: 0.3, currency: 'EUR', scheme: 'maestro' },
      { percent: 2.4 },
    ],
  },
  {
    name: 'Paris',
    account: 'eu',
    fees: [
      { percent: 1.1, fixed: 0.2, currency: 'EUR' },
      { percent: 0.8, fixed: 0.1, currency: 'EUR', scheme: 'maestro' },
      { percent: 2.9 },
    ],
  },
  { name: 'London', account: 'uk', fees: [{ percent: 1.3, fixed: 0.2, currency: 'GBP' }, { percent: 2.5 }] },
  { name: 'Dublin', account: 'uk', fees: [{ percent: 1.5, fixed: 0.1, currency: 'GBP' }, { percent: 2.2 }] },
  { name: 'New York', account: 'us', fees: [{ percent: 2.9, fixed: 0.3, currency: 'USD' }, { percent: 3.4 }] },
  { name: FRAGILE_SHOP, account: 'us', fees: [{ percent: 2.6 }] },
];

type ShopIds = Readonly<Record<string, number>>;
type Definition = Record<string, unknown> & { name: string; strategy: string };

export const MANUAL_FLOWS: readonly string[] = ['Business invoices', 'Pre-orders'];

/** Flows of every strategy. */
export const flowsOf = (ids: ShopIds): Definition[] => {
  const members = (...names: string[]) => names.map((name) => ({ shop_id: ids[name] }));
  const ranked = (...names: string[]) => names.map((name, index) => ({ shop_id: ids[name], priority: index + 1 }));
  return [
    {
      name: 'Web checkout EU',
      strategy: 'weighted',
      shops: [
        { shop_id: ids['Berlin'], weight: 3 },
        { shop_id: ids['Paris'], weight: 2 },
        { shop_id: ids[FRAGILE_SHOP], weight: 1 },
      ],
      max_attempts: 2,
    },
    { name: 'Web checkout UK', strategy: 'round_robin', shops: members('London', 'Dublin'), max_attempts: 2 },
    { name: 'Web checkout US', strategy: 'priority', shops: ranked('New York', FRAGILE_SHOP), max_attempts: 2 },
    {
      name: 'Mobile app',
      strategy: 'success_rate',
      shops: members('Berlin', 'Paris', 'London', 'Dublin', 'New York'),
      max_attempts: 3,
      success_rate: { by: ['card.scheme', 'country'] },
    },
    { name: 'Subscriptions', strategy: 'sticky', shops: members('Berlin', 'Paris') },
    {
      name: 'Marketplace',
      strategy: 'rules',
      shops: members('Berlin', 'Paris', 'London'),
      rules: [
        { when: { currency: { equals: 'GBP' } }, use: { shops: [ids['London']], strategy: 'priority' } },
        {
          when: { amount: { min: 150 }, country: { in: ['FR', 'ES'] } },
          use: { shops: [ids['Paris']], strategy: 'priority' },
        },
        { when: { 'card.issuer_country': { in: ['KP'] } }, decline: { code: 'country_blocked', message: 'Sanctions' } },
      ],
      default: { shops: [ids['Berlin'], ids['Paris']], strategy: 'round_robin' },
    },
    { name: MANUAL_FLOWS[0]!, strategy: 'lowest_cost', shops: members('Berlin', 'Paris', 'Dublin'), capture: 'manual' },
    {
      name: MANUAL_FLOWS[1]!,
      strategy: 'priority',
      shops: ranked('Berlin', 'Paris'),
      capture: 'manual',
      max_attempts: 2,
    },
    { name: 'Gift cards', strategy: 'round_robin', shops: members('Paris', 'Dublin') },
    { name: 'Outlet', strategy: 'priority', shops: ranked(FRAGILE_SHOP, 'New York'), max_attempts: 2 },
    { name: 'Phone orders', strategy: 'priority', shops: ranked('Dublin', 'London') },
  ];
};

/** A person, or a program. */
export interface Person {
  id: string;
  name: string;
  kind: ClientKind;
  rights: Rights;
}

export const OWNER = 'olivia';
export const MANAGER = 'maria';
export const SUPPORT = 'sam';
export const FINANCE = 'fatima';
export const DEVELOPER = 'dev';
/** The program that takes the payments. */
export const CHECKOUT = 'checkout';

export const PEOPLE: readonly Person[] = [
  { id: OWNER, name: 'Olivia Brandt', kind: 'person', rights: { role: 'owner' } },
  { id: MANAGER, name: 'Maria Lopez', kind: 'person', rights: { role: 'manager' } },
  { id: SUPPORT, name: 'Sam Weber', kind: 'person', rights: { role: 'support' } },
  { id: FINANCE, name: 'Fatima Aziz', kind: 'person', rights: { role: 'finance' } },
  { id: DEVELOPER, name: 'Dev Patel', kind: 'person', rights: { role: 'developer' } },
  {
    id: CHECKOUT,
    name: 'Checkout of the web shop',
    kind: 'program',
    rights: { role: null, scopes: ['payments:read', 'payments:write'] },
  },
];
