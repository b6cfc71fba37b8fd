import type { Schema } from '@payment-orchestrator/client';
import { fieldError } from '../../ui/field-errors';
import { TextField } from '../../ui/field';

type Field = Schema<'ProviderCredential'>;

interface Props {
  fields: readonly Field[];
  error: unknown;
  /** The shop's current credentials by name; absent for a new shop. */
  current?: Readonly<Record<string, string | null>>;
}

/** One input for each credential of the provider. An empty input leaves the credential unchanged. */
export function CredentialInputs({ fields, error, current }: Props) {
  return (
    <fieldset className="stack">
      <legend className="credentials-legend">Credentials</legend>
      {fields.map(({ name, takes, required, secret }) => (
        <TextField
          key={name}
          label={required ? `${name} (required)` : name}
          name={inputName(name)}
          hint={takes}
          type={secret ? 'password' : 'text'}
          autoComplete={secret ? 'new-password' : 'off'}
          spellCheck={false}
          placeholder={placeholderOf(current?.[name])}
          error={fieldError(error, `provider_credentials.${name}`)}
        />
      ))}
    </fieldset>
  );
}

export function typedCredentials(data: FormData, fields: readonly Field[]): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name }) => {
      const value = data.get(inputName(name));
      return [name, typeof value === 'string' ? value : ''];
    }),
  );
}

const inputName = (name: string): string => `credential:${name}`;

const placeholderOf = (shown: string | null | undefined): string | undefined =>
  shown === undefined || shown === null ? undefined : `unchanged: ${shown}`;
