import type { WebhookSecrets } from '../../../src/shops/webhook-secrets.js';
import { WebhookSigner } from '../../../src/webhooks/outbox/signature.js';
import type { EncryptedReceiver } from '../../../src/webhooks/endpoint/secrets/encrypted-receiver.js';
import { DEFAULT_ENDPOINT } from '../../../src/webhooks/endpoint/secrets/receiver.js';
import type { ReceiverSecrets } from '../../../src/webhooks/endpoint/secrets/receiver-secrets.service.js';

const asTheyAre = ({ current, previous }: EncryptedReceiver): WebhookSecrets => ({ current, previous });

/** Receivers without headers and authentication, whose secrets `decrypt` returns; by default they are not encrypted. */
export const plainReceivers = (
  decrypt: (encrypted: EncryptedReceiver) => WebhookSecrets = asTheyAre,
): Pick<ReceiverSecrets, 'receiver'> => ({
  receiver: (encrypted) => ({
    endpointId: encrypted.endpoint_id === DEFAULT_ENDPOINT ? null : encrypted.endpoint_id,
    url: encrypted.url ?? null,
    format: encrypted.format ?? 'json',
    maxPerSecond: encrypted.max_per_second ?? null,
    signer: new WebhookSigner(decrypt(encrypted)),
    headers: {},
    auth: null,
  }),
});
