import { useLiveRefresh } from '../../api/use-live-refresh';
import { useShops } from '../../api/use-shops';
import { Card } from '../../ui/card';
import { DataTable } from '../../ui/data-table';
import { PageLink } from '../../ui/page-link';
import { ProblemNotice } from '../../ui/problem-notice';
import { listedDisputeColumns } from '../disputes/dispute-columns';
import { DUE_SOON } from '../disputes/dispute-filter';
import { useDueDisputes } from './use-due-disputes';

/** Disputes whose evidence is overdue or due soon. */
export function DueDisputesCard() {
  const { data, error, refetch, dataUpdatedAt } = useDueDisputes();
  useLiveRefresh(['/disputes', 'due soon']);
  const shops = useShops();
  return (
    <Card
      title="Disputes with evidence due"
      isFlush={(data?.count ?? 0) > 0}
      actions={<PageLink to="/disputes">All disputes</PageLink>}
    >
      <ProblemNotice error={error} retry={() => void refetch()} />
      {data?.count === 0 && <p className="muted">No evidence is overdue or due in {DUE_SOON}.</p>}
      {data !== undefined && data.count > 0 && (
        <DataTable
          caption="Disputes with evidence due"
          rows={data.rows}
          rowKey={({ id }) => id}
          columns={listedDisputeColumns(dataUpdatedAt, shops)}
        />
      )}
    </Card>
  );
}
