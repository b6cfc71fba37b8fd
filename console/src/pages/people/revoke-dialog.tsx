import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useList } from '../../api/use-list';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { ProblemNotice } from '../../ui/problem-notice';
import { type Client, clientsChanged } from './clients';

/** Asks for confirmation; the focus is on the button that keeps the client. Names what the client has added and stays. */
export function RevokeDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const { client_id: clientId, name, kind } = client;
  const added = useList('/clients').rows?.filter(
    ({ created_by: by, revoked_at: revokedAt }) => by === clientId && revokedAt === null,
  );
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      await api.delete('/clients/{clientId}', { params: { path: { clientId } } });
      await clientsChanged();
    },
    onSuccess: onClose,
  });
  return (
    <Dialog
      title={`Revoke ${name}?`}
      onClose={onClose}
      closeLabel="Cancel"
      danger="revoke"
      actions={
        <Button variant="danger" isBusy={isPending} onClick={() => mutate()}>
          Revoke
        </Button>
      }
    >
      <p>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        {kind === 'person'
          ? 'is signed out within seconds and cannot sign in again.'
          : 'gets no more answers of the API.'}{' '}
        You cannot undo this. What was done stays in the audit log.
      </p>
      {added !== undefined && added.length > 0 && (
        <p className="notice notice-warn">
          Added by <bdi>{name}</bdi>, and not revoked by this: {added.map((each) => each.name).join(', ')}.
        </p>
      )}
      <ProblemNotice error={error} />
    </Dialog>
  );
}
