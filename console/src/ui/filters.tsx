import { type ReactNode, useState, useSyncExternalStore } from 'react';

interface Props {
  /** How many of them are set. */
  count: number;
  children: ReactNode;
}

/** As in the style sheets. */
const narrow = matchMedia('(max-width: 40rem)');

function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener);
      return () => narrow.removeEventListener('change', listener);
    },
    () => narrow.matches,
  );
}

/** The filters of a list. On a narrow screen they would fill it, and are folded until somebody opens them. */
export function Filters({ count, children }: Props) {
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="filters-fold"
      open={isOpen || !isNarrow}
      onToggle={({ currentTarget }) => isNarrow && setOpen(currentTarget.open)}
    >
      <summary className="button">{count === 0 ? 'Filters' : `Filters (${count} set)`}</summary>
      {children}
    </details>
  );
}
