import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { ProblemNotice } from './problem-notice';

interface Props {
  title: string;
  /** What the button says that sends it. */
  action: string;
  onSubmit: (form: FormData) => void;
  onClose: () => void;
  isBusy: boolean;
  /** Why it was refused, under the fields. */
  error: unknown;
  children: ReactNode;
}

/** A dialog with fields to send: by its button, or by Enter in one of them. */
export function FormDialog({ title, action, onSubmit, onClose, isBusy, error, children }: Props) {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  const send = (
    <Button type="submit" form={id} look="primary" isBusy={isBusy}>
      {action}
    </Button>
  );
  return (
    <Dialog title={title} onClose={onClose} actions={send}>
      <form id={id} className="stack" onSubmit={submit}>
        {children}
        <ProblemNotice error={error} />
      </form>
    </Dialog>
  );
}
