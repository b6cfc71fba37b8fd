import type { ReactNode } from 'react';

/** Shown in place of an empty list: says what the list would show, and how to get there. */
export const EmptyState = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="empty-state">
    <h2>{title}</h2>
    {children}
  </div>
);
