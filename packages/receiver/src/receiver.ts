import type { Duplicates } from './duplicates.js';
import { type SecretSource, textsOf } from './secrets.js';
import { WebhookVerificationError } from './verification-error.js';
import {
  headerOf,
  isLookups,
  type RawBody,
  requireOptions,
  senderOf,
  verify,
  type VerifyOptions,
  type WebhookHeaders,
} from './verify.js';
import { isPaymentStatusChanged, type WebhookEvent, type WebhookPayment } from './webhook-event.js';

/** Options of a receiver, the same for every framework. */
export interface ReceiverOptions extends VerifyOptions {
  secrets: SecretSource;
  /**
   * Called for a genuine event that was not handled before. The webhook is acknowledged when it returns, so do work that takes
   * longer than a second afterwards. Its errors are passed to the framework, and the service tries again. It returns `false` to
   * report that it ignored an outdated event; the webhook is then acknowledged with 208 instead of 204.
   */
  handle(event: WebhookEvent, delivery: Delivery): unknown;
  /** If absent, every attempt is handled. */
  duplicates?: Duplicates;
  /** Called for every refused request, for example to log it. */
  onRefused?(error: WebhookVerificationError): void;
  /** Default: 512 KiB. The service sends at most 288 KiB. */
  maxBodyBytes?: number;
}

export interface Delivery {
  /**
   * The `webhook-id`: the same on every attempt, unique within the shop. `undefined` if a proxy drops the header and `scheme` is
   * `signature`.
   */
  id: string | undefined;
}

/** The answer to send. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const MAX_BODY_BYTES = 512 * 1024;

/** The body, or a function that reads it, so that the adapter can apply its limit and report its errors. */
export type BodySource = RawBody | (() => Promise<RawBody>);

/**
 * The common part of all adapters: verifies a webhook, ignores a duplicate, and calls the handler. Returns whether the event
 * was handled. Of two concurrent attempts of one delivery or change, the second waits for the first. Rejects with
 * `WebhookVerificationError`, and with errors of `handle` and `duplicates`. Throws `TypeError` immediately for options that
 * would accept everything.
 */
export function createHandler(
  options: ReceiverOptions,
): (body: BodySource, headers: WebhookHeaders) => Promise<boolean> {
  requireReceiverOptions(options);
  const running = new Map<string, Promise<unknown>>();

  function deliveryOf(event: WebhookEvent, id: string | undefined, headers: WebhookHeaders): string | undefined {
    if (id === undefined) return undefined;
    const sender = senderOf(headers, options.secrets);
    return `${sender?.kind === 'endpoint' ? `endpoint ${sender.id}` : shopOf(event)}/${id}`;
  }

  async function handle(event: WebhookEvent, id: string | undefined, headers: WebhookHeaders): Promise<boolean> {
    const { duplicates } = options;
    const key = changeOf(event) ?? deliveryOf(event, id, headers);
    if (key === undefined || !duplicates) {
      return (await options.handle(event, { id })) !== false;
    }
    const first = running.get(key);
    if (first) return first.then(() => false);
    const work = handleUnseen(event, id, key, duplicates);
    running.set(key, work);
    return work.finally(() => running.delete(key));
  }

  async function handleUnseen(
    event: WebhookEvent,
    id: string | undefined,
    key: string,
    duplicates: Duplicates,
  ): Promise<boolean> {
    if (await duplicates.seen(key)) return false;
    const isApplied = (await options.handle(event, { id })) !== false;
    await duplicates.remember(key);
    return isApplied;
  }

  return async (source, headers) => {
    let event: WebhookEvent;
    try {
      event = await verify(await bodyOf(source), headers, options.secrets, options);
    } catch (error) {
      if (error instanceof WebhookVerificationError) options.onRefused?.(error);
      throw error;
    }
    // an empty id is ignored, because all events with it would count as the same delivery
    return handle(event, headerOf(headers, 'webhook-id') || undefined, headers);
  };
}

function requireReceiverOptions(options: ReceiverOptions): void {
  requireOptions(options);
  const { secrets } = options;
  if (typeof secrets !== 'function' && !isLookups(secrets)) textsOf(secrets);
  const { maxBodyBytes = MAX_BODY_BYTES } = options;
  if (Number.isFinite(maxBodyBytes) && maxBodyBytes > 0) return;
  throw new TypeError(`maxBodyBytes: got ${maxBodyBytes}, takes a number of bytes`);
}

/**
 * A change of a payment by its content: it is the same event from the payment's own address and from every standing endpoint.
 * `undefined` for other events and for samples, whose payment does not exist.
 */
function changeOf(event: WebhookEvent): string | undefined {
  if (!isPaymentStatusChanged(event) || event.test) return undefined;
  const { payment, timestamp } = event as { payment?: Partial<WebhookPayment>; timestamp?: string };
  if (payment?.id === undefined || payment.status === undefined || timestamp === undefined) return undefined;
  return `${shopOf(event)}/payment ${payment.id} ${payment.status} ${timestamp}`;
}

/** The shop in the signed body, as a text; `-` for an event without a shop. */
function shopOf(event: WebhookEvent): string {
  const { shop, shop_id: shopId } = event as { shop?: { id?: unknown } | null; shop_id?: unknown };
  const id = shop?.id ?? shopId;
  return typeof id === 'number' ? String(id) : '-';
}

/** Like {@link createHandler}, but returns the answer to send. For frameworks without an adapter. */
export function createReceiver(
  options: ReceiverOptions,
): (body: BodySource, headers: WebhookHeaders) => Promise<Answer> {
  const handle = createHandler(options);
  return async (body, headers) => {
    try {
      const status = (await handle(body, headers)) ? ACKNOWLEDGED : ALREADY_REPORTED;
      return { status, headers: {}, body: '' };
    } catch (error) {
      if (error instanceof WebhookVerificationError) return refusal(error);
      throw error;
    }
  };
}

const bodyOf = (source: BodySource): RawBody | Promise<RawBody> => (typeof source === 'function' ? source() : source);

/** Any 2xx acknowledges a webhook. An ignored one gets its own status, so that a conformance run recognizes it. */
const ACKNOWLEDGED = 204;
export const ALREADY_REPORTED = 208;

/** Contains only the code, because an attacker may see it. The rest of a too large body is not read, so the connection closes. */
const refusal = ({ code, statusCode }: WebhookVerificationError): Answer => ({
  status: statusCode,
  headers: { 'content-type': 'application/json', ...(code === 'body_too_large' && { connection: 'close' }) },
  body: JSON.stringify({ error: code }),
});
