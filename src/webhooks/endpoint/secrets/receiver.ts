import type { WebhookSigner } from '../../outbox/signature.js';
import type { EndpointAuth } from '../auth/endpoint-auth.js';

/** The default endpoint of the shop `id`, whose address each payment gives, or the standing endpoint `id`. */
export interface EndpointRef {
  kind: 'default' | 'standing';
  merchantId: number;
  id: number;
}

/** How a body is rendered for an endpoint: the stored JSON, or a message for a Slack-compatible chat webhook. */
export const ENDPOINT_FORMATS = ['json', 'slack'] as const;
export type EndpointFormat = (typeof ENDPOINT_FORMATS)[number];

/** The `endpoint_id` of a delivery to the default endpoint of its shop. */
export const DEFAULT_ENDPOINT = 0;

/** An endpoint as a receiver: where and how to send, decrypted. */
export interface Receiver {
  /** `null`: the default endpoint of a shop. */
  endpointId: number | null;
  /** `null`: each payment gives the address. */
  url: string | null;
  format: EndpointFormat;
  /** Maximum attempts per second; `null`: no maximum. */
  maxPerSecond: number | null;
  signer: WebhookSigner;
  /** The merchant's own headers, by name. */
  headers: Readonly<Record<string, string>>;
  auth: EndpointAuth | null;
}
