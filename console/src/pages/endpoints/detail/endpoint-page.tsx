import type { Schema } from '@payment-orchestrator/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan } from '../../../api/session';
import { useLiveRefresh } from '../../../api/use-live-refresh';
import { Badge } from '../../../ui/badge';
import { Card } from '../../../ui/card';
import { PageLoading } from '../../../ui/loading';
import { WithScope } from '../../../ui/with-scope';
import { ObjectLink } from '../../../ui/object-link';
import { Page } from '../../../ui/page';
import { ProblemNotice } from '../../../ui/problem-notice';
import { Facts, Time } from '../../../ui/values';
import { type Endpoint, msText, pendingText, rateText, toneOf, toneOfState } from '../endpoint-filter';
import { endpointQuery } from '../endpoint-queries';
import { EndpointDeliveries } from './endpoint-deliveries';
import { EndpointErrors } from './endpoint-errors';
import { EndpointHours } from './endpoint-hours';
import { ReceiverCheck } from './receiver-check';
import { SettingsCard } from './settings-card';
import { StateActions } from './state-actions';
import { StateNotice } from './state-notice';
import '../endpoints.css';

export function EndpointPage() {
  const { endpointId } = useParams({ from: '/endpoints/$endpointId' });
  return (
    <WithScope scope="webhooks:read" title="Endpoint">
      <OneEndpoint key={endpointId} id={Number(endpointId)} />
    </WithScope>
  );
}

function OneEndpoint({ id }: { id: number }) {
  const mayWrite = useCan('webhooks:write');
  const { data: endpoint, error, refetch } = useQuery(endpointQuery(id));
  useLiveRefresh(endpointQuery(id).queryKey);
  const hasActions = mayWrite && endpoint?.kind === 'standing';
  return (
    <Page
      title={endpoint ? `Endpoint ${endpoint.url ?? endpoint.origin}` : 'Endpoint'}
      heading={endpoint && <Heading endpoint={endpoint} />}
      description={<Link to="/endpoints">All endpoints</Link>}
      actions={hasActions ? <StateActions endpoint={endpoint} /> : undefined}
    >
      <ProblemNotice error={error} retry={() => void refetch()} />
      {!endpoint && !error && <PageLoading />}
      {endpoint && <Cards endpoint={endpoint} />}
    </Page>
  );
}

const Heading = ({ endpoint: { url, origin, state } }: { endpoint: Endpoint }) => (
  <span className="row">
    <span className="endpoint-origin">{url ?? origin}</span>
    {state !== null && <Badge tone={toneOfState(state)}>{state}</Badge>}
  </span>
);

const Cards = ({ endpoint }: { endpoint: Schema<'EndpointDetail'> }) => (
  <>
    <StateNotice endpoint={endpoint} />
    <Health endpoint={endpoint} />
    <div className="columns">
      <EndpointErrors endpoint={endpoint} />
      <EndpointHours endpoint={endpoint} />
    </div>
    {endpoint.kind === 'standing' && <SettingsCard endpoint={endpoint} />}
    <EndpointDeliveries endpoint={endpoint} />
    <ReceiverCheck endpoint={endpoint} />
  </>
);

const Health = ({ endpoint }: { endpoint: Endpoint }) => (
  <Card title="Last 24 hours">
    <Facts
      facts={[
        ['Status', <Badge tone={toneOf(endpoint.status)}>{endpoint.status}</Badge>],
        ...(endpoint.failing_since === null
          ? []
          : [['No success since', <Time value={endpoint.failing_since} />] as [string, ReactNode]]),
        ...(endpoint.shop_id === null
          ? []
          : [['Shop', <Shop id={endpoint.shop_id} name={endpoint.shop_name} />] as [string, ReactNode]]),
        ['Success rate', `${rateText(endpoint)} of ${endpoint.attempts.toLocaleString('en')} attempts`],
        [
          'Deliveries',
          `${endpoint.delivered.toLocaleString('en')} delivered, ${endpoint.failed.toLocaleString('en')} failed`,
        ],
        ['Answer time', `${msText(endpoint.answer_ms_p50)} (p50), ${msText(endpoint.answer_ms_p95)} (p95)`],
        ['Pending', pendingText(endpoint.pending)],
        ['Oldest due since', <Time value={endpoint.oldest_due_at} />],
        ['Next attempt due', <Time value={endpoint.next_attempt_at} />],
      ]}
    />
  </Card>
);

const Shop = ({ id, name }: { id: number; name: string | null }) => (
  <ObjectLink type="shop" id={id}>
    {name}
  </ObjectLink>
);
