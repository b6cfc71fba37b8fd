import { type Scope, SCOPES, sortScopes } from './scopes.js';

/**
 * The roles: what each does, and its scopes. A client with a role has the scopes that this build gives to it, so that a new
 * scope reaches the owners of an existing installation. The console shows the same table.
 */
export const ROLES = {
  support: {
    meaning: 'Finds payments, refunds and cancels them, sends webhooks again',
    scopes: ['flows:read', 'shops:read', 'payments:read', 'payments:write', 'webhooks:read', 'webhooks:write'],
  },
  finance: {
    meaning: 'Reads payments, refunds them, settles open operations, reads the audit log',
    scopes: ['flows:read', 'shops:read', 'payments:read', 'payments:write', 'payments:settle', 'audit:read'],
  },
  manager: {
    meaning: 'Changes and activates flows, and does what support and finance do',
    scopes: [
      ...(['flows:read', 'flows:write', 'flows:activate', 'flows:simulate', 'shops:read', 'payments:read'] as const),
      ...(['payments:write', 'payments:settle', 'webhooks:read', 'webhooks:write', 'audit:read'] as const),
    ],
  },
  developer: {
    meaning: 'Connects programs: endpoints, their secrets, events, tests; reads everything, and moves no money',
    scopes: [
      ...(['flows:read', 'flows:simulate', 'shops:read', 'payments:read', 'webhooks:read', 'webhooks:write'] as const),
      ...(['webhooks:secrets', 'audit:read'] as const),
    ],
  },
  owner: { meaning: 'Does everything, and gives rights to others', scopes: SCOPES },
} as const satisfies Record<string, { meaning: string; scopes: readonly Scope[] }>;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[];

const isRole = (name: string | null): name is Role => name !== null && Object.hasOwn(ROLES, name);

/** The role of a client, unless this build does not know it. */
export const roleOf = ({ role }: { role: string | null }): Role | null => (isRole(role) ? role : null);

/** The scopes that a client has now: those of its role, or else its own that this build knows. */
export function scopesOf({ role, scopes }: { role: string | null; scopes: readonly string[] }): readonly Scope[] {
  return isRole(role) ? ROLES[role].scopes : sortScopes(scopes).known;
}

/** A role, or scopes of one's own. */
export type Rights = { role: Role } | { role: null; scopes: readonly Scope[] };

export const scopesIn = (rights: Rights): readonly Scope[] =>
  rights.role === null ? rights.scopes : ROLES[rights.role].scopes;

/** The roles with a scope. */
export const rolesWith = (scope: Scope): Role[] =>
  ROLE_NAMES.filter((role) => (ROLES[role].scopes as readonly Scope[]).includes(scope));
