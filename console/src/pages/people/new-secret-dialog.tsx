import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { FormDialog } from '../../ui/form-dialog';
import { formText } from '../../ui/form-text';
import { fieldError } from '../../ui/field-errors';
import { Select } from '../../ui/field';
import { type Client, clientsChanged } from './clients';
import { SecretDialog } from './secret-dialog';

const OVERLAPS = [
  { value: '0', label: 'It stops at once' },
  { value: '3600', label: 'It works for another hour' },
  { value: '86400', label: 'It works for another day' },
];

/** Gives a client a new secret, and shows it, once. */
export function NewSecretDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const { client_id: clientId, name, kind } = client;
  const [secret, setSecret] = useState<string>();
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (form: FormData) => {
      const body = { overlap_seconds: Number(formText(form, 'overlap')) };
      return (await api.post('/clients/{clientId}/rotate-secret', { params: { path: { clientId } }, body })).data;
    },
    onSuccess: async ({ client_secret: given }) => {
      setSecret(given);
      await clientsChanged();
    },
    // the answer has the secret
    gcTime: 0,
  });
  if (secret !== undefined)
    return <SecretDialog title={`New secret of ${name}`} kind={kind} id={clientId} secret={secret} onClose={onClose} />;
  return (
    <FormDialog
      title={`A new secret for ${name}`}
      action="Make a new secret"
      onSubmit={mutate}
      onClose={onClose}
      isBusy={isPending}
      error={error}
    >
      <Select
        label="The old secret"
        name="overlap"
        options={OVERLAPS}
        defaultValue={kind === 'person' ? '0' : '86400'}
        error={fieldError(error, 'overlap_seconds')}
      />
      <p className="muted">Who is signed in with it is signed out at once. Tokens of programs stay valid.</p>
    </FormDialog>
  );
}
