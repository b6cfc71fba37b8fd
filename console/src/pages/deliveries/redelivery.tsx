import type { Schema } from '@payment-orchestrator/client';
import { type ReactNode, useState } from 'react';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { useDialog } from '../../ui/use-dialog';
import { type Redelivery as Requested, describeRedelivery } from './delivery-filter';
import { RedeliveryDialog } from './redelivery-dialog';
import { RedeliveryProgress, type StartedRedelivery } from './redelivery-progress';

interface Props {
  /** The redelivery for the filter, or why there is none. */
  requested: Requested | { reason: string };
  shops: ReadonlyMap<number, Schema<'Shop'>>;
  children: ReactNode;
}

const timeText = (time: string): string => new Date(time).toLocaleString();

/** The bar above the list: a button that sends all filtered deliveries again, and the progress of running redeliveries. */
export function Redelivery({ requested, shops, children }: Props) {
  const mayWrite = useCan('webhooks:write');
  const asking = useDialog();
  const [started, setStarted] = useState<StartedRedelivery>();
  const reason = !mayWrite
    ? 'You do not have the right to send webhooks again.'
    : 'reason' in requested
      ? requested.reason
      : null;
  const nameOfShop = (id: number): string => shops.get(id)?.name ?? `shop ${id}`;
  const describe = (filter: Requested): string => describeRedelivery(filter, nameOfShop, timeText);
  return (
    <>
      <div className="redelivery-bar">
        {children}
        <Button
          disabled={reason !== null}
          aria-describedby={reason === null ? undefined : 'redelivery-reason'}
          onClick={() => asking.open()}
        >
          Send all matches again …
        </Button>
        {reason !== null && (
          <span id="redelivery-reason" className="small muted">
            {reason}
          </span>
        )}
      </div>
      <RedeliveryProgress started={started} describe={describe} onSeen={() => setStarted(undefined)} />
      {asking.isOpen && !('reason' in requested) && (
        <RedeliveryDialog
          requested={requested}
          description={describe(requested)}
          onClose={asking.close}
          onStarted={(count) => {
            asking.close();
            setStarted({ requested, count });
          }}
        />
      )}
    </>
  );
}
