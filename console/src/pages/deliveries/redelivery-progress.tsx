import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { isSameRedelivery, type Redelivery } from './delivery-filter';

export interface StartedRedelivery {
  asked: Redelivery;
  count: number;
}

interface Props {
  /** From this page, and not seen to be over. */
  started: StartedRedelivery | undefined;
  describe: (filter: Redelivery) => string;
  onSeen: () => void;
}

type UnderWay = Schema<'Redelivery'>;

const BUSY_MS = 1_000;
const IDLE_MS = 15_000;

/** What is being redelivered now, whoever asked for it. */
export function RedeliveryProgress({ started, describe, onSeen }: Props) {
  const { data: underWay = [] } = useQuery({
    queryKey: ['/webhooks/redeliveries'],
    queryFn: async ({ signal }) => (await api.get('/webhooks/redeliveries', { signal })).data,
    refetchInterval: ({ state }) => (state.data?.length ? BUSY_MS : IDLE_MS),
  });
  const own = started && underWay.find((each) => isSameRedelivery(each, started.asked));
  return (
    <>
      {underWay.map((each) => (
        <Progress
          key={each.requested_at}
          what={describe(askedFor(each))}
          redelivered={each.redelivered}
          count={each === own ? started!.count : undefined}
        />
      ))}
      {started && !own && (
        <div className="notice notice-good" role="status">
          <p>
            Back in the queue: {started.count.toLocaleString()} <bdi>{describe(started.asked)}</bdi>. The list shows
            what becomes of them.
          </p>
          <Button onClick={onSeen}>Dismiss</Button>
        </div>
      )}
    </>
  );
}

interface ProgressProps {
  what: string;
  redelivered: number;
  /** How many it is about, if that is known here. */
  count: number | undefined;
}

function Progress({ what, redelivered, count }: ProgressProps) {
  // what a shop has added is not counted any more when it is done
  const [most, setMost] = useState(redelivered);
  if (redelivered > most) setMost(redelivered);
  return (
    <div className="notice">
      <p>
        Sending again: <bdi>{what}</bdi>. {most.toLocaleString()}
        {count === undefined ? '' : ` of ${count.toLocaleString()}`} back in the queue so far.
      </p>
      {count !== undefined && (
        <progress className="redelivery-meter" max={count} value={most} aria-label="Back in the queue" />
      )}
    </div>
  );
}

const askedFor = ({ shop_id: shopId, status, webhook_endpoint: endpoint, from, to }: UnderWay): Redelivery => ({
  shop_id: shopId ?? undefined,
  status,
  webhook_endpoint: endpoint ?? undefined,
  from: from ?? undefined,
  to: to ?? undefined,
});
