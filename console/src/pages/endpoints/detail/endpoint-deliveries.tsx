import { useState } from 'react';
import { useList } from '../../../api/use-list';
import { useLiveRefresh } from '../../../api/use-live-refresh';
import { useShops } from '../../../api/use-shops';
import { Card } from '../../../ui/card';
import { Select } from '../../../ui/field';
import { List } from '../../../ui/list';
import '../../deliveries/deliveries.css';
import { deliveryColumns } from '../../deliveries/delivery-columns';
import { STATUSES } from '../../deliveries/delivery-filter';
import type { Endpoint } from '../endpoint-filter';

const MOST_LIVE_PAGES = 3;

/** The latest deliveries to the endpoint. */
export const EndpointDeliveries = ({ endpoint: { id, kind } }: { endpoint: Endpoint }) => (
  <Card title="Deliveries" isFlush>
    <Deliveries endpointId={id} kind={kind} />
  </Card>
);

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
