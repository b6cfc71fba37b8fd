import { getRouteApi } from '@tanstack/react-router';
import type { LiveEvent } from '../../api/live-events';
import { useList } from '../../api/use-list';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { useShops } from '../../api/use-shops';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { List } from '../../ui/list';
import { Page } from '../../ui/page';
import { RefreshButton } from '../../ui/refresh-button';
import { WithScope } from '../../ui/with-scope';
import { listedDisputeColumns } from './dispute-columns';
import { type DisputeSearch, validDisputeSearch } from './dispute-filter';
import { DisputeFilters } from './dispute-filters';

const route = getRouteApi('/disputes');
const PAUSE_MS = 1_500;
/** A refresh reads every loaded page again, one after the other. */
const MOST_LIVE_PAGES = 4;

export const DisputesPage = () => (
  <Page
    title="Disputes"
    description="Payments that payers dispute at their bank: those whose evidence is due first, then the newest. Submit evidence in the dashboard of the provider."
  >
    <WithScope scope="payments:read">
      <Disputes />
    </WithScope>
  </Page>
);

function Disputes() {
  const search = validDisputeSearch(route.useSearch());
  const navigate = route.useNavigate();
  const shops = useShops();
  const list = useList('/disputes', { query: { sort: 'due', ...search } });
  const isLive = (list.data?.pages.length ?? 0) <= MOST_LIVE_PAGES;
  const concerns = ({ type }: LiveEvent): boolean => type.startsWith('dispute.');
  useLiveRefresh(['/disputes'], { isEnabled: isLive, pauseMs: PAUSE_MS, concerns });
  const show = (next: DisputeSearch): void => void navigate({ search: next, replace: true });
  return (
    <>
      <DisputeFilters search={search} shops={shops} error={list.error} onChange={show} />
      <div className="actions">
        <span className="small muted" role="status">
          {isLive ? 'Updates automatically' : 'Does not update automatically'}
        </span>
        <RefreshButton onRefresh={() => list.refetch()} />
      </div>
      <List
        list={list}
        caption="Disputes, by the time when evidence is due"
        columns={listedDisputeColumns(list.dataUpdatedAt, shops)}
        rowKey={({ id }) => id}
        empty={<NoDisputes isFiltered={Object.keys(search).length > 0} onClear={() => show({})} />}
      />
    </>
  );
}

const NoDisputes = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) =>
  isFiltered ? (
    <EmptyState title="No dispute matches">
      <p>Evidence is due only for open disputes. Remove a part of the filter.</p>
      <Button onClick={onClear}>Show all disputes</Button>
    </EmptyState>
  ) : (
    <EmptyState title="No disputes yet">
      <p>
        A dispute appears here when a provider reports it. Choose the events of disputes where the provider sends its
        notifications.
      </p>
    </EmptyState>
  );
