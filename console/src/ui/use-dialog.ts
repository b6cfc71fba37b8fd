import { useState } from 'react';

interface Opened<T> {
  isOpen: boolean;
  /** What it was opened for. */
  of: T | undefined;
  open: (of: T) => void;
  close: () => void;
}

/**
 * Whether a dialog is open. `close` is of the time that it was rendered for: an answer that comes after somebody has closed
 * it does not close the next one, with what is typed there.
 */
export function useDialog<T = void>(): Opened<T> {
  const [time, setTime] = useState<{ of: T }>();
  return {
    isOpen: time !== undefined,
    of: time?.of,
    open: (of) => setTime({ of }),
    close: () => setTime((now) => (now === time ? undefined : now)),
  };
}
