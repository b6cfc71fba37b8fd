import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { EmptyState } from '../../ui/empty-state';
import { PageLoading } from '../../ui/loading';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { WithScope } from '../../ui/with-scope';
import { CurveCard } from './curve-card';
import { FilesCard } from './files-card';
import { ReportsFilters } from './reports-filters';
import {
  DEFAULT_REPORT,
  type Days,
  daysBefore,
  daysOf,
  ownZone,
  type ReportsSearch,
  todayIn,
  validReportsSearch,
} from './reports-search';
import { ShopsCard } from './shops-card';

const route = getRouteApi('/reports');

export const ReportsPage = () => (
  <Page
    title="Reports"
    description="Sums by day, week or month, compared with as many days before, to download for finance."
  >
    <WithScope scope="payments:read">
      <Reports />
    </WithScope>
  </Page>
);

function Reports() {
  const search = validReportsSearch(route.useSearch());
  const navigate = route.useNavigate();
  const zone = search.time_zone ?? ownZone();
  const [opened] = useState(() => new Date());
  const days = daysOf(search, todayIn(zone, opened));
  const now = useReport(search, zone, days);
  const before = useReport(search, zone, daysBefore(days), now.data !== undefined);
  const show = (next: ReportsSearch): void => void navigate({ search: next, replace: true, resetScroll: false });
  const report = search.report ?? DEFAULT_REPORT;
  return (
    <>
      <ReportsFilters search={search} days={days} zone={zone} error={now.error} onChange={show} />
      <ProblemNotice
        error={now.error ?? before.error}
        retry={() => void (now.error ? now.refetch() : before.refetch())}
      />
      {now.data === undefined && !now.error && <PageLoading />}
      {now.data?.sums.length === 0 && (
        <EmptyState title="Nothing in this period">
          <p>Choose other days, another shop, or all currencies.</p>
        </EmptyState>
      )}
      {now.data && now.data.sums.length > 0 && (
        <>
          <CurveCard report={report} now={now.data} before={before.data} />
          <ShopsCard report={report} now={now.data} before={before.data} />
        </>
      )}
      {now.data && <FilesCard report={report} search={search} days={days} zone={zone} />}
    </>
  );
}

function useReport(
  { report = DEFAULT_REPORT, interval, shop_id, currency }: ReportsSearch,
  zone: string,
  days: Days,
  enabled = true,
) {
  const query = { ...days, time_zone: zone, interval, shop_id, currency };
  return useQuery({
    queryKey: ['/reports/{report}', report, query],
    queryFn: async ({ signal }) =>
      (await api.get('/reports/{report}', { params: { path: { report }, query }, signal })).data,
    enabled,
    // another report has other figures
    placeholderData: (old, last) => (last?.queryKey[1] === report ? keepPreviousData(old) : undefined),
  });
}
