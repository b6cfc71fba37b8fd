import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schema } from '@payment-orchestrator/client';
import { useCan } from '../../api/session';
import { useList } from '../../api/use-list';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { List } from '../../ui/list';
import { NameSearch } from '../../ui/name-search';
import { namedQuery, validNamedSearch } from '../../ui/named-search';
import { WithScope } from '../../ui/with-scope';
import { Page } from '../../ui/page';
import { useDialog } from '../../ui/use-dialog';
import { Name, Time } from '../../ui/values';
import { CreateShopDialog } from './create-shop-dialog';
import './shops.css';
import { MissingRight } from '../../ui/missing-right';

type Shop = Schema<'ListedShop'>;

const route = getRouteApi('/shops');

const COLUMNS: Column<Shop>[] = [
  {
    title: 'Name',
    isName: true,
    cell: ({ id, name }) => (
      <Link to="/shops/$shopId" params={{ shopId: String(id) }}>
        <Name value={name} />
      </Link>
    ),
  },
  { title: 'Id', cell: ({ id }) => <code className="nowrap">{id}</code> },
  { title: 'Provider', cell: ({ provider }) => <span className="nowrap">{provider}</span> },
  { title: 'Account', cell: ({ provider_account: account }) => <code>{account}</code> },
  {
    title: 'New payments',
    cell: (shop) => <NewPayments shop={shop} />,
  },
  { title: 'Webhooks signed with', cell: ({ webhook_signing: signing }) => <code>{signing}</code> },
  { title: 'Created', cell: ({ created_at: at }) => <Time value={at} /> },
];

function NewPayments({ shop: { enabled, available, down_since: since } }: { shop: Shop }) {
  if (!available) return <Badge tone="bad">unavailable</Badge>;
  if (!enabled) return <Badge tone="neutral">disabled</Badge>;
  if (since === null) return <Badge tone="good">enabled</Badge>;
  return (
    <>
      <Badge tone="bad">down</Badge>
      <div className="small muted">
        since <Time value={since} />
      </div>
    </>
  );
}

export function ShopsPage() {
  const creating = useDialog();
  const mayWrite = useCan('shops:write');
  const create = mayWrite && (
    <Button variant="primary" onClick={() => creating.open()}>
      Create a shop
    </Button>
  );
  return (
    <Page
      title="Shops"
      description="A shop takes payments with an account at a payment provider. A flow chooses the shop for each payment."
      actions={create || undefined}
    >
      <WithScope scope="shops:read">
        <ShopList create={create} />
      </WithScope>
      {creating.isOpen && <CreateShopDialog onClose={creating.close} />}
    </Page>
  );
}

function ShopList({ create }: { create: ReactNode }) {
  const search = validNamedSearch({ ...route.useSearch() });
  const navigate = route.useNavigate();
  const list = useList('/shops', { query: namedQuery(search) });
  const empty =
    search.name !== undefined ? (
      <EmptyState title={`No shop name contains “${search.name}”`} />
    ) : (
      <EmptyState title="No shops yet">
        <p>
          To try the service, create a shop at the built-in sandbox, which moves no money. Then add the shop to a flow
          and create a payment.
        </p>
        {create || (
          <p>
            <MissingRight scope="shops:write" />
          </p>
        )}
      </EmptyState>
    );
  return (
    <>
      <NameSearch
        kind="shops"
        value={search.name}
        onChange={(name) => void navigate({ search: validNamedSearch({ name }), replace: true })}
      />
      <List list={list} caption="Shops" columns={COLUMNS} rowKey={({ id }) => id} empty={empty} />
    </>
  );
}
