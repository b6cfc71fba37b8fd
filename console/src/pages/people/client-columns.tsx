import { ActorName } from '../../ui/actor-name';
import { Badge } from '../../ui/badge';
import type { Column } from '../../ui/data-table';
import { meaningOf } from '../../ui/missing-right';
import { CopyButton, Name, Time } from '../../ui/values';
import { type Client, roleLabel, roleMeaning } from './clients';

/** `own`: the id of the session's client. */
export const CLIENT_COLUMNS = (own: string): Column<Client>[] => [
  {
    title: 'Name',
    isName: true,
    cell: ({ name, client_id: id, kind, revoked_at: revokedAt }) => (
      <>
        <Name value={name} /> {id === own && <Badge tone="info">you</Badge>}
        {revokedAt !== null && <Badge tone="neutral">revoked</Badge>}
        <span className="people-note small muted">
          {kind === 'person' ? 'Person' : 'Program'} · <code>{id.length > 15 ? `${id.slice(0, 13)}…` : id}</code>{' '}
          <CopyButton text={id} label="Copy id" />
        </span>
      </>
    ),
  },
  { title: 'May', cell: (client) => <Rights client={client} /> },
  {
    title: 'Last change',
    cell: ({ updated_at: at, created_by: by }) => (
      <>
        <Time value={at} />
        {by !== null && (
          <span className="people-note small muted">
            added by <ActorName id={by} />
          </span>
        )}
      </>
    ),
  },
];

/** The role in words; rights of one's own as a list that opens. */
function Rights({ client: { role, scopes } }: { client: Client }) {
  if (role !== 'custom')
    return (
      <>
        <strong>{roleLabel(role)}</strong>
        <span className="people-note small muted">{roleMeaning(role)}</span>
      </>
    );
  return (
    <details>
      <summary>
        <strong>{roleLabel(role)}</strong> ({scopes.length})
      </summary>
      <ul className="people-rights small">
        {scopes.map((scope) => (
          <li key={scope}>{meaningOf(scope)}</li>
        ))}
      </ul>
    </details>
  );
}
