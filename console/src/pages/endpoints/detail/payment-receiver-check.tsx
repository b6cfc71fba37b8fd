import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { TextField } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import { type Endpoint, isAt } from '../endpoint-filter';
import { ReceiverCheckCard } from './receiver-check-card';

interface Props {
  endpoint: Endpoint;
  shopId: number;
}

/** Tests an address of payments, signed with the secret of their shop. */
export function PaymentReceiverCheck({ endpoint, shopId }: Props) {
  const [typed, setTyped] = useState<string>();
  const latest = useLatestAddress(endpoint);
  const address = typed ?? latest ?? `${endpoint.origin}/`;
  const request = { params: { path: { shopId } }, body: { webhook_endpoint: address } };
  return (
    <ReceiverCheckCard
      sendTest={() => api.post('/webhooks/shop/{shopId}/test', request)}
      runConformance={() => api.post('/webhooks/shop/{shopId}/conformance', request)}
      field={(error) => (
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
      )}
    />
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
