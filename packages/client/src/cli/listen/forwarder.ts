import { signBody, signStandard } from '@payment-orchestrator/receiver/signing';
import { connectionReason } from '../service-requests.js';

/** Long, because a receiver may run in a debugger. */
const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const USER_AGENT = 'payment-orchestrator-listen/1.0';

/** An event to post. */
export interface Posted {
  id: string;
  /** `null`: an event of no shop. */
  shopId: number | null;
  /** The unchanged body of the webhook. */
  body: string;
}

/** The result: a status, or the reason why there is none. */
export interface Forwarded {
  status: number | null;
  error: string | null;
  latencyMs: number;
  /** The beginning of the response. */
  answer: string;
}

export interface ForwardTarget {
  url: string;
  /** A secret of this session, shown to the developer: the service does not reveal the shop's own. */
  secret: string;
}

/**
 * Posts a webhook like the service: the same bytes and headers, signed now. `webhook-id` is the id of the event, the
 * same for each post. There is one try: a failed post is shown, and repeated on request.
 */
export async function forward(
  { url, secret }: ForwardTarget,
  { id, shopId, body }: Posted,
  stop: AbortSignal,
): Promise<Forwarded> {
  const bytes = Buffer.from(body, 'utf8');
  const timestamp = Math.floor(Date.now() / 1_000);
  const startedAt = performance.now();
  const result = (fields: Partial<Forwarded>): Forwarded => ({
    status: null,
    error: null,
    answer: '',
    latencyMs: Math.round(performance.now() - startedAt),
    ...fields,
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: bytes,
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        Signature: signBody(secret, bytes),
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signStandard([secret], id, timestamp, bytes),
        ...(shopId !== null && { 'webhook-shop-id': String(shopId) }),
      },
    });
    return result({ status: response.status, answer: await beginningOf(response) });
  } catch (error) {
    return result({ error: reasonOf(error) });
  }
}

async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    if ((length += chunk.length) >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

const reasonOf = (error: unknown): string =>
  (error as Error).name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1_000} s` : connectionReason(error);
