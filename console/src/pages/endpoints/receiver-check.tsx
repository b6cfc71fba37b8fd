import type { Schema } from '@payment-orchestrator/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { TextField } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { ProblemNotice } from '../../ui/problem-notice';
import { ConformanceReport } from './conformance-report';
import { type Endpoint, isAt } from './endpoint-filter';
import { TestResult } from './test-result';

type Address = Schema<'TestWebhook'>;

/** Sends test requests to the receiver: one sample, or all cases of the conformance run. */
export function ReceiverCheck({ endpoint }: { endpoint: Endpoint }) {
  const mayWrite = useCan('webhooks:write');
  if (mayWrite) return <Check endpoint={endpoint} />;
  return (
    <Card title="Test the receiver">
      <p className="muted">
        A test needs the scope <code>webhooks:write</code>, which this client does not have.
      </p>
    </Card>
  );
}

function Check({ endpoint }: { endpoint: Endpoint }) {
  const [typed, setTyped] = useState<string>();
  const latest = useLatestAddress(endpoint);
  const address = typed ?? latest ?? `${endpoint.origin}/`;
  const path = { shopId: endpoint.shop_id };
  const test = useMutation({
    mutationFn: (body: Address) => api.post('/webhooks/shop/{shopId}/test', { params: { path }, body }),
  });
  const conformance = useMutation({
    mutationFn: (body: Address) => api.post('/webhooks/shop/{shopId}/conformance', { params: { path }, body }),
  });
  const start = (mutation: typeof test | typeof conformance): void => {
    test.reset();
    conformance.reset();
    mutation.mutate({ webhook_endpoint: address });
  };
  const error = test.error ?? conformance.error;
  return (
    <Card title="Test the receiver">
      <form
        className="receiver-check"
        onSubmit={(event) => {
          event.preventDefault();
          start(test);
        }}
      >
        <TextField
          label="Address"
          type="url"
          required
          value={address}
          spellCheck={false}
          error={fieldError(error, 'webhook_endpoint')}
          hint="A test sends one signed sample. The conformance run sends about 20 valid and invalid requests within 30 seconds. Neither is stored as a delivery."
          onChange={({ target }) => setTyped(target.value)}
        />
        <div className="actions">
          <Button type="submit" variant="primary" isBusy={test.isPending} disabled={conformance.isPending}>
            Send a test
          </Button>
          <Button isBusy={conformance.isPending} disabled={test.isPending} onClick={() => start(conformance)}>
            Run the conformance cases
          </Button>
        </div>
      </form>
      <ProblemNotice error={error} />
      <div aria-live="polite" className="stack">
        {conformance.isPending && <p className="muted">The cases are running. This takes up to 30 seconds.</p>}
        {test.data && <TestResult result={test.data.data} />}
        {conformance.data && <ConformanceReport run={conformance.data.data} />}
      </div>
    </Card>
  );
}

/** The address of the latest webhook to the endpoint, because the endpoint itself has no path. */
function useLatestAddress({ id, shop_id: shopId, origin }: Endpoint): string | undefined {
  const { data } = useQuery({
    queryKey: ['latest address', id],
    queryFn: ({ signal }) =>
      api.get('/webhooks/shop/{shopId}/deliveries', { params: { path: { shopId }, query: { limit: 100 } }, signal }),
    staleTime: Infinity,
  });
  return data?.data.find(({ webhook_endpoint: address }) => isAt(origin, address))?.webhook_endpoint;
}
