import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCan } from '../../api/session';
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
import { type EndpointSearch, KIND_NAMES, KINDS, STATUSES, validEndpointSearch } from './endpoint-filter';
import './endpoints.css';

const MOST_LIVE_PAGES = 4;

export function EndpointsPage() {
  const mayRead = useCan('webhooks:read');
  const mayWrite = useCan('webhooks:write') && mayRead;
  return (
    <Page
      title="Endpoints"
      description="Receivers of webhooks: standing endpoints, and the addresses of payments by shop and origin. Counts cover the last 24 hours."
      actions={mayWrite ? <CreateLink /> : undefined}
    >
      <WithScope scope="webhooks:read">
        <Endpoints />
      </WithScope>
    </Page>
  );
}

const CreateLink = () => (
  <Link to="/endpoints/new" className="button button-primary">
    Create an endpoint
  </Link>
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
        label="Kind"
        value={search.kind ?? ''}
        onChange={({ target }) => set({ kind: target.value })}
        options={[{ value: '', label: 'Any' }, ...KINDS.map((value) => ({ value, label: KIND_NAMES[value] }))]}
      />
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
        A standing endpoint is an address that gets every event of the types that you choose, of all shops or some: for
        example all changes of payments, or failures as messages in a chat. Use <em>Create an endpoint</em> above, or{' '}
        <code>POST /webhooks/endpoints</code>.
      </p>
      <p>
        Payments can also name an address of their own in <code>webhook_endpoint</code>. It appears here after the first
        of them. To test a receiver, use the webhook tester under <PageLink to="/developers">Developers</PageLink>; to
        receive webhooks on your machine, run <code>npm run cli -- listen</code>.
      </p>
    </EmptyState>
  );
