import './flows.css';
import type { Schema } from '@payment-orchestrator/client';
import { STRATEGY_WORDS } from '@payment-orchestrator/routing/words/strategy-words';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCan } from '../../api/session';
import { useList } from '../../api/use-list';
import { Button } from '../../ui/button';
import type { Column } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { List } from '../../ui/list';
import { NameSearch } from '../../ui/name-search';
import { namedQuery, validNamedSearch } from '../../ui/named-search';
import { Page } from '../../ui/page';
import { useDialog } from '../../ui/use-dialog';
import { Name, None, Time } from '../../ui/values';
import { WithScope } from '../../ui/with-scope';
import { CreateFlowDialog } from './create-flow-dialog';
import { RolloutBadge } from './rollouts/rollout-badge';
import { DeleteFlowDialog } from './delete-flow-dialog';
import { MissingRight } from '../../ui/missing-right';

type Flow = Schema<'Flow'>;

const route = getRouteApi('/flows');
const SHOWN_SHOPS = 4;

export const FlowsPage = () => (
  <WithScope scope="flows:read" title="Flows">
    <Flows />
  </WithScope>
);

function Flows() {
  const mayWrite = useCan('flows:write');
  const search = validNamedSearch({ ...route.useSearch() });
  const navigate = route.useNavigate();
  const list = useList('/flows', { query: namedQuery(search) });
  const creating = useDialog();
  const deleting = useDialog<Flow>();
  const create = mayWrite && (
    <Button variant="primary" onClick={() => creating.open()}>
      Create a flow
    </Button>
  );
  return (
    <Page title="Flows" description="A flow chooses the shop for each payment." actions={create}>
      <NameSearch
        kind="flows"
        value={search.name}
        onChange={(name) => void navigate({ search: validNamedSearch({ name }), replace: true })}
      />
      <List
        list={list}
        caption="Flows, newest first"
        columns={[...COLUMNS, ...(mayWrite ? [deleteColumn(deleting.open)] : [])]}
        rowKey={({ id }) => id}
        empty={
          search.name === undefined ? (
            <EmptyState title="No flows yet">
              <p>
                A flow has shops and a strategy that chooses one of them. Clients create payments with the name of a
                flow. {!mayWrite && <MissingRight scope="flows:write" />}
              </p>
              {create}
            </EmptyState>
          ) : (
            <EmptyState title={`No flow name contains “${search.name}”`} />
          )
        }
      />
      {creating.isOpen && <CreateFlowDialog onClose={creating.close} />}
      {deleting.subject && <DeleteFlowDialog flow={deleting.subject} onClose={deleting.close} />}
    </Page>
  );
}

const COLUMNS: Column<Flow>[] = [
  {
    title: 'Name',
    isName: true,
    cell: ({ id, name }) => (
      <Link to="/flows/$flowId" params={{ flowId: String(id) }} className="flow-name">
        <Name value={name} />
      </Link>
    ),
  },
  { title: 'Strategy', cell: ({ strategy }) => STRATEGY_WORDS[strategy].name },
  { title: 'Shops', cell: ({ shops }) => <ShopNames shops={shops} /> },
  { title: 'Active version', isNumber: true, cell: ({ version }) => version },
  {
    title: 'Rollout',
    cell: ({ id, rollout }) => (rollout ? <RolloutBadge flowId={id} rollout={rollout} /> : <None />),
  },
  { title: 'Changed', cell: ({ updated_at }) => <Time value={updated_at} /> },
];

const deleteColumn = (onDelete: (flow: Flow) => void): Column<Flow> => ({
  title: 'Actions',
  cell: (flow) => (
    <span className="nowrap">
      <Button variant="quiet" aria-label={`Delete ${flow.name}`} onClick={() => onDelete(flow)}>
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
