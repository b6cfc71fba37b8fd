import { TextField } from '../../../ui/field';
import type { TypedNumber } from '../model/form';
import { codesOf, numberOf } from '../model/values';
import { useFieldError } from './errors-context';
import { useParsedText } from './parsed-input';

interface Props<Value> {
  label: string;
  hint?: string;
  placeholder?: string;
  /** The path of the field in the API. */
  path: string;
  value: Value;
  onChange: (value: Value) => void;
}

const textOfNumber = (value: TypedNumber): string => String(value ?? '');
const textOfCodes = (codes: string[] | undefined): string => codes?.join(', ') ?? '';

export function NumberField({ label, hint, placeholder, path, ...parsed }: Props<TypedNumber>) {
  const text = useParsedText({ ...parsed, textOf: textOfNumber, valueOf: numberOf });
  const error = useFieldError(path);
  return <TextField label={label} hint={hint} error={error} placeholder={placeholder} inputMode="decimal" {...text} />;
}

/** A list of currency or country codes; empty means any. */
export function CodesField({ label, hint, placeholder, path, ...parsed }: Props<string[] | undefined>) {
  const text = useParsedText({ ...parsed, textOf: textOfCodes, valueOf: codesOf });
  const error = useFieldError(path);
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      placeholder={placeholder}
      autoCapitalize="characters"
      {...text}
    />
  );
}
