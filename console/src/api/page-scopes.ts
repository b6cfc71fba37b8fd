import { useSession } from './session';
import type { Scope } from './session-cache';

/** In the order of the navigation. */
export const PAGES = [
  { to: '/', label: 'To do' },
  { to: '/payments', label: 'Payments' },
  { to: '/disputes', label: 'Disputes' },
  { to: '/approvals', label: 'Approvals' },
  { to: '/reports', label: 'Reports' },
  { to: '/deliveries', label: 'Deliveries' },
  { to: '/endpoints', label: 'Endpoints' },
  { to: '/flows', label: 'Flows' },
  { to: '/shops', label: 'Shops' },
  { to: '/developers', label: 'Developers' },
  { to: '/people', label: 'People' },
  { to: '/audit', label: 'Audit' },
] as const;

/** The scope that each page needs, by the first part of its path. */
const SCOPES: Record<string, Scope> = {
  payments: 'payments:read',
  disputes: 'payments:read',
  approvals: 'payments:read',
  reports: 'payments:read',
  'open-work': 'payments:read',
  deliveries: 'webhooks:read',
  endpoints: 'webhooks:read',
  flows: 'flows:read',
  shops: 'shops:read',
  people: 'audit:read',
  audit: 'audit:read',
};

/** Returns a check of paths, such as `/payments/1`: whether the session may read the data of the page. */
export function useMayOpen(): (path: string) => boolean {
  const { scopes } = useSession();
  return (path) => {
    const scope = SCOPES[path.split('/')[1] ?? ''];
    return scope === undefined || scopes.includes(scope);
  };
}
