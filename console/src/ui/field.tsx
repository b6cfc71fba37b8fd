import type { FieldErrorOf } from './field-errors';
import { type ComponentProps, type ReactNode, useId } from 'react';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** The API's message about this field. */
  error?: FieldErrorOf;
}

/** A label, its input, and a hint or an error, linked for screen readers. */
function Field({ label, hint, error, children }: FieldProps & { children: (ids: Ids) => ReactNode }) {
  const id = useId();
  const note = `${id}-note`;
  const hasNote = hint !== undefined || error !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': hasNote ? note : undefined,
        'aria-invalid': error !== undefined || undefined,
      })}
      {hasNote && (
        <p id={note} className={error === undefined ? 'field-hint' : 'field-error'}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

interface Ids {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export const TextField = ({ label, hint, error, ...input }: FieldProps & ComponentProps<'input'>) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => <input autoComplete="off" {...input} {...ids} />}
  </Field>
);

export const TextArea = ({ label, hint, error, ...input }: FieldProps & ComponentProps<'textarea'>) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => <textarea rows={3} {...input} {...ids} />}
  </Field>
);

interface SelectProps extends FieldProps, Omit<ComponentProps<'select'>, 'children'> {
  options: readonly { value: string; label: string }[];
}

export const Select = ({ label, hint, error, options, ...select }: SelectProps) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => (
      <select {...select} {...ids}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);
