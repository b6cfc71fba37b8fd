import { fieldError } from '../../ui/field-errors';
import { Select, TextField } from '../../ui/field';
import type { ClientKind } from './clients';

interface Props {
  name?: string;
  kind?: ClientKind;
  error: unknown;
}

/** The name of a client, and whether a person uses it. */
export const ClientFields = ({ name, kind = 'person', error }: Props) => (
  <>
    <TextField
      label="Name"
      name="name"
      required
      maxLength={200}
      defaultValue={name}
      hint="Shown wherever something was done."
      error={fieldError(error, 'name')}
    />
    <Select
      label="Used by"
      name="kind"
      defaultValue={kind}
      options={[
        { value: 'person', label: 'A person, who signs in here' },
        { value: 'program', label: 'A program, which uses the API' },
      ]}
      error={fieldError(error, 'kind')}
    />
  </>
);
