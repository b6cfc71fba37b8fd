import { getRouteApi } from '@tanstack/react-router';
import { useList } from '../../api/use-list';
import { useShops } from '../../api/use-shops';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { List } from '../../ui/list';
import { WithScope } from '../../ui/with-scope';
import { Page } from '../../ui/page';
import { RefreshButton } from '../../ui/refresh-button';
import './deliveries.css';
import { deliveryColumns } from './delivery-columns';
import { type DeliverySearch, redeliveryOf, validDeliverySearch } from './delivery-filter';
import { DeliveryFilters } from './delivery-filters';
import { Redelivery } from './redelivery';
import { useFresh } from './use-fresh';

const route = getRouteApi('/deliveries');
const DESCRIPTION = 'Every webhook, with what became of it. An attempt is made at 0, 10, 110 and 1110 seconds.';

export const DeliveriesPage = () => (
  <Page title="Deliveries" description={DESCRIPTION}>
    <WithScope scope="webhooks:read">
      <Deliveries />
    </WithScope>
  </Page>
);

function Deliveries() {
  const search = validDeliverySearch(route.useSearch());
  const navigate = route.useNavigate();
  const shops = useShops();
  const list = useList('/webhooks/deliveries', { query: { ...search } });
  const isLive = useFresh(list, ['payment.status_changed', 'delivery.failed']);
  const show = (next: DeliverySearch): void => void navigate({ search: next, replace: true });
  return (
    <>
      <DeliveryFilters search={search} shops={shops} error={list.error} onChange={show} />
      <Redelivery asked={redeliveryOf(search)} shops={shops}>
        <span className="small muted" role="status">
          {isLive ? 'Kept up to date' : 'Not kept up to date'}
        </span>
        <RefreshButton onRefresh={() => list.refetch()} />
      </Redelivery>
      <List
        list={list}
        caption="Deliveries, newest first"
        columns={deliveryColumns(shops)}
        rowKey={({ id }) => id}
        empty={
          <NoDeliveries
            isFiltered={Object.keys(search).length > 0}
            onClear={() => show({})}
            hasMore={list.hasNextPage}
          />
        }
      />
    </>
  );
}

interface NoDeliveriesProps {
  isFiltered: boolean;
  /** None among those looked at: see `webhook_endpoint` of the operation. */
  hasMore: boolean;
  onClear: () => void;
}

function NoDeliveries({ isFiltered, hasMore, onClear }: NoDeliveriesProps) {
  if (!isFiltered)
    return (
      <EmptyState title="No webhook has been sent yet">
        <p>
          A payment sends its webhooks to its <code>webhook_endpoint</code>. Create a payment that names one, and each
          change of its status is a delivery here.
        </p>
      </EmptyState>
    );
  return (
    <EmptyState title={hasMore ? 'No such delivery among the newest' : 'No delivery matches'}>
      <p>{hasMore ? 'Look further back with "Show more".' : 'Take away a part of the filter.'}</p>
      <Button onClick={onClear}>Show all deliveries</Button>
    </EmptyState>
  );
}
