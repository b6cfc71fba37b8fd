import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client';
import { queryClient } from '../../../api/query-client';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { ProblemNotice } from '../../../ui/problem-notice';
import { endpointQuery, endpointsChanged } from '../endpoint-queries';

interface Props {
  id: number;
  url: string;
  onClose: () => void;
}

/** Asks for confirmation; the focus is on the button that keeps the endpoint. */
export function DeleteEndpointDialog({ id, url, onClose }: Props) {
  const navigate = useNavigate();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.delete('/webhooks/endpoints/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      // before the lists are read again, so that the page of the deleted endpoint does not ask for it
      await navigate({ to: '/endpoints' });
      queryClient.removeQueries({ queryKey: endpointQuery(id).queryKey });
      await endpointsChanged();
    },
  });
  return (
    <Dialog
      title="Delete the endpoint?"
      onClose={onClose}
      closeLabel="Cancel"
      danger="delete"
      actions={
        <Button variant="danger" isBusy={isPending} onClick={() => mutate()}>
          Delete
        </Button>
      }
    >
      <p>
        <strong>
          <bdi className="endpoint-origin">{url}</bdi>
        </strong>{' '}
        gets no more events, and its pending deliveries are not sent. You cannot undo this: to stop for some time, pause
        it.
      </p>
      <ProblemNotice error={error} />
    </Dialog>
  );
}
