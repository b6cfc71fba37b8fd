import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { FormDialog } from '../../ui/form-dialog';
import { formText } from '../../ui/form-text';
import { ClientFields } from './client-fields';
import { type ChosenRights, type Client, type ClientKind, clientsChanged, rightsBody } from './clients';
import { RightsFields } from './rights-fields';

/** Changes the name, the kind and the rights of a client. */
export function EditDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const { client_id: clientId, name, kind, role, scopes } = client;
  const [rights, setRights] = useState<ChosenRights>({ role, scopes });
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (form: FormData) => {
      const newKind = formText(form, 'kind') as ClientKind;
      const body = { name: formText(form, 'name').trim(), kind: newKind, ...rightsBody(rights) };
      await api.patch('/clients/{clientId}', { params: { path: { clientId } }, body });
      await clientsChanged();
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title={`Edit ${name}`}
      action="Save"
      onSubmit={mutate}
      onClose={onClose}
      isBusy={isPending}
      error={error}
    >
      <ClientFields name={name} kind={kind} error={error} />
      <RightsFields rights={rights} onChange={setRights} error={error} />
      <p className="small muted">Changed rights count within two seconds, also for who is signed in.</p>
    </FormDialog>
  );
}
