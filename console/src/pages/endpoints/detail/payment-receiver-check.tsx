import type { Schema } from '@payment-orchestrator/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { TextField } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import { type Endpoint, isAt } from '../endpoint-filter';
import { CheckResults } from './check-results';

type Address = Schema<'TestWebhook'>;

interface Props {
  endpoint: Endpoint;
  shopId: number;
}

/** Tests an address of payments, signed with the secret of their shop. */
export function PaymentReceiverCheck({ endpoint, shopId }: Props) {
  const [typed, setTyped] = useState<string>();
  const latest = useLatestAddress(endpoint);
  const address = typed ?? latest ?? `${endpoint.origin}/`;
  const path = { shopId };
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start(test);
  };
  const error = test.error ?? conformance.error;
  return (
    <Card title="Test the receiver">
      <form className="receiver-check" onSubmit={submit}>
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
      <CheckResults
        error={error}
        isRunning={conformance.isPending}
        test={test.data?.data}
        conformance={conformance.data?.data}
      />
    </Card>
  );
}

/** The address of the latest webhook to the endpoint, because the endpoint itself has no path. */
function useLatestAddress({ id, origin }: Endpoint): string | undefined {
  const { data } = useQuery({
    queryKey: ['latest address', id],
    queryFn: ({ signal }) =>
      api.get('/webhooks/deliveries', { params: { query: { endpoint_id: id, limit: 1 } }, signal }),
    staleTime: Infinity,
  });
  return data?.data.find(({ webhook_endpoint: address }) => isAt(origin, address))?.webhook_endpoint;
}
