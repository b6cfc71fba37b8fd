import type { Schema } from '@payment-orchestrator/client';
import { queryClient } from '../../api/query-client';
import { ROLES, type Role, type Scope, SCOPES } from '../../api/rights';
import { currentSession } from '../../api/session';

export type Client = Schema<'OAuthClient'>;
export type ClientRole = Client['role'];
export type ClientKind = Client['kind'];

/** The rights as a form has them. The scopes are kept while a role is chosen. */
export interface ChosenRights {
  role: ClientRole;
  scopes: readonly Scope[];
}

/** In a request. */
export const rightsBody = ({ role, scopes }: ChosenRights) =>
  role === 'custom' ? { role, scopes: SCOPES.filter((scope) => scopes.includes(scope)) } : { role };

export const scopesOf = ({ role, scopes }: ChosenRights): readonly Scope[] =>
  role === 'custom' ? scopes : ROLES[role].scopes;

/** The rights that others would need to give or change these. */
export const missingFor = (rights: readonly string[], own: readonly string[]): string[] =>
  rights.filter((scope) => !own.includes(scope));

const LABELS: Record<ClientRole, string> = {
  support: 'Support',
  finance: 'Finance',
  manager: 'Manager',
  developer: 'Developer',
  owner: 'Owner',
  custom: 'Rights of their own',
};

export const roleLabel = (role: ClientRole): string => LABELS[role];
export const roleMeaning = (role: Role): string => ROLES[role].meaning;

/** Own rights, and who may give rights, are in the session. */
export async function clientsChanged(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: ['/clients'] }), currentSession.refresh()]);
}
