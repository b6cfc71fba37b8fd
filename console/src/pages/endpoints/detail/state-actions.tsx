import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { ProblemNotice } from '../../../ui/problem-notice';
import { useDialog } from '../../../ui/use-dialog';
import type { Endpoint } from '../endpoint-filter';
import { endpointsChanged } from '../endpoint-queries';
import { DeleteEndpointDialog } from './delete-endpoint-dialog';
import { RotateEndpointSecretDialog } from './rotate-endpoint-secret-dialog';

/** The changes of a standing endpoint, for a client that may make them. */
export function StateActions({ endpoint: { id, url, state } }: { endpoint: Endpoint }) {
  const dialog = useDialog<'rotate' | 'delete'>();
  const path = { id };
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      state === 'active'
        ? api.post('/webhooks/endpoints/{id}/pause', { params: { path } })
        : api.post('/webhooks/endpoints/{id}/resume', { params: { path } }),
    onSuccess: endpointsChanged,
  });
  return (
    <>
      <Button variant={state === 'active' ? 'plain' : 'primary'} isBusy={isPending} onClick={() => mutate()}>
        {state === 'active' ? 'Pause' : 'Resume'}
      </Button>
      <Link className="button" to="/endpoints/$endpointId/edit" params={{ endpointId: String(id) }}>
        Edit
      </Link>
      <Button onClick={() => dialog.open('rotate')}>Rotate secret …</Button>
      <Button onClick={() => dialog.open('delete')}>Delete …</Button>
      <ProblemNotice error={error} />
      {dialog.subject === 'rotate' && <RotateEndpointSecretDialog id={id} onClose={dialog.close} />}
      {dialog.subject === 'delete' && <DeleteEndpointDialog id={id} url={url!} onClose={dialog.close} />}
    </>
  );
}
