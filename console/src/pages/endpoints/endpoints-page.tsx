import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useList } from '../../api/use-list';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { useShops } from '../../api/use-shops';
import { EmptyState } from '../../ui/empty-state';
import { Select } from '../../ui/field';
import { List } from '../../ui/list';
import { WithScope } from '../../ui/with-scope';
import { Page } from '../../ui/page';
import { PageLink } from '../../ui/page-link';
import { columns } from './endpoint-columns';
import { type EndpointSearch, STATUSES, validEndpointSearch } from './endpoint-filter';
import './endpoints.css';

const MOST_LIVE_PAGES = 4;

export const EndpointsPage = () => (
  <Page
    title="Endpoints"
    description="Where webhooks go: one row for each shop and each scheme, host and port. Counts are of the last 24 hours."
  >
    <WithScope scope="webhooks:read">
      <Endpoints />
    </WithScope>
  </Page>
);

function Endpoints() {
  const search = validEndpointSearch(useSearch({ from: '/endpoints' }));
  const list = useList('/webhooks/endpoints', { query: { ...search } });
  // it would read all of them again, one after the other
  useLiveRefresh(['/webhooks/endpoints'], { isEnabled: (list.data?.pages.length ?? 0) <= MOST_LIVE_PAGES });
  return (
    <>
      <Filters search={search} />
      <List
        list={list}
        caption="Endpoints"
        columns={columns(list.dataUpdatedAt)}
        rowKey={({ id }) => id}
        empty={<Empty isFiltered={Object.keys(search).length > 0} />}
      />
    </>
  );
}

function Filters({ search }: { search: EndpointSearch }) {
  const navigate = useNavigate();
  const shops = [...useShops().values()].map(({ id, name }) => ({ value: String(id), label: name }));
  const set = (part: Record<string, unknown>): void =>
    void navigate({ to: '/endpoints', search: validEndpointSearch({ ...search, ...part }), replace: true });
  return (
    <form
      className="filters"
      role="search"
      aria-label="Filter of endpoints"
      onSubmit={(event) => event.preventDefault()}
    >
      <Select
        label="Status"
        value={search.status ?? ''}
        onChange={({ target }) => set({ status: target.value })}
        options={[{ value: '', label: 'any' }, ...STATUSES.map((value) => ({ value, label: value }))]}
      />
      {shops.length > 0 && (
        <Select
          label="Shop"
          value={String(search.shop_id ?? '')}
          onChange={({ target }) => set({ shop_id: target.value })}
          options={[{ value: '', label: 'all shops' }, ...shops]}
        />
      )}
    </form>
  );
}

const Empty = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No endpoint matches the filter">
      <Link to="/endpoints" search={{}}>
        Show all endpoints
      </Link>
    </EmptyState>
  ) : (
    <EmptyState title="No webhook has been sent yet">
      <p>
        An endpoint is listed once a payment names it in <code>webhook_endpoint</code>. To try a receiver before that,
        send it a test from the page of a <PageLink to="/shops">shop</PageLink>, or run{' '}
        <code>npm run cli -- listen</code> to receive webhooks on this machine.
      </p>
    </EmptyState>
  );
