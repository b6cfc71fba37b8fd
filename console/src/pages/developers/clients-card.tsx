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

/** The merchant's API clients. */
export function ClientsCard() {
  const mayRead = useCan('audit:read');
  return (
    <Card title="API clients" isFlush={mayRead}>
      <WithScope scope="audit:read">
        <Clients />
        <p className="small muted card-foot">
          Clients are managed on the server, with <code>npm run cli -- client:create</code>,{' '}
          <code>client:rotate-secret</code> and <code>client:revoke</code>. So a stolen token cannot create clients.
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
          <Badge tone="good">active</Badge>
        ) : (
          <>
            <Badge tone="neutral">revoked</Badge> <Time value={at} />
          </>
        ),
    },
  ];
  const empty = (
    <EmptyState title="No API clients">
      <p>Tokens of an external identity provider need no client.</p>
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
