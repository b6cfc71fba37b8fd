import type { Schema } from '@payment-orchestrator/client';

type Delivery = Pick<Schema<'DeliveryDetail'>, 'webhook_id' | 'shop_id' | 'request_body' | 'attempts'>;

export interface SentHeader {
  name: string;
  /** `null`: not kept. */
  value: string | null;
  /** What it is, or is made of. */
  note: string;
}

/** The headers of the latest attempt, as far as they follow from what is kept. Signatures are made anew for each, and not kept. */
export function sentHeaders({ webhook_id: id, shop_id: shopId, request_body: body, attempts }: Delivery): SentHeader[] {
  const last = attempts.at(-1);
  return [
    { name: 'content-type', value: 'application/json', note: 'UTF-8' },
    { name: 'content-length', value: String(new TextEncoder().encode(body).length), note: 'bytes of the body' },
    { name: 'webhook-id', value: id, note: 'the same on every attempt: drop what has been seen' },
    { name: 'webhook-shop-id', value: String(shopId), note: 'pick the secret by it' },
    {
      name: 'webhook-timestamp',
      value: last ? String(Math.floor(Date.parse(last.started_at) / 1_000)) : null,
      note: 'seconds since 1970 when the attempt was signed: as it started, or a moment before',
    },
    {
      name: 'Signature',
      value: null,
      note: 'hexadecimal HMAC-SHA256 of the body as sent, keyed with the webhook secret of the shop as it stands',
    },
    {
      name: 'webhook-signature',
      value: null,
      note: 'v1, and base64 HMAC-SHA256 of webhook-id.webhook-timestamp.body, keyed with what follows whsec_, base64-decoded; one for each secret while they are rotated; v1a, and an ed25519 signature where the shop has a key',
    },
  ];
}

/** One `Name: value` a line, as it is copied out of logs; what has no value is left out. */
export function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(/\r?\n/).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return colon < 1 ? ['', ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  return Object.fromEntries(pairs.filter(([name, value]) => name !== '' && value !== ''));
}

/** What a receiver would have got, with gaps to fill in. */
export const headersToFillIn = (headers: readonly SentHeader[]): string =>
  headers
    .filter(({ name }) => name.toLowerCase().startsWith('webhook-') || name === 'Signature')
    .map(({ name, value }) => `${name}: ${value ?? ''}`)
    .join('\n');
