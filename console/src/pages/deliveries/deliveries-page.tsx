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
const DESCRIPTION = 'Every webhook and its result. Attempts are made after 0, 10, 110 and 1110 seconds.';

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
      <Redelivery requested={redeliveryOf(search)} shops={shops}>
        <span className="small muted" role="status">
          {isLive ? 'Updates automatically' : 'Does not update automatically'}
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
  /** Whether the API has searched only the newest deliveries: see `webhook_endpoint` of the operation. */
  hasMore: boolean;
  onClear: () => void;
}

function NoDeliveries({ isFiltered, hasMore, onClear }: NoDeliveriesProps) {
  if (!isFiltered)
    return (
      <EmptyState title="No webhooks yet">
        <p>
          A payment sends webhooks to its <code>webhook_endpoint</code>. Create a payment with one: each change of its
          status then appears here as a delivery.
        </p>
      </EmptyState>
    );
  return (
    <EmptyState title={hasMore ? 'No match among the newest deliveries' : 'No delivery matches'}>
      <p>{hasMore ? '“Show more” searches further back.' : 'Remove a part of the filter.'}</p>
      <Button onClick={onClear}>Show all deliveries</Button>
    </EmptyState>
  );
}
