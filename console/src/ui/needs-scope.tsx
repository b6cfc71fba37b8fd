import type { ReactNode } from 'react';
import { type Scope, useSession } from '../api/session';

/** Its children for a session that may, for others which scope is missing and how to get it. */
export function NeedsScope({ scope, children }: { scope: Scope; children: ReactNode }) {
  const { scopes, client_id: clientId } = useSession();
  if (scopes.includes(scope)) return children;
  return (
    <p className="notice notice-warn">
      <span>
        This needs the scope <code>{scope}</code>, which <code>{clientId}</code> does not have. Sign in as a client that
        has it; <code>npm run cli -- client:create</code> makes one.
      </span>
    </p>
  );
}
