import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './button';

interface Props {
  title: string;
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
  closeLabel?: string;
  /** For an action that cannot be undone: the close button gets the focus, and gets it again when this value changes. */
  danger?: string | undefined;
}

/** The browser's modal dialog: it keeps the focus, closes on Escape and returns the focus. It is open while it is rendered. */
export function Dialog({ title, onClose, children, actions, closeLabel = 'Close', danger }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const id = useId();
  // a layout effect, because the dialog can return the focus only while it is still on the page
  useLayoutEffect(() => {
    const dialog = ref.current!;
    if (!dialog.open) dialog.showModal();
    return () => {
      dialog.close();
      // the button that opened the dialog is gone or disabled
      if (dialog.contains(document.activeElement) || document.activeElement === document.body)
        document.getElementById('content')?.focus({ preventScroll: true });
    };
  }, []);
  useLayoutEffect(() => {
    if (danger !== undefined) closeButton.current!.focus();
  }, [danger]);
  return (
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      <div className="dialog-body">{children}</div>
      <div className="actions">
        {actions}
        <Button ref={closeButton} onClick={onClose}>
          {closeLabel}
        </Button>
      </div>
    </dialog>
  );
}
