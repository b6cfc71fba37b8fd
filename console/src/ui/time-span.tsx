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
  /** The API's messages about the fields. */
  errors?: { from?: FieldErrorOf; to?: FieldErrorOf };
}

/** Two times, shown in the user's time zone and stored in UTC. An incomplete time is ignored. */
export const TimeSpan = ({ span: { from, to }, onChange, errors = {} }: Props) => (
  <>
    <TextField
      // a link or "Clear" sets another time
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

/** Whether the user has changed the field. Seconds, which the field does not show, are kept otherwise. */
const isNew = ({ validity, value }: HTMLInputElement, before: string | undefined): boolean =>
  validity.valid && value !== toLocal(before);
