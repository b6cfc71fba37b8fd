import type { Scope } from '../../api/session';
import { EmptyState } from '../../ui/empty-state';

export const missingOf = (needed: readonly Scope[], held: readonly Scope[]): Scope[] =>
  needed.filter((scope) => !held.includes(scope));

/** In place of what the session may not see. */
export const MissingScopes = ({ scopes }: { scopes: readonly Scope[] }) => (
  <EmptyState title="This client may not see this">
    <p>
      It lacks{' '}
      {scopes.map((scope, index) => (
        <span key={scope}>
          {index > 0 && ' and '}
          <code>{scope}</code>
        </span>
      ))}
      . Sign in with a client that has it, or make one with <code>npm run cli -- client:create</code>.
    </p>
  </EmptyState>
);
