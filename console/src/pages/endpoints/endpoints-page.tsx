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
    description="Receivers of webhooks, one row per shop and origin (scheme, host and port). Counts cover the last 24 hours."
  >
    <WithScope scope="webhooks:read">
      <Endpoints />
    </WithScope>
  </Page>
);

function Endpoints() {
  const search = validEndpointSearch(useSearch({ from: '/endpoints' }));
  const list = useList('/webhooks/endpoints', { query: { ...search } });
  // a refresh reads every loaded page again, one after the other
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
    <form className="filters" role="search" aria-label="Filter endpoints" onSubmit={(event) => event.preventDefault()}>
      <Select
        label="Status"
        value={search.status ?? ''}
        onChange={({ target }) => set({ status: target.value })}
        options={[{ value: '', label: 'Any' }, ...STATUSES.map((value) => ({ value, label: value }))]}
      />
      {shops.length > 0 && (
        <Select
          label="Shop"
          value={String(search.shop_id ?? '')}
          onChange={({ target }) => set({ shop_id: target.value })}
          options={[{ value: '', label: 'All shops' }, ...shops]}
        />
      )}
    </form>
  );
}

const Empty = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title="No endpoint matches">
      <Link to="/endpoints" search={{}}>
        Show all endpoints
      </Link>
    </EmptyState>
  ) : (
    <EmptyState title="No endpoints yet">
      <p>
        An endpoint appears after the first payment with its address in <code>webhook_endpoint</code>. To test a
        receiver before that, use the webhook tester under <PageLink to="/developers">Developers</PageLink>. To receive
        webhooks on your machine, run <code>npm run cli -- listen</code>.
      </p>
    </EmptyState>
  );
