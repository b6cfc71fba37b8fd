import { fieldError } from '../../ui/field-errors';
import { TextField } from '../../ui/field';

interface Props {
  /** The label of the shop's account; absent for a new shop, which needs none. */
  label?: string;
  /** The effect of the text. */
  hint: string;
  error: unknown;
}

/** The label of the account at the provider, sent as `provider_account`. */
export const AccountField = ({ label, hint, error }: Props) => (
  <TextField
    label="Account"
    name="provider_account"
    required={label !== undefined}
    maxLength={80}
    spellCheck={false}
    defaultValue={label}
    hint={`A label for your account at the provider. Shops of one account accept the same tokens. ${hint}`}
    error={fieldError(error, 'provider_account')}
  />
);
