import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../../api/client';
import { endpointsChanged } from '../endpoint-queries';
import { WithScope } from '../../../ui/with-scope';
import { Page } from '../../../ui/page';
import { CreatedEndpoint } from './created-endpoint';
import { EndpointForm } from './endpoint-form';
import { createBody, type EndpointValues, NEW_ENDPOINT } from './endpoint-values';
import '../endpoints.css';

export const CreateEndpointPage = () => (
  <WithScope scope={['webhooks:read', 'webhooks:write']} title="Create an endpoint">
    <CreateEndpoint />
  </WithScope>
);

function CreateEndpoint() {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (values: EndpointValues) =>
      (await api.post('/webhooks/endpoints', { body: createBody(values) })).data,
    onSuccess: endpointsChanged,
    // the answer has the secret
    gcTime: 0,
  });
  if (data) return <CreatedEndpoint endpoint={data} />;
  return (
    <Page
      title="Create an endpoint"
      description={
        <>
          <Link to="/endpoints">All endpoints</Link> · A standing endpoint gets the chosen events of all payments, in
          addition to their own addresses.
        </>
      }
    >
      <EndpointForm
        initial={NEW_ENDPOINT}
        isNew
        action="Create"
        onSubmit={mutate}
        isBusy={isPending}
        error={error}
        cancel={
          <Link className="button" to="/endpoints">
            Cancel
          </Link>
        }
      />
    </Page>
  );
}
