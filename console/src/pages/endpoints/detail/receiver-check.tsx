import { useCan } from '../../../api/session';
import { Card } from '../../../ui/card';
import type { Endpoint } from '../endpoint-filter';
import { PaymentReceiverCheck } from './payment-receiver-check';
import { StandingReceiverCheck } from './standing-receiver-check';
import { MissingRight } from '../../../ui/missing-right';

/** Sends test requests to the receiver: one sample, or all cases of the conformance run. */
export function ReceiverCheck({ endpoint }: { endpoint: Endpoint }) {
  const mayWrite = useCan('webhooks:write');
  const { kind, shop_id: shopId } = endpoint;
  if (!mayWrite)
    return (
      <Card title="Test the receiver">
        <p className="muted">
          <MissingRight scope="webhooks:write" />
        </p>
      </Card>
    );
  if (kind === 'standing') return <StandingReceiverCheck endpoint={endpoint} />;
  return shopId === null ? null : <PaymentReceiverCheck endpoint={endpoint} shopId={shopId} />;
}
