import type { Schema } from '@payment-orchestrator/client';
import { useClientNames } from '../../api/use-client-names';
import { useFlowNames, useShops } from '../../api/use-shops';
import type { Column } from '../../ui/data-table';
import { ObjectLink } from '../../ui/object-link';
import { CopyButton, Name, None, Time } from '../../ui/values';
import { detailsOf } from './audit-details';
import { ACTORS, actionText } from './audit-filter';
import { ActorName } from '../../ui/actor-name';

type Entry = Schema<'AuditEntry'>;

export const AUDIT_COLUMNS: Column<Entry>[] = [
  { title: 'Time', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'Action',
    cell: ({ action }) => (
      <>
        {actionText(action)}
        <code className="audit-note nowrap">{action}</code>
      </>
    ),
  },
  { title: 'Object', isName: true, cell: ({ object }) => <AuditObject {...object} /> },
  { title: 'Details', cell: (entry) => <Details entry={entry} /> },
  { title: 'Actor', cell: (entry) => <Actor {...entry} /> },
  { title: 'Request', cell: ({ request_id: id }) => <Request id={id} /> },
];

/** Shows shops, flows and clients by their names. A deleted object has neither a name nor a page. */
function AuditObject({ type, id }: Entry['object']) {
  const shop = useShops().get(Number(id))?.name;
  const flow = useFlowNames().get(Number(id));
  const client = useClientNames().get(id);
  const names: Partial<Record<typeof type, string | undefined>> = { shop, flow, client };
  const name = names[type];
  if (name === undefined)
    return (
      <ObjectLink type={type} id={id}>
        {type} {id}
      </ObjectLink>
    );
  return (
    <>
      <ObjectLink type={type} id={id}>
        <Name value={name} />
      </ObjectLink>
      <span className="audit-note nowrap">
        {type}
        {type !== 'client' && ` ${id}`}
      </span>
    </>
  );
}

const Actor = ({ actor: { type, client_id: clientId, name }, address }: Entry) => (
  <>
    {clientId === null ? ACTORS[type] : <ActorName id={clientId} name={name} />}
    {address !== null && <span className="audit-note nowrap">from {address}</span>}
  </>
);

const Request = ({ id }: { id: string | null }) =>
  id === null ? (
    <None />
  ) : (
    <span className="audit-request">
      <code className="truncate" title={id}>
        {id}
      </code>
      <CopyButton text={id} />
    </span>
  );

function Details({ entry }: { entry: Entry }) {
  const details = detailsOf(entry);
  if (details.length === 0) return <None />;
  return (
    <dl className="audit-details">
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name === 'fields' ? 'changed fields' : name}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
