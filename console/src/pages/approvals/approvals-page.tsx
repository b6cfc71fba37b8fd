import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/client';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { useShops } from '../../api/use-shops';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { PageLoading } from '../../ui/loading';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { RefreshButton } from '../../ui/refresh-button';
import { Time } from '../../ui/values';
import { WithScope } from '../../ui/with-scope';
import { ApprovalsFilters } from './approvals-filters';
import { type ApprovalsSearch, fieldsOf, startOf, validApprovalsSearch } from './approvals-search';
import { ApprovalsCurve } from './approvals-curve';
import { CellCard } from './cell-card';
import { HeatMapCard } from './heat-map-card';
import './approvals.css';

const route = getRouteApi('/approvals');

export const ApprovalsPage = () => (
  <Page
    title="Approvals"
    description="How each shop approves each kind of payment, compared with the equally long period before."
  >
    <WithScope scope="payments:read">
      <Approvals />
    </WithScope>
  </Page>
);

function Approvals() {
  const search = validApprovalsSearch(route.useSearch());
  const navigate = route.useNavigate();
  const shops = useShops();
  const fields = fieldsOf(search);
  const query = { by: fields.join(','), order: search.order, shop_id: search.shop_id };
  const { data, error, refetch } = useQuery({
    queryKey: ['/insights/approvals', query, search.period, search.from],
    queryFn: ({ signal }) => {
      const from = startOf(search, Date.now());
      return api.get('/insights/approvals', { params: { query: { ...query, from } }, signal });
    },
    placeholderData: keepPreviousData,
  });
  useLiveRefresh(['/insights/approvals']);
  const show = (next: ApprovalsSearch): void => void navigate({ search: next, replace: true, resetScroll: false });
  const answer = data?.data;
  return (
    <>
      <ApprovalsFilters search={search} shops={shops} error={error} onChange={show} />
      <div className="actions">
        {answer && (
          <span className="small muted">
            From <Time value={answer.from} />. Updates automatically.
          </span>
        )}
        <RefreshButton onRefresh={() => refetch()} />
      </div>
      <ProblemNotice error={error} retry={() => void refetch()} />
      {answer === undefined && !error && <PageLoading />}
      {answer?.cells.length === 0 && <NoApprovals />}
      {answer && answer.cells.length > 0 && (
        <HeatMapCard answer={answer} fields={fields} search={search} onChoose={show} />
      )}
      {answer && answer.cells.length > 0 && search.cell === undefined && (
        <Card title="Approval rate over time">
          <ApprovalsCurve of="all attempts" query={{ from: answer.from, to: answer.to, shop_id: search.shop_id }} />
        </Card>
      )}
      {answer && search.cell !== undefined && (
        <div className="cell-place">
          <CellCard answer={answer} fields={fields} search={search} onClose={() => show(withoutCell(search))} />
        </div>
      )}
    </>
  );
}

const withoutCell = ({ cell: _, value: __, and_value: ___, ...search }: ApprovalsSearch): ApprovalsSearch => search;

const NoApprovals = () => (
  <EmptyState title="No attempts in this period">
    <p>Attempts appear here a second after a provider has answered. Choose a longer period or another shop.</p>
  </EmptyState>
);
