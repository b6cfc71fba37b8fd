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
  'Who changed what, when and from where. Entries never change. They contain the names of changed fields, not the values.';

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
      <Button
        disabled={rows.length === 0}
        title="Downloads the entries on this page. For more entries, press “Show more” first."
        onClick={() => save(rows)}
      >
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
      <p>Remove a part of the filter.</p>
      <Button onClick={onClear}>Show all entries</Button>
    </EmptyState>
  ) : (
    <EmptyState title="No entries yet">
      <p>Changes of shops, flows and clients appear here, and so do webhooks that are sent again.</p>
    </EmptyState>
  );

function save(entries: readonly Schema<'AuditEntry'>[]): void {
  const url = URL.createObjectURL(new Blob([auditCsv(entries)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `audit-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  // by then the browser has saved the file
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
