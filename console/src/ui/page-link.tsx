import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMayOpen } from '../api/page-scopes';

interface Props {
  to: string;
  search?: object;
  className?: string;
  children: ReactNode;
}

/** A link to a page; plain text if the session may not open it. */
export function PageLink({ to, search, className, children }: Props) {
  if (!useMayOpen()(to)) return <span className={className}>{children}</span>;
  return (
    <Link to={to} search={search as never} className={className}>
      {children}
    </Link>
  );
}
