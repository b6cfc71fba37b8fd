import type { Schema } from '@payment-orchestrator/client';

type Delivery = Pick<Schema<'DeliveryDetail'>, 'webhook_id' | 'shop_id' | 'endpoint_id' | 'request_body' | 'attempts'>;

export interface SentHeader {
  name: string;
  /** `null`: not stored. */
  value: string | null;
  /** A short description for the user. */
  note: string;
}

/** The headers of the latest attempt that can be derived. Each attempt is signed again, and signatures are not stored. */
export function sentHeaders({ request_body: body, attempts, ...delivery }: Delivery): SentHeader[] {
  const last = attempts.at(-1);
  return [
    { name: 'content-type', value: 'application/json', note: 'UTF-8' },
    {
      name: 'content-length',
      value: String(new TextEncoder().encode(body).length),
      note: 'length of the body in bytes',
    },
    { name: 'webhook-id', value: delivery.webhook_id, note: 'the same on every attempt; use it to ignore duplicates' },
    ...senderHeaders(delivery),
    {
      name: 'webhook-timestamp',
      value: last ? String(Math.floor(Date.parse(last.started_at) / 1_000)) : null,
      note: 'time of signing in seconds since 1970, at the start of the attempt or shortly before',
    },
    {
      name: 'Signature',
      value: null,
      note: 'hexadecimal HMAC-SHA256 of the body as sent; the key is the webhook secret as a text, including whsec_',
    },
    {
      name: 'webhook-signature',
      value: null,
      note: 'v1, and base64 HMAC-SHA256 of webhook-id.webhook-timestamp.body; the key is the base64-decoded secret after whsec_. During a rotation there is one for each secret. If the shop has a key: v1a, and an ed25519 signature',
    },
  ];
}

/** The ids of the shop and the endpoint. The receiver selects the secret by the endpoint, if there is one. */
function senderHeaders({ shop_id: shop, endpoint_id: endpoint }: Pick<Delivery, 'shop_id' | 'endpoint_id'>) {
  const selects = 'selects the secret to verify with';
  return [
    ...(shop === null
      ? []
      : [
          { name: 'webhook-shop-id', value: String(shop), note: endpoint === null ? selects : 'the shop of the event' },
        ]),
    ...(endpoint === null ? [] : [{ name: 'webhook-endpoint-id', value: String(endpoint), note: selects }]),
  ];
}

/** Parses `Name: value` lines, as copied from logs. Lines without a value are ignored. */
export function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(/\r?\n/).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return colon < 1 ? ['', ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  return Object.fromEntries(pairs.filter(([name, value]) => name !== '' && value !== ''));
}

/** The headers that a receiver got, with the unknown values left empty. */
export const headersToFillIn = (headers: readonly SentHeader[]): string =>
  headers
    .filter(({ name }) => name.toLowerCase().startsWith('webhook-') || name === 'Signature')
    .map(({ name, value }) => `${name}: ${value ?? ''}`)
    .join('\n');
