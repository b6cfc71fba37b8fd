import type { ReactNode } from 'react';

/** Stands where nothing is yet: says what would be here, and what to do for it. */
export const EmptyState = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty-state">
    <h2>{title}</h2>
    {children}
  </div>
);
