import type { ReactNode } from 'react';
import { useSession } from '../api/session';
import type { Scope } from '../api/session-cache';
import { EmptyState } from './empty-state';
import { meaningOf, WhoGives } from './missing-right';
import { Page } from './page';

interface Props {
  scope: Scope | readonly Scope[];
  /** The title of the page, if the scope is needed for the whole page. */
  title?: string;
  children: ReactNode;
}

/** Shows its children if the session has the scopes, otherwise the missing rights and who can give them. */
export function WithScope({ scope, title, children }: Props) {
  const { scopes } = useSession();
  const missing = [scope].flat().filter((each) => !scopes.includes(each));
  if (missing.length === 0) return children;
  const notice = <Missing scopes={missing} />;
  return title === undefined ? notice : <Page title={title}>{notice}</Page>;
}

const Missing = ({ scopes }: { scopes: readonly Scope[] }) => (
  <EmptyState title="You may not see this">
    <p>
      It needs the right to {scopes.map(meaningOf).join(', and to ')}. <WhoGives />
    </p>
  </EmptyState>
);
