import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { TextField } from './field';
import type { FieldErrorOf } from './field-errors';

interface Props {
  label: string;
  value: string | number | undefined;
  /** Called with the text when the field loses the focus or Enter is pressed; `undefined` when it is empty. */
  onChange: (value: string | undefined) => void;
  type?: string;
  placeholder?: string;
  error?: FieldErrorOf;
  /** Returns why the text is invalid; an invalid text is not used as a filter. */
  check?: (text: string) => FieldErrorOf;
  inputMode?: 'numeric' | 'url';
}

/** A text to filter by. It is not applied while the user types, because each letter would request a list. */
export function FilterText({ value = '', onChange, error, check = () => undefined, ...field }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<{ value: unknown; reason: FieldErrorOf }>();
  // a link or "Clear" sets another value; the input stays, and keeps the focus
  useEffect(() => {
    input.current!.value = String(value);
  }, [value]);
  const apply = (text: string): void => {
    const typed = text.trim();
    const wrong = typed === '' ? undefined : check(typed);
    setRefused({ value, reason: wrong });
    if (wrong === undefined && typed !== String(value)) onChange(typed === '' ? undefined : typed);
  };
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void => {
    if (key === 'Enter') apply(currentTarget.value);
  };
  return (
    <TextField
      {...field}
      ref={input}
      error={(refused?.value === value ? refused.reason : undefined) ?? error}
      defaultValue={value}
      spellCheck={false}
      onBlur={({ target }) => apply(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
