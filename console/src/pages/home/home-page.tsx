import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { PAGES, useMayOpen } from '../../api/page-scopes';
import { useSession } from '../../api/session';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { PageLoading } from '../../ui/loading';
import { Card } from '../../ui/card';
import { PageLink } from '../../ui/page-link';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { Time } from '../../ui/values';
import { ApprovalsCard } from './approvals-card';
import { DeliveriesCard } from './deliveries-card';
import { FirstSteps } from './first-steps';
import { type Overview, sumOf, totalOf } from './overview';
import { Tiles } from './tiles';
import './home.css';

/** Who may not see the figures is led to the pages that are open. */
export function HomePage() {
  const { scopes } = useSession();
  const missing = ['payments:read', 'webhooks:read'].filter((scope) => !scopes.includes(scope));
  return missing.length === 0 ? <LiveOverview /> : <OpenPages missing={missing} />;
}

function OpenPages({ missing }: { missing: string[] }) {
  const mayOpen = useMayOpen();
  return (
    <Page title="Home">
      <Card title="Pages of this client">
        <ul className="open-pages">
          {PAGES.filter(({ to }) => to !== '/' && mayOpen(to)).map(({ to, label }) => (
            <li key={to}>
              <PageLink to={to}>{label}</PageLink>
            </li>
          ))}
        </ul>
      </Card>
      <p className="muted">
        The figures of payments and webhooks are shown to a client with {missing.map(code).reduce(joined)}.
      </p>
    </Page>
  );
}

const code = (scope: string): ReactNode => <code key={scope}>{scope}</code>;
const joined = (one: ReactNode, other: ReactNode): ReactNode => (
  <>
    {one} and {other}
  </>
);

/** Events bring it up to date when something happens to payments; deliveries that arrive are no events. */
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
      {isOpen ? ', live' : ', every 10 seconds'}
    </>
  );
  return (
    <Page title="Home" description={title}>
      <ProblemNotice error={error} retry={() => void refetch()} />
      {!data && !error && <PageLoading />}
      {data && (isNew ? <FirstSteps shops={data.data.approvals.shops} /> : <Everything overview={data.data} />)}
    </Page>
  );
}

/** Whether the merchant has never had a payment. Asked for only when nothing is to be seen. */
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
