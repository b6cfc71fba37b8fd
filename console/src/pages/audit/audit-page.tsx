import type { Schema } from '@payment-orchestrator/client';
import { getRouteApi } from '@tanstack/react-router';
import { useList } from '../../api/use-list';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { List } from '../../ui/list';
import { WithScope } from '../../ui/with-scope';
import { Page } from '../../ui/page';
import { RefreshButton } from '../../ui/refresh-button';
import './audit.css';
import { AUDIT_COLUMNS } from './audit-columns';
import { auditCsv } from './audit-csv';
import { AuditFilters } from './audit-filters';
import { type AuditSearch, validAuditSearch } from './audit-filter';

const route = getRouteApi('/audit');
const DESCRIPTION =
  'Who changed what, when and from where. Entries never change, and hold the names of changed fields, never their values.';

export const AuditPage = () => (
  <WithScope scope="audit:read" title="Audit">
    <Audit />
  </WithScope>
);

function Audit() {
  const search = validAuditSearch(route.useSearch());
  const navigate = route.useNavigate();
  const list = useList('/audit', { query: { ...search } });
  const show = (next: AuditSearch): void => void navigate({ search: next, replace: true });
  const { rows = [] } = list;
  const download = (
    <>
      <RefreshButton onRefresh={() => list.refetch()} />
      <Button disabled={rows.length === 0} title="What is shown: show more first, for more" onClick={() => save(rows)}>
        Download {rows.length} as CSV
      </Button>
    </>
  );
  return (
    <Page title="Audit" description={DESCRIPTION} actions={download}>
      <AuditFilters search={search} error={list.error} onChange={show} />
      <List
        list={list}
        caption="Audit entries, newest first"
        columns={AUDIT_COLUMNS}
        rowKey={({ id }) => id}
        empty={<NoEntries isFiltered={Object.keys(search).length > 0} onClear={() => show({})} />}
      />
    </Page>
  );
}

const NoEntries = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
    <EmptyState title="No entry matches">
      <p>Take away a part of the filter.</p>
      <Button onClick={onClear}>Show all entries</Button>
    </EmptyState>
  ) : (
    <EmptyState title="Nothing has been changed yet">
      <p>Make a shop, a flow or a client, or send a webhook again, and it is written down here.</p>
    </EmptyState>
  );

function save(entries: readonly Schema<'AuditEntry'>[]): void {
  const url = URL.createObjectURL(new Blob([auditCsv(entries)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `audit-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  // the browser has it by then
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
