import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { PageLoading } from '../../ui/loading';
import { ProblemNotice } from '../../ui/problem-notice';
import type { Redelivery } from './delivery-filter';

interface Props {
  requested: Redelivery;
  /** The request in words. */
  description: string;
  onClose: () => void;
  onStarted: (count: number) => void;
}

const redeliver = async (body: Redelivery & { dry_run: boolean }): Promise<number> =>
  (await api.post('/webhooks/redeliver', { body })).data.count;

/** Counts the deliveries and asks for confirmation. */
export function RedeliveryDialog({ requested, description, onClose, onStarted }: Props) {
  const queries = useQueryClient();
  const count = useQuery({
    queryKey: ['/webhooks/redeliver', requested],
    queryFn: () => redeliver({ ...requested, dry_run: true }),
    gcTime: 0,
    staleTime: 0,
  });
  const start = useMutation({
    mutationFn: () => redeliver({ ...requested, dry_run: false }),
    onSuccess: async (started) => {
      await queries.invalidateQueries({ queryKey: ['/webhooks/redeliveries'] });
      onStarted(started);
    },
  });
  const send = (
    <Button variant="primary" disabled={!count.data} isBusy={start.isPending} onClick={() => start.mutate()}>
      {count.data ? `Send ${count.data.toLocaleString()} again` : 'Send again'}
    </Button>
  );
  return (
    <Dialog title="Send all matches again" onClose={onClose} actions={send}>
      <p>
        Filter: <bdi>{description}</bdi>.
      </p>
      {count.isFetching && <PageLoading />}
      {!count.isFetching && count.data !== undefined && <Counted count={count.data} />}
      <ProblemNotice error={count.error} retry={() => void count.refetch()} />
      <ProblemNotice error={start.error} />
    </Dialog>
  );
}

const Counted = ({ count }: { count: number }) =>
  count === 0 ? (
    <p>
      There are no deliveries to send again. <NotCounted />
    </p>
  ) : (
    <>
      <p role="status">
        <strong className="number">{count.toLocaleString()}</strong>{' '}
        {count === 1 ? 'delivery matches' : 'deliveries match'} and can be sent again. <NotCounted />
      </p>
      <p className="muted">
        Each delivery gets new attempts with the same body and <code>webhook-id</code>. A receiver that already has it
        can ignore it. The oldest are sent first, a few at a time, and wait while the receiver fails. You cannot stop
        this.
      </p>
    </>
  );

/** Explains why the list can show more deliveries than are counted. */
const NotCounted = () => (
  <span className="muted">
    The list may show more deliveries. A delivery cannot be sent again if its body was erased with its customer, or if
    another request has just sent it again.
  </span>
);
