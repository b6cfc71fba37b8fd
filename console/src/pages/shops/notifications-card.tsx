import type { Schema } from '@payment-orchestrator/client';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/values';

const REACHED = 'It must reach this service from the internet: take the name that others reach it by.';
const WHERE: Record<string, string> = {
  stripe: `At Stripe it is the address of a webhook endpoint; put its signing secret into webhook_secret. ${REACHED}`,
  adyen: `At Adyen it is the address of a standard webhook; put its HMAC key into hmac_key. ${REACHED}`,
  sandbox: 'The sandbox knows it already. It signs with notification_secret; without one it sends nothing.',
};

/** Where the provider tells of what happens to the shop's payments. */
export function NotificationsCard({ shop: { id, provider } }: { shop: Schema<'Shop'> }) {
  const url = `${location.origin}/providers/${provider}/notifications/${id}`;
  return (
    <Card title="Notifications of the provider" actions={<CopyButton text={url} label="Copy address" />}>
      <p>
        <code>{url}</code>
      </p>
      <p className="muted">{WHERE[provider] ?? `Give this address to the provider. ${REACHED}`}</p>
    </Card>
  );
}
