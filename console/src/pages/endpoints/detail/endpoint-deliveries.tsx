import { useState } from 'react';
import { useCan } from '../../../api/session';
import { useList } from '../../../api/use-list';
import { useLiveRefresh } from '../../../api/use-live-refresh';
import { useShops } from '../../../api/use-shops';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Select } from '../../../ui/field';
import { List } from '../../../ui/list';
import { useDialog } from '../../../ui/use-dialog';
import '../../deliveries/deliveries.css';
import { deliveryColumns } from '../../deliveries/delivery-columns';
import { STATUSES } from '../../deliveries/delivery-filter';
import type { Endpoint } from '../endpoint-filter';
import { type Redelivered, RedeliverEndpointDialog } from './redeliver-endpoint-dialog';

const MOST_LIVE_PAGES = 3;

/** The latest deliveries to the endpoint, and the buttons that send its pending or failed ones again. */
export function EndpointDeliveries({ endpoint: { id: endpointId, kind } }: { endpoint: Endpoint }) {
  const mayWrite = useCan('webhooks:write');
  const dialog = useDialog<Redelivered['status']>();
  const [done, setDone] = useState<Redelivered>();
  return (
    <Card
      title="Deliveries"
      isFlush
      actions={
        mayWrite && (
          <>
            <Button onClick={() => dialog.open('pending')}>Send pending now …</Button>
            <Button onClick={() => dialog.open('failed')}>Redeliver failed …</Button>
          </>
        )
      }
    >
      {done && (
        <p className="notice notice-good endpoint-redelivered" role="status">
          {RESULTS[done.status](done.count)}
        </p>
      )}
      <Deliveries endpointId={endpointId} kind={kind} />
      {dialog.subject && (
        <RedeliverEndpointDialog
          endpointId={endpointId}
          status={dialog.subject}
          onClose={dialog.close}
          onDone={(result) => {
            setDone(result);
            dialog.close();
          }}
        />
      )}
    </Card>
  );
}

const countOf = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'delivery' : 'deliveries'}`;
const RESULTS: Record<Redelivered['status'], (count: number) => string> = {
  pending: (count) => `Brought forward: ${countOf(count)}.`,
  failed: (count) => `Queued again: ${countOf(count)}. The oldest are sent first.`,
};

function Deliveries({ endpointId, kind }: { endpointId: number; kind: Endpoint['kind'] }) {
  const shops = useShops();
  // a standing endpoint has one address, the title of the page
  const columns = deliveryColumns(shops).filter(({ title }) => kind === 'payment' || title !== 'Address');
  const [status, setStatus] = useState<(typeof STATUSES)[number]>();
  const list = useList('/webhooks/deliveries', { query: { endpoint_id: endpointId, status, limit: 20 } });
  useLiveRefresh(['/webhooks/deliveries'], { isEnabled: (list.data?.pages.length ?? 0) <= MOST_LIVE_PAGES });
  return (
    <>
      <div className="filters endpoint-deliveries-filter">
        <Select
          label="Status"
          value={status ?? ''}
          onChange={({ target }) => setStatus(STATUSES.find((each) => each === target.value))}
          options={[{ value: '', label: 'Any' }, ...STATUSES.map((value) => ({ value, label: value }))]}
        />
      </div>
      <List
        list={list}
        caption="Deliveries to the endpoint, newest first"
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <p className="muted card-foot">
            {status === undefined
              ? 'No deliveries yet. The next event of its types is the first.'
              : `None is ${status}.`}
          </p>
        }
      />
    </>
  );
}
