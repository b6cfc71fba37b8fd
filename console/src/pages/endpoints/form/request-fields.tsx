import { fieldError } from '../../../ui/field-errors';
import { TextField } from '../../../ui/field';
import { AuthFields } from './auth-fields';
import type { FormPart } from './form-part';
import { HeaderFields } from './header-fields';

interface Props extends FormPart {
  isNew: boolean;
}

/** How the requests are made: headers, authentication, pace and secret. */
export const RequestFields = ({ isNew, ...part }: Props) => (
  <>
    <HeaderFields {...part} />
    <AuthFields {...part} />
    <TextField
      label="Requests per second, at most (optional)"
      type="number"
      min={1}
      max={10_000}
      value={part.values.maxPerSecond}
      onChange={({ target }) => part.set({ maxPerSecond: target.value })}
      hint="Empty: no limit of its own."
      error={fieldError(part.error, 'max_per_second')}
    />
    <label className="check">
      <input
        type="checkbox"
        checked={part.values.redeliversOnRecovery}
        onChange={({ target }) => part.set({ redeliversOnRecovery: target.checked })}
      />
      When it answers again after a failure, send again what has failed for good
    </label>
    {isNew && (
      <TextField
        label="Your own secret (optional)"
        value={part.values.secret}
        spellCheck={false}
        onChange={({ target }) => part.set({ secret: target.value })}
        hint="24 to 200 printable characters, or whsec_ and base64. Leave empty to generate one."
        error={fieldError(part.error, 'secret')}
      />
    )}
  </>
);
