import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { useLiveRefresh } from '../../api/use-live-refresh';
import { Badge } from '../../ui/badge';
import { Card } from '../../ui/card';
import { PageLoading } from '../../ui/loading';
import { WithScope } from '../../ui/with-scope';
import { ObjectLink } from '../../ui/object-link';
import { Page } from '../../ui/page';
import { ProblemNotice } from '../../ui/problem-notice';
import { Facts, Time } from '../../ui/values';
import { type Endpoint, msText, pendingText, rateText, toneOf } from './endpoint-filter';
import { EndpointErrors } from './endpoint-errors';
import { EndpointHours } from './endpoint-hours';
import { ReceiverCheck } from './receiver-check';
import './endpoints.css';

export function EndpointPage() {
  const { endpointId } = useParams({ from: '/endpoints/$endpointId' });
  return (
    <WithScope scope="webhooks:read" title="Endpoint">
      <OneEndpoint id={Number(endpointId)} />
    </WithScope>
  );
}

function OneEndpoint({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['/webhooks/endpoints', id],
    queryFn: ({ signal }) => api.get('/webhooks/endpoints/{id}', { params: { path: { id } }, signal }),
  });
  useLiveRefresh(['/webhooks/endpoints', id]);
  const endpoint = data?.data;
  return (
    <Page
      title={endpoint ? `Endpoint ${endpoint.origin}` : 'Endpoint'}
      heading={endpoint && <span className="endpoint-origin">{endpoint.origin}</span>}
      description={<Link to="/endpoints">All endpoints</Link>}
    >
      <ProblemNotice error={error} retry={() => void refetch()} />
      {!endpoint && !error && <PageLoading />}
      {endpoint && (
        <>
          <State endpoint={endpoint} />
          <div className="columns">
            <EndpointErrors endpoint={endpoint} />
            <EndpointHours endpoint={endpoint} />
          </div>
          <ReceiverCheck endpoint={endpoint} />
        </>
      )}
    </Page>
  );
}

const State = ({ endpoint }: { endpoint: Endpoint }) => (
  <Card title="Last 24 hours" actions={<DeliveryLinks endpoint={endpoint} />}>
    <Facts
      facts={[
        ['Status', <Badge tone={toneOf(endpoint.status)}>{endpoint.status}</Badge>],
        ...(endpoint.failing_since === null
          ? []
          : [['No success since', <Time value={endpoint.failing_since} />] as [string, ReactNode]]),
        [
          'Shop',
          <ObjectLink type="shop" id={endpoint.shop_id}>
            {endpoint.shop_name}
          </ObjectLink>,
        ],
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

/** The list of deliveries has no filter by origin, so the links show all endpoints of the shop. */
const DeliveryLinks = ({ endpoint: { shop_id } }: { endpoint: Endpoint }) =>
  (['failed', 'pending'] as const).map((status) => (
    <Link key={status} to={'/deliveries'} search={{ status, shop_id } as never}>
      {status === 'failed' ? 'Failed' : 'Pending'} deliveries of the shop
    </Link>
  ));
