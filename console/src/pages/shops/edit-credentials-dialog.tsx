import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { fieldError } from '../../ui/field-errors';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { credentialChanges } from './credential-changes';
import { CredentialInputs, typedCredentials } from './credential-inputs';
import { shopChanged } from './shop-queries';

interface Props {
  shopId: number;
  credentials: Schema<'ShopCredential'>[];
  /** Called when the stored credentials have changed. */
  onSaved: () => void;
  onClose: () => void;
}

/** Changes typed credentials, removes selected ones and leaves the others unchanged. */
export function EditCredentialsDialog({ shopId, credentials, onSaved, onClose }: Props) {
  const current = Object.fromEntries(credentials.map(({ name, value }) => [name, value]));
  const removable = credentials.filter(({ required, value }) => !required && value !== null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (data: FormData) => {
      const removed = new Set(data.getAll('removed').map(String));
      const changes = credentialChanges({ typed: typedCredentials(data, credentials), removed });
      if (Object.keys(changes).length === 0) return;
      const overlap = Number(data.get('overlap')) * 3_600;
      const body = { provider_credentials: changes, credentials_overlap_seconds: overlap };
      await api.patch('/shops/{id}', { params: { path: { id: shopId } }, body });
    },
    onSuccess: async () => {
      onSaved();
      onClose();
      await shopChanged(shopId);
    },
  });
  return (
    <FormDialog
      title="Edit credentials"
      onClose={onClose}
      action="Save"
      onSubmit={mutate}
      isBusy={isPending}
      error={error}
    >
      <p className="muted">Empty fields stay unchanged.</p>
      <CredentialInputs fields={credentials} current={current} error={error} />
      {removable.length > 0 && (
        <fieldset className="row">
          <legend className="credentials-legend">Remove</legend>
          {removable.map(({ name }) => (
            <label key={name} className="check">
              <input type="checkbox" name="removed" value={name} /> <code>{name}</code>
            </label>
          ))}
        </fieldset>
      )}
      <TextField
        label="Overlap in hours"
        name="overlap"
        type="number"
        min={0}
        max={168}
        defaultValue={24}
        required
        hint="During this time, notifications that are signed with the old credentials are still accepted."
        error={fieldError(error, 'credentials_overlap_seconds')}
      />
    </FormDialog>
  );
}
