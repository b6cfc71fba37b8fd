import { ROLE_NAMES, roleOf, ROLES } from './roles.js';
import type { Scope } from './scopes.js';
import { ConfigError } from '../platform/config/config-error.js';

/** The scopes that a token has by the groups in its claims. */
export type GroupScopes = (claims: Record<string, unknown>) => readonly Scope[];

/** `mapping`: `AUTH_ROLES`. Throws a `ConfigError` for an unknown role. */
export function groupScopes(mapping: Record<string, Record<string, string>> = {}): GroupScopes {
  const claims = Object.entries(mapping).map(
    ([claim, roles]) =>
      [claim, new Map(Object.entries(roles).map(([group, role]) => [group, scopesOfRole(role)]))] as const,
  );
  return (given) =>
    claims.flatMap(([claim, scopes]) => groupsIn(given[claim]).flatMap((group) => scopes.get(group) ?? []));
}

function scopesOfRole(name: string): readonly Scope[] {
  const role = roleOf({ role: name });
  if (role !== null) return ROLES[role].scopes;
  throw new ConfigError('AUTH_ROLES', `the role '${name}'`, `the roles ${ROLE_NAMES.join(', ')}`);
}

/** Providers send one group as text. */
const groupsIn = (value: unknown): string[] => [value].flat().filter((group) => typeof group === 'string');
