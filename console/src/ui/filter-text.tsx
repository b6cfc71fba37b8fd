import type { KeyboardEvent } from 'react';
import { TextField } from './field';
import type { FieldErrorOf } from './field-errors';

interface Props {
  label: string;
  value: string | number | undefined;
  /** With what was typed, when the field is left or Enter is pressed; `undefined` when it is empty. */
  onChange: (value: string | undefined) => void;
  type?: string;
  placeholder?: string;
  error?: FieldErrorOf;
  inputMode?: 'numeric' | 'url';
}

/** A text to filter by. It is not taken while it is being typed: each letter would be a list of its own. */
export function FilterText({ value = '', onChange, ...field }: Props) {
  const take = (typed: string): void => {
    if (typed.trim() !== String(value)) onChange(typed.trim() === '' ? undefined : typed.trim());
  };
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void => {
    if (key === 'Enter') take(currentTarget.value);
  };
  return (
    <TextField
      // a link or "Clear" brings another one
      key={value}
      {...field}
      defaultValue={value}
      spellCheck={false}
      onBlur={({ target }) => take(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
