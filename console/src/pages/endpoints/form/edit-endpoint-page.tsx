import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client';
import { EmptyState } from '../../../ui/empty-state';
import { PageLoading } from '../../../ui/loading';
import { WithScope } from '../../../ui/with-scope';
import { Page } from '../../../ui/page';
import { ProblemNotice } from '../../../ui/problem-notice';
import type { Endpoint } from '../endpoint-filter';
import { endpointQuery, endpointsChanged } from '../endpoint-queries';
import { EndpointForm } from './endpoint-form';
import { changesOf, type EndpointValues, valuesOf } from './endpoint-values';
import '../endpoints.css';

const TITLE = 'Edit the endpoint';

export function EditEndpointPage() {
  const id = Number(useParams({ from: '/endpoints/$endpointId/edit' }).endpointId);
  return (
    <WithScope scope={['webhooks:read', 'webhooks:write']} title={TITLE}>
      <Page title={TITLE} description={<BackLink id={id}>Back to the endpoint</BackLink>}>
        <LoadedEndpoint key={id} id={id} />
      </Page>
    </WithScope>
  );
}

const BackLink = ({ id, className, children }: { id: number; className?: string; children: string }) => (
  <Link className={className} to="/endpoints/$endpointId" params={{ endpointId: String(id) }}>
    {children}
  </Link>
);

function LoadedEndpoint({ id }: { id: number }) {
  const { data: endpoint, error, refetch } = useQuery(endpointQuery(id));
  if (endpoint?.kind === 'standing') return <EditForm endpoint={endpoint} />;
  if (endpoint)
    return (
      <EmptyState title="This endpoint cannot be edited">
        <p>It is the address of payments, which name it themselves.</p>
      </EmptyState>
    );
  return error ? <ProblemNotice error={error} retry={() => void refetch()} /> : <PageLoading />;
}

function EditForm({ endpoint }: { endpoint: Endpoint }) {
  const { id } = endpoint;
  // the endpoint may be read again, but the form is compared with what was opened
  const [opened] = useState(() => valuesOf(endpoint));
  const navigate = useNavigate();
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (values: EndpointValues) => {
      const body = changesOf(opened, values);
      if (Object.keys(body).length > 0) await api.patch('/webhooks/endpoints/{id}', { params: { path: { id } }, body });
    },
    onSuccess: async () => {
      await endpointsChanged();
      await navigate({ to: '/endpoints/$endpointId', params: { endpointId: String(id) } });
    },
  });
  return (
    <EndpointForm
      initial={opened}
      isNew={false}
      action="Save"
      onSubmit={mutate}
      isBusy={isPending}
      error={error}
      cancel={
        <BackLink id={id} className="button">
          Cancel
        </BackLink>
      }
    />
  );
}
