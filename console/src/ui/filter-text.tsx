import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
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
  /** What is wrong with what was typed: then it is no filter. */
  check?: (text: string) => FieldErrorOf;
  inputMode?: 'numeric' | 'url';
}

/** A text to filter by. It is not taken while it is being typed: each letter would be a list of its own. */
export function FilterText({ value = '', onChange, error, check = () => undefined, ...field }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<{ value: unknown; reason: FieldErrorOf }>();
  // a link or "Clear" brings another one; the input stays, and with it the focus
  useEffect(() => {
    input.current!.value = String(value);
  }, [value]);
  const take = (text: string): void => {
    const typed = text.trim();
    const wrong = typed === '' ? undefined : check(typed);
    setRefused({ value, reason: wrong });
    if (wrong === undefined && typed !== String(value)) onChange(typed === '' ? undefined : typed);
  };
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void => {
    if (key === 'Enter') take(currentTarget.value);
  };
  return (
    <TextField
      {...field}
      ref={input}
      error={(refused?.value === value ? refused.reason : undefined) ?? error}
      defaultValue={value}
      spellCheck={false}
      onBlur={({ target }) => take(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
