import type { Schema } from '@payment-orchestrator/client';
import { useCan, useSession } from '../../api/session';
import { useList } from '../../api/use-list';
import { Badge } from '../../ui/badge';
import { Card } from '../../ui/card';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { List } from '../../ui/list';
import { WithScope } from '../../ui/with-scope';
import { Id, Time } from '../../ui/values';

type Client = Schema<'OAuthClient'>;

/** Who may use the API in the merchant's name. */
export function ClientsCard() {
  const mayRead = useCan('audit:read');
  return (
    <Card title="API clients" isFlush={mayRead}>
      <WithScope scope="audit:read">
        <Clients />
        <p className="small muted card-foot">
          On the server <code>npm run cli -- client:create</code>, <code>client:rotate-secret</code> and{' '}
          <code>client:revoke</code> make, renew and end them: nobody who holds a token can make another client.
        </p>
      </WithScope>
    </Card>
  );
}

function Clients() {
  const { client_id: own } = useSession();
  const list = useList('/clients');
  const columns: Column<Client>[] = [
    {
      title: 'Name',
      cell: ({ name, client_id: id }) => (
        <>
          <bdi>{name}</bdi> {id === own && <Badge tone="info">this session</Badge>}
        </>
      ),
    },
    {
      title: 'Client id',
      cell: ({ client_id: id }) => (
        <span className="nowrap">
          <Id value={id} />
        </span>
      ),
    },
    { title: 'Scopes', cell: ({ scopes }) => <Scopes scopes={scopes} /> },
    { title: 'Created', cell: ({ created_at: at }) => <Time value={at} /> },
    {
      title: 'State',
      cell: ({ revoked_at: at }) =>
        at === null ? (
          <Badge tone="good">in use</Badge>
        ) : (
          <>
            <Badge tone="neutral">revoked</Badge> <Time value={at} />
          </>
        ),
    },
  ];
  const empty = (
    <EmptyState title="No clients of the merchant’s own">
      <p>Tokens of an identity provider outside need none.</p>
    </EmptyState>
  );
  return (
    <List
      list={list}
      caption="API clients, newest first"
      columns={columns}
      rowKey={({ client_id: id }) => id}
      empty={empty}
    />
  );
}

const Scopes = ({ scopes }: { scopes: readonly string[] }) => (
  <ul className="scopes">
    {scopes.map((scope) => (
      <li key={scope}>
        <code>{scope}</code>
      </li>
    ))}
  </ul>
);
