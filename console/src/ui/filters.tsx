import { type ReactNode, useState, useSyncExternalStore } from 'react';

interface Props {
  /** The number of filters that are set. */
  count: number;
  children: ReactNode;
}

/** The same limit as in the style sheets. */
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

/** The filters of a list. On a narrow screen they would fill it, so they are closed until the user opens them. */
export function Filters({ count, children }: Props) {
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="filters-menu"
      open={isOpen || !isNarrow}
      onToggle={({ currentTarget }) => isNarrow && setOpen(currentTarget.open)}
    >
      <summary className="button">{count === 0 ? 'Filters' : `Filters (${count} set)`}</summary>
      {children}
    </details>
  );
}
