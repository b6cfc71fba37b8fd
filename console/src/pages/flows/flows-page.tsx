import './flows.css';
import type { Schema } from '@payment-orchestrator/client';
import { Link } from '@tanstack/react-router';
import { useCan } from '../../api/session';
import { useList } from '../../api/use-list';
import { Button } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { List } from '../../ui/list';
import { Page } from '../../ui/page';
import { useDialog } from '../../ui/use-dialog';
import { Time } from '../../ui/values';
import { CreateFlowDialog } from './create-flow-dialog';
import { DeleteFlowDialog } from './delete-flow-dialog';

type Flow = Schema<'Flow'>;

const SHOWN_SHOPS = 4;

export function FlowsPage() {
  const mayWrite = useCan('flows:write');
  const list = useList('/flows');
  const creating = useDialog();
  const deleting = useDialog<Flow>();
  const create = mayWrite && (
    <Button look="primary" onClick={() => creating.open()}>
      Create a flow
    </Button>
  );
  return (
    <Page title="Flows" description="A flow decides which shop takes a payment." actions={create}>
      <List
        list={list}
        caption="Flows, newest first"
        columns={[...COLUMNS, ...(mayWrite ? [deleteColumn(deleting.open)] : [])]}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No flows yet">
            <p>
              A flow names shops, and a strategy that chooses among them. Payments are created with the name of a flow.
              {!mayWrite && ' To create one, the client needs the scope flows:write.'}
            </p>
            {create}
          </EmptyState>
        }
      />
      {creating.isOpen && <CreateFlowDialog onClose={creating.close} />}
      {deleting.of && <DeleteFlowDialog flow={deleting.of} onClose={deleting.close} />}
    </Page>
  );
}

const COLUMNS: Column<Flow>[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <Link to="/flows/$flowId" params={{ flowId: String(id) }} className="flow-name">
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { title: 'Strategy', cell: ({ strategy }) => <code className="nowrap">{strategy}</code> },
  { title: 'Shops', cell: ({ shops }) => <ShopNames shops={shops} /> },
  { title: 'Active version', isNumber: true, cell: ({ version }) => version },
  { title: 'Changed', cell: ({ updated_at }) => <Time value={updated_at} /> },
];

const deleteColumn = (onDelete: (flow: Flow) => void): Column<Flow> => ({
  title: 'Actions',
  cell: (flow) => (
    <span className="nowrap">
      <Button look="quiet" aria-label={`Delete ${flow.name}`} onClick={() => onDelete(flow)}>
        Delete
      </Button>
    </span>
  ),
});

function ShopNames({ shops }: Pick<Flow, 'shops'>) {
  const more = shops.length - SHOWN_SHOPS;
  return (
    <ul className="flow-shops">
      {shops.slice(0, SHOWN_SHOPS).map(({ shop_id, shop_name, enabled }) => (
        <li key={shop_id} className={enabled ? undefined : 'muted'}>
          <bdi className="truncate" title={shop_name}>
            {shop_name}
          </bdi>
          {!enabled && ' (disabled)'}
        </li>
      ))}
      {more > 0 && <li className="muted">and {more} more</li>}
    </ul>
  );
}
