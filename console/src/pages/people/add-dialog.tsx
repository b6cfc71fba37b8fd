import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { FormDialog } from '../../ui/form-dialog';
import { formText } from '../../ui/form-text';
import { ClientFields } from './client-fields';
import { type ChosenRights, type ClientKind, clientsChanged, rightsBody } from './clients';
import { RightsFields } from './rights-fields';
import { SecretDialog } from './secret-dialog';

/** Adds a person or a program, then shows the secret, once. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const [rights, setRights] = useState<ChosenRights>({ role: 'support', scopes: [] });
  const [added, setAdded] = useState<Schema<'CreatedOAuthClient'>>();
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (form: FormData) => {
      const kind = formText(form, 'kind') as ClientKind;
      const body = { name: formText(form, 'name').trim(), kind, ...rightsBody(rights) };
      return (await api.post('/clients', { body })).data;
    },
    onSuccess: async (client) => {
      setAdded(client);
      await clientsChanged();
    },
    // the answer has the secret
    gcTime: 0,
  });
  if (added) {
    const { name, kind, client_id: id, client_secret: secret } = added;
    return <SecretDialog title={`${name} was added`} kind={kind} id={id} secret={secret} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Add a person or a program"
      action="Add"
      onSubmit={mutate}
      onClose={onClose}
      isBusy={isPending}
      error={error}
    >
      <ClientFields error={error} />
      <RightsFields rights={rights} onChange={setRights} error={error} />
    </FormDialog>
  );
}
