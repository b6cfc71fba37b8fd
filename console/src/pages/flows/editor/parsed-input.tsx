import { type ChangeEvent, useState } from 'react';
import { isEqual } from '../model/diff';

interface Parsed<Value> {
  value: Value;
  textOf: (value: Value) => string;
  valueOf: (text: string) => Value;
  onChange: (value: Value) => void;
}

/** For an input whose text is parsed to a value. The typed text is kept unless the value changes elsewhere. */
export function useParsedText<Value>({ value, textOf, valueOf, onChange }: Parsed<Value>) {
  const [typed, setTyped] = useState(() => textOf(value));
  return {
    value: isEqual(valueOf(typed), value) ? typed : textOf(value),
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>): void => {
      setTyped(target.value);
      onChange(valueOf(target.value));
    },
  };
}
