import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { isSameRedelivery, type Redelivery } from './delivery-filter';

export interface StartedRedelivery {
  requested: Redelivery;
  count: number;
}

interface Props {
  /** Started on this page and not dismissed. */
  started: StartedRedelivery | undefined;
  describe: (filter: Redelivery) => string;
  onSeen: () => void;
}

type Running = Schema<'Redelivery'>;

const BUSY_MS = 1_000;
const IDLE_MS = 15_000;

/** All running redeliveries of the merchant, including those that other clients started. */
export function RedeliveryProgress({ started, describe, onSeen }: Props) {
  const { data: running = [] } = useQuery({
    queryKey: ['/webhooks/redeliveries'],
    queryFn: async ({ signal }) => (await api.get('/webhooks/redeliveries', { signal })).data,
    refetchInterval: ({ state }) => (state.data?.length ? BUSY_MS : IDLE_MS),
  });
  const own = started && running.find((each) => isSameRedelivery(each, started.requested));
  return (
    <>
      {running.map((each) => (
        <Progress
          key={each.requested_at}
          description={describe(requestOf(each))}
          redelivered={each.redelivered}
          count={each === own ? started!.count : undefined}
        />
      ))}
      {started && !own && (
        <div className="notice notice-good" role="status">
          <p>
            Queued again: {started.count.toLocaleString()} <bdi>{describe(started.requested)}</bdi>. The list shows
            their results.
          </p>
          <Button onClick={onSeen}>Dismiss</Button>
        </div>
      )}
    </>
  );
}

interface ProgressProps {
  description: string;
  redelivered: number;
  /** The total, if this page has started the redelivery. */
  count: number | undefined;
}

function Progress({ description, redelivered, count }: ProgressProps) {
  // the API drops the count of a shop when the shop is done, so the highest value is kept
  const [most, setMost] = useState(redelivered);
  if (redelivered > most) setMost(redelivered);
  return (
    <div className="notice">
      <p>
        Sending again: <bdi>{description}</bdi>. {most.toLocaleString()}
        {count === undefined ? '' : ` of ${count.toLocaleString()}`} queued so far.
      </p>
      {count !== undefined && (
        <progress className="redelivery-meter" max={count} value={most} aria-label="Queued again" />
      )}
    </div>
  );
}

const requestOf = ({ status, webhook_endpoint: endpoint, from, to, ...running }: Running): Redelivery => ({
  shop_id: running.shop_id ?? undefined,
  endpoint_id: running.endpoint_id ?? undefined,
  status,
  webhook_endpoint: endpoint ?? undefined,
  from: from ?? undefined,
  to: to ?? undefined,
});
