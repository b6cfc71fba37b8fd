import type { Schema } from '@payment-orchestrator/client';
import type { Column } from '../../ui/data-table';
import { ObjectLink } from '../../ui/object-link';
import { Id, None, Time } from '../../ui/values';
import { detailsOf } from './audit-details';
import { ACTORS, actionText } from './audit-filter';

type Entry = Schema<'AuditEntry'>;

export const AUDIT_COLUMNS: Column<Entry>[] = [
  { title: 'Time', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'Action',
    cell: ({ action }) => (
      <>
        {actionText(action)}
        <br />
        <code className="muted">{action}</code>
      </>
    ),
  },
  { title: 'Object', cell: ({ object }) => <AuditObject {...object} /> },
  { title: 'Details', cell: (entry) => <Details entry={entry} /> },
  { title: 'Who', cell: ({ actor }) => <Actor {...actor} /> },
  { title: 'From', cell: ({ address }) => (address === null ? <None /> : <code>{address}</code>) },
  { title: 'Request', cell: ({ request_id: id }) => <Id value={id} /> },
];

/** An object that is gone has an entry, and no page any more. */
const AuditObject = ({ type, id }: Entry['object']) => (
  <ObjectLink type={type} id={id}>
    {type} {id}
  </ObjectLink>
);

function Actor({ type, client_id: clientId }: Entry['actor']) {
  if (clientId === null) return ACTORS[type];
  return (
    <code>
      <bdi>{clientId}</bdi>
    </code>
  );
}

function Details({ entry }: { entry: Entry }) {
  const details = detailsOf(entry);
  if (details.length === 0) return <None />;
  return (
    <dl className="audit-details">
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name === 'fields' ? 'new values of' : name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
