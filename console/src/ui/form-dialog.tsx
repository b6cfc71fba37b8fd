import { type FormEvent, type ReactNode, useId } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { ProblemNotice } from './problem-notice';

interface Props {
  title: string;
  /** The label of the submit button. */
  action: string;
  onSubmit: (form: FormData) => void;
  onClose: () => void;
  isBusy: boolean;
  /** The error of the request, shown under the fields. */
  error: unknown;
  children: ReactNode;
}

/** A dialog with a form. It is sent with its button, or with Enter in a field. */
export function FormDialog({ title, action, onSubmit, onClose, isBusy, error, children }: Props) {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  const send = (
    <Button type="submit" form={id} variant="primary" isBusy={isBusy}>
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
