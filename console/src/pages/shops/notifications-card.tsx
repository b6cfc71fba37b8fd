import type { Schema } from '@payment-orchestrator/client';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/values';

const PUBLIC_HOST = 'The provider must reach it from the internet, so use the public host name of this service.';
const WHERE: Record<string, string> = {
  stripe: `At Stripe, add a webhook endpoint with this address. Store its signing secret as webhook_secret. ${PUBLIC_HOST}`,
  adyen: `At Adyen, add a standard webhook with this address. Store its HMAC key as hmac_key. ${PUBLIC_HOST}`,
  checkout: `At Checkout.com, add a webhook with this address. Store its signature key as webhook_signature_key, or its authorization header as webhook_authorization. ${PUBLIC_HOST}`,
  mollie: `Mollie gets this address with each payment, as far as the setting PUBLIC_URL is its beginning. ${PUBLIC_HOST}`,
  paypal: `At PayPal, add a webhook with this address to the REST app. Store its ID as webhook_id. ${PUBLIC_HOST}`,
  sandbox: 'The sandbox uses this address already. It signs with notification_secret; without that, it sends nothing.',
};

/** The address for the provider's notifications about the shop's payments. */
export function NotificationsCard({ shop: { id, provider } }: { shop: Schema<'Shop'> }) {
  const url = `${location.origin}/providers/${provider}/notifications/${id}`;
  return (
    <Card title="Provider notifications" actions={<CopyButton text={url} label="Copy address" />}>
      <p>
        <code>{url}</code>
      </p>
      <p className="muted">{WHERE[provider] ?? `Give this address to the provider. ${PUBLIC_HOST}`}</p>
    </Card>
  );
}
