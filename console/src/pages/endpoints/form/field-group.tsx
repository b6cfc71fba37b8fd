import { type ReactNode, useId } from 'react';
import type { FieldErrorOf } from '../../../ui/field-errors';

interface Props {
  legend: string;
  hint?: ReactNode;
  /** The API's messages about the group. */
  error?: FieldErrorOf;
  children: ReactNode;
}

/** Inputs that are one field of the API. Its error can take the focus, because the group itself cannot. */
export function FieldGroup({ legend, hint, error, children }: Props) {
  const id = useId();
  const hasNote = hint !== undefined || error !== undefined;
  return (
    <fieldset className="field-group" aria-describedby={hasNote ? id : undefined}>
      <legend>{legend}</legend>
      {hasNote && (
        <p
          id={id}
          className={error === undefined ? 'field-hint' : 'field-error'}
          tabIndex={error === undefined ? undefined : -1}
        >
          {error ?? hint}
        </p>
      )}
      {children}
    </fieldset>
  );
}
