import type { ReactNode } from 'react';
import { type Scope, useCan } from '../api/session';
import { NeedsScope } from './needs-scope';

/** Its children for a session that may, for others which scope is missing. */
export const WithScope = ({ scope, children }: { scope: Scope; children: ReactNode }) =>
  useCan(scope) ? children : <NeedsScope scope={scope} />;
