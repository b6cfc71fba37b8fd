/** The operations that each scope allows; a client has a subset of the scopes, a token a subset of its client's. */
export const SCOPE_MEANINGS = {
  'flows:read': 'read flows and their versions',
  'flows:write': 'create flows, draft their versions, rename and delete them',
  'flows:activate': 'decide which version of a flow payments use',
  'flows:simulate': 'simulate flows and run past payments through drafts',
  'shops:read': 'read shops',
  'shops:write': 'create and change shops, rotate their webhook secrets',
  'payments:read': 'read payments, their history and what providers sent',
  'payments:write': 'create, cancel and refund payments, erase customers',
  'payments:settle': 'settle operations whose outcome the provider cannot tell',
  'webhooks:read': 'read deliveries with their bodies, events and statistics',
  'webhooks:write': 'change standing endpoints, test receivers and deliver again',
  'webhooks:secrets': 'read the webhook secrets of shops and endpoints',
  'audit:read': 'read the audit log, and who may do what',
  'clients:write': 'add, limit and revoke people and programs, within their own rights',
} as const;

export type Scope = keyof typeof SCOPE_MEANINGS;

export const SCOPES = Object.keys(SCOPE_MEANINGS) as readonly Scope[];

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

/** Space-separated names in the format of RFC 6749 §3.3. */
export const formatScopes = (scopes: readonly Scope[]): string => scopes.join(' ');

/** Splits names into scopes, in the order of `SCOPES` and without duplicates, and unknown names. */
export function sortScopes(names: readonly string[]): { known: Scope[]; unknown: string[] } {
  return {
    known: SCOPES.filter((scope) => names.includes(scope)),
    unknown: names.filter((name) => !isScope(name)),
  };
}

/** The names in a space-separated `scope` value. */
export const splitScopes = (scope: string): string[] => scope.split(' ').filter((name) => name !== '');
