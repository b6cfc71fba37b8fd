import { ProblemError, type Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { PageLink } from '../../ui/page-link';
import { ProblemNotice } from '../../ui/problem-notice';
import { flowChanged } from './flow-queries';

interface Props {
  flow: Pick<Schema<'Flow'>, 'id' | 'name'>;
  onClose: () => void;
}

export function DeleteFlowDialog({ flow: { id, name }, onClose }: Props) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.delete('/flows/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      await flowChanged();
      onClose();
    },
  });
  return (
    <Dialog
      title="Delete a flow"
      onClose={onClose}
      actions={
        <Button variant="danger" isBusy={isPending} onClick={() => mutate()}>
          Delete
        </Button>
      }
    >
      <p>
        Payments can no longer be created with{' '}
        <strong>
          <bdi>{name}</bdi>
        </strong>
        . Its payments stay, and its name is free again.
      </p>
      <ProblemNotice error={error} />
      {error instanceof ProblemError && error.code === 'flow_has_open_payments' && (
        <p>
          A flow with payments that are <code>pending</code> or <code>processing</code> is kept. Cancel them or wait
          until they end: see <PageLink to="/payments">the payments</PageLink>.
        </p>
      )}
    </Dialog>
  );
}
