/** What a token may do; a client holds a subset, a token carries a subset of its client's. */
export const SCOPES = [
  'flows:read',
  'flows:write',
  'flows:simulate',
  'shops:read',
  'shops:write',
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
  'audit:read',
] as const;

export type Scope = (typeof SCOPES)[number];

const isScope = (name: string): name is Scope => (SCOPES as readonly string[]).includes(name);

/** Space-separated names, as RFC 6749 §3.3 writes them. */
export const formatScopes = (scopes: readonly Scope[]): string => scopes.join(' ');

/** The names split into those that are scopes, in the order of `SCOPES` and without repetition, and those that are not. */
export function sortScopes(names: readonly string[]): { known: Scope[]; unknown: string[] } {
  return {
    known: SCOPES.filter((scope) => names.includes(scope)),
    unknown: names.filter((name) => !isScope(name)),
  };
}

/** The names in a space-separated `scope` value. */
export const splitScopes = (scope: string): string[] => scope.split(' ').filter((name) => name !== '');
