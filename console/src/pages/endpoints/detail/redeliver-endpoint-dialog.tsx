import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client';
import { queryClient } from '../../../api/query-client';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { PageLoading } from '../../../ui/loading';
import { ProblemNotice } from '../../../ui/problem-notice';
import { endpointsChanged } from '../endpoint-queries';

export interface Redelivered {
  status: 'pending' | 'failed';
  count: number;
}

interface Props {
  endpointId: number;
  status: Redelivered['status'];
  onClose: () => void;
  onDone: (result: Redelivered) => void;
}

const TEXTS: Record<Redelivered['status'], { title: string; action: string; none: string; effect: string }> = {
  pending: {
    title: 'Send pending deliveries now',
    action: 'Send now',
    none: 'No delivery is pending.',
    effect: 'They are sent now, a few at a time, instead of at their next time. Use it when the receiver works again.',
  },
  failed: {
    title: 'Redeliver failed deliveries',
    action: 'Redeliver',
    none: 'No failed delivery can be sent again.',
    effect:
      'Each gets new attempts with the same body and webhook-id, oldest first. A receiver that already has it can ignore it.',
  },
};

/** Counts the endpoint's deliveries of one status, and sends them again after a confirmation. */
export function RedeliverEndpointDialog({ endpointId, status, onClose, onDone }: Props) {
  const redeliver = async (dryRun: boolean): Promise<number> => {
    const body = { endpoint_id: endpointId, status, dry_run: dryRun };
    return (await api.post('/webhooks/redeliver', { body })).data.count;
  };
  const count = useQuery({
    queryKey: ['/webhooks/redeliver', endpointId, status],
    queryFn: () => redeliver(true),
    gcTime: 0,
    staleTime: 0,
  });
  const start = useMutation({
    mutationFn: () => redeliver(false),
    onSuccess: async (started) => {
      onDone({ status, count: started });
      await Promise.all([
        endpointsChanged(),
        queryClient.invalidateQueries({ queryKey: ['/webhooks/deliveries'] }),
        queryClient.invalidateQueries({ queryKey: ['/webhooks/redeliveries'] }),
      ]);
    },
  });
  const { title, action, none, effect } = TEXTS[status];
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button variant="primary" disabled={!count.data} isBusy={start.isPending} onClick={() => start.mutate()}>
          {action}
        </Button>
      }
    >
      {count.isFetching && <PageLoading />}
      {!count.isFetching && count.data === 0 && <p role="status">{none}</p>}
      {!count.isFetching && !!count.data && (
        <>
          <p role="status">
            <strong className="number">{count.data.toLocaleString('en')}</strong>{' '}
            {count.data === 1 ? `${status} delivery.` : `${status} deliveries.`}
          </p>
          <p className="muted">{effect}</p>
        </>
      )}
      <ProblemNotice error={count.error} retry={() => void count.refetch()} />
      <ProblemNotice error={start.error} />
    </Dialog>
  );
}
