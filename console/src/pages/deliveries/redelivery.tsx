import type { Schema } from '@payment-orchestrator/client';
import { type ReactNode, useState } from 'react';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { useDialog } from '../../ui/use-dialog';
import { type Redelivery as Asked, describeRedelivery } from './delivery-filter';
import { RedeliveryDialog } from './redelivery-dialog';
import { RedeliveryProgress, type StartedRedelivery } from './redelivery-progress';

interface Props {
  /** Of the filter; or why there is none. */
  asked: Asked | { reason: string };
  shops: ReadonlyMap<number, Schema<'Shop'>>;
  children: ReactNode;
}

const timeText = (time: string): string => new Date(time).toLocaleString();

/** A bar above the list: all that match are sent again, after a count; how far that is, whoever has asked for it. */
export function Redelivery({ asked, shops, children }: Props) {
  const mayWrite = useCan('webhooks:write');
  const asking = useDialog();
  const [started, setStarted] = useState<StartedRedelivery>();
  const reason = !mayWrite ? 'Sending again takes the scope webhooks:write.' : 'reason' in asked ? asked.reason : null;
  const nameOfShop = (id: number): string => shops.get(id)?.name ?? `shop ${id}`;
  const describe = (filter: Asked): string => describeRedelivery(filter, nameOfShop, timeText);
  return (
    <>
      <div className="redelivery-bar">
        {children}
        <Button
          disabled={reason !== null}
          aria-describedby={reason === null ? undefined : 'redelivery-reason'}
          onClick={() => asking.open()}
        >
          Send all that match again …
        </Button>
        {reason !== null && (
          <span id="redelivery-reason" className="small muted">
            {reason}
          </span>
        )}
      </div>
      <RedeliveryProgress started={started} describe={describe} onSeen={() => setStarted(undefined)} />
      {asking.isOpen && !('reason' in asked) && (
        <RedeliveryDialog
          asked={asked}
          what={describe(asked)}
          onClose={asking.close}
          onStarted={(count) => {
            asking.close();
            setStarted({ asked, count });
          }}
        />
      )}
    </>
  );
}
