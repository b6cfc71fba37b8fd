import { useState } from 'react';

interface DialogState<T> {
  isOpen: boolean;
  /** The object that the dialog was opened for. */
  subject: T | undefined;
  open: (subject: T) => void;
  close: () => void;
}

/**
 * Whether a dialog is open. `close` closes only the dialog that it was rendered for. So a late answer cannot close the dialog
 * that the user has opened since, and lose the text typed there.
 */
export function useDialog<T = void>(): DialogState<T> {
  const [current, setCurrent] = useState<{ subject: T }>();
  return {
    isOpen: current !== undefined,
    subject: current?.subject,
    open: (subject) => setCurrent({ subject }),
    close: () => setCurrent((now) => (now === current ? undefined : now)),
  };
}
