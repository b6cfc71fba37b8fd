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
      title="Delete the flow"
      onClose={onClose}
      actions={
        <Button variant="danger" isBusy={isPending} onClick={() => mutate()}>
          Delete
        </Button>
      }
    >
      <p>
        New payments can no longer use{' '}
        <strong>
          <bdi>{name}</bdi>
        </strong>
        . Its payments are kept, and its name can be used again.
      </p>
      <ProblemNotice error={error} />
      {error instanceof ProblemError && error.code === 'flow_has_open_payments' && (
        <p>
          A flow cannot be deleted while it has <code>pending</code> or <code>processing</code> payments. Cancel the{' '}
          <PageLink to="/payments">payments</PageLink> or wait until they end.
        </p>
      )}
    </Dialog>
  );
}
