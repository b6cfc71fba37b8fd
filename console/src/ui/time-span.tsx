import { TextField } from './field';
import type { FieldErrorOf } from './field-errors';
import { fromLocal, toLocal } from './local-time';

interface Span {
  from?: string | undefined;
  to?: string | undefined;
}

interface Props {
  span: Span;
  onChange: (span: Span) => void;
  /** What the API says of them. */
  errors?: { from?: FieldErrorOf; to?: FieldErrorOf };
}

/** Two times, given in the reader's own and kept in UTC. A half-typed time changes nothing. */
export const TimeSpan = ({ span: { from, to }, onChange, errors = {} }: Props) => (
  <>
    <TextField
      // a link or "Clear" brings another one
      key={`from ${from}`}
      label="From"
      type="datetime-local"
      defaultValue={toLocal(from)}
      error={errors.from}
      onBlur={({ target }) => isNew(target, from) && onChange({ from: fromLocal(target.value), to })}
    />
    <TextField
      key={`to ${to}`}
      label="To"
      type="datetime-local"
      defaultValue={toLocal(to)}
      error={errors.to}
      onBlur={({ target }) => isNew(target, to) && onChange({ from, to: fromLocal(target.value) })}
    />
  </>
);

/** Seconds that the field does not show stay as they are. */
const isNew = ({ validity, value }: HTMLInputElement, before: string | undefined): boolean =>
  validity.valid && value !== toLocal(before);
