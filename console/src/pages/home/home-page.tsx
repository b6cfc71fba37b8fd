import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { PAGES, useMayOpen } from '../../api/page-scopes';
import { useSession } from '../../api/session';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { PageLoading } from '../../ui/loading';
import { Card } from '../../ui/card';
import { meaningOf, WhoGives } from '../../ui/missing-right';
import { PageLink } from '../../ui/page-link';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { Time } from '../../ui/values';
import { ApprovalsCard } from './approvals-card';
import { DeliveriesCard } from './deliveries-card';
import { FirstSteps } from './first-steps';
import { type Overview, sumOf, totalOf } from './overview';
import { Tiles } from './tiles';
import { ToDoCard } from './to-do-card';
import './home.css';

/** Shows the work and the overview, or links to the permitted pages if the session lacks its scopes. */
export function HomePage() {
  const { scopes } = useSession();
  const missing = ['payments:read', 'webhooks:read'].filter((scope) => !scopes.includes(scope));
  return missing.length === 0 ? (
    <LiveOverview />
  ) : (
    <OpenPages missing={missing} mayPay={scopes.includes('payments:read')} />
  );
}

function OpenPages({ missing, mayPay }: { missing: string[]; mayPay: boolean }) {
  const mayOpen = useMayOpen();
  return (
    <Page title="To do">
      {mayPay && <ToDoCard />}
      <Card title="Your pages">
        <ul className="open-pages">
          {PAGES.filter(({ to }) => to !== '/' && mayOpen(to)).map(({ to, label }) => (
            <li key={to}>
              <PageLink to={to}>{label}</PageLink>
            </li>
          ))}
        </ul>
      </Card>
      <p className="muted">
        The figures of payments and webhooks need the right to {missing.map(meaningOf).join(', and to ')}. <WhoGives />
      </p>
    </Page>
  );
}

/** Events of payments refresh the page. Successful deliveries have no events and appear with the next periodic read. */
function LiveOverview() {
  const { data, error, refetch } = useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => api.get('/insights/overview', { signal }),
  });
  const { isOpen } = useLiveRefresh(['overview']);
  const isNew = useIsNew(data?.data);
  const title = data && (
    <>
      As of <Time value={data.data.at} />
      {isOpen ? ', live' : ', updated every 10 seconds'}
    </>
  );
  return (
    <Page title="To do" description={title}>
      <ProblemNotice error={error} retry={() => void refetch()} />
      {!isNew && <ToDoCard />}
      {!data && !error && <PageLoading />}
      {data && (isNew ? <FirstSteps shops={data.data.approvals.shops} /> : <Everything overview={data.data} />)}
    </Page>
  );
}

/** Whether the merchant has never had a payment. Reads payments only if the overview counts none. */
function useIsNew(overview: Overview | undefined): boolean {
  const isQuiet = overview !== undefined && totalOf(sumOf(overview.approvals.shops)) === 0;
  const { data } = useQuery({
    queryKey: ['overview', 'any payment'],
    queryFn: ({ signal }) => api.get('/payments', { params: { query: { limit: 1 } }, signal }),
    enabled: isQuiet,
  });
  return isQuiet && data?.data.length === 0;
}

const Everything = ({ overview }: { overview: Overview }) => (
  <>
    <Tiles overview={overview} />
    <ApprovalsCard approvals={overview.approvals} />
    <DeliveriesCard deliveries={overview.deliveries} />
  </>
);
