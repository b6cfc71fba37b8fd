import type { ReactNode } from 'react';
import { type Scope, useCan } from '../api/session';
import { EmptyState } from './empty-state';

/** In place of what the session may not see. */
export const NeedsScope = ({ scope }: { scope: Scope | readonly Scope[] }) => (
  <EmptyState title="This client may not see this">
    <p>
      It lacks{' '}
      {[scope].flat().map((name, index) => (
        <span key={name}>
          {index > 0 && ' and '}
          <code>{name}</code>
        </span>
      ))}
      . Sign in with a client that has it, or make one with <code>npm run cli -- client:create</code>.
    </p>
  </EmptyState>
);

/** Its children for a session that may, for others which scope is missing. */
export const WithScope = ({ scope, children }: { scope: Scope; children: ReactNode }) =>
  useCan(scope) ? children : <NeedsScope scope={scope} />;
