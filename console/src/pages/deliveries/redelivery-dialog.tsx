import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { PageLoading } from '../../ui/loading';
import { ProblemNotice } from '../../ui/problem-notice';
import type { Redelivery } from './delivery-filter';

interface Props {
  asked: Redelivery;
  /** In words. */
  what: string;
  onClose: () => void;
  onStarted: (count: number) => void;
}

const redeliver = async (body: Redelivery & { dry_run: boolean }): Promise<number> =>
  (await api.post('/webhooks/redeliver', { body })).data.count;

/** Counts first, and asks. */
export function RedeliveryDialog({ asked, what, onClose, onStarted }: Props) {
  const queries = useQueryClient();
  const count = useQuery({
    queryKey: ['/webhooks/redeliver', asked],
    queryFn: () => redeliver({ ...asked, dry_run: true }),
    gcTime: 0,
    staleTime: 0,
  });
  const start = useMutation({
    mutationFn: () => redeliver({ ...asked, dry_run: false }),
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
    <Dialog title="Send all that match again" onClose={onClose} actions={send}>
      <p>
        Asked for: <bdi>{what}</bdi>.
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
      No delivery matches that can be sent again. <NotCounted />
    </p>
  ) : (
    <>
      <p role="status">
        <strong className="number">{count.toLocaleString()}</strong>{' '}
        {count === 1 ? 'delivery matches' : 'deliveries match'} and can be sent again. <NotCounted />
      </p>
      <p className="muted">
        Each gets a fresh run of attempts with the same body and <code>webhook-id</code>, so that a receiver drops what
        it has already. They are sent from the oldest on, a few at a time, and wait while the receiver fails. It cannot
        be called off.
      </p>
    </>
  );

/** Why the list may hold more than is counted. */
const NotCounted = () => (
  <span className="muted">
    The list may show more: a delivery whose body was erased with its customer cannot be sent again, and what another
    request has just sent again is not counted twice.
  </span>
);
