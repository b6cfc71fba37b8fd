import type { Duplicates } from './duplicates.js';
import { type SecretSource, textsOf } from './secrets.js';
import { WebhookVerificationError } from './verification-error.js';
import { headerOf, type RawBody, requireOptions, verify, type VerifyOptions, type WebhookHeaders } from './verify.js';
import type { WebhookEvent } from './webhook-event.js';

/** What a receiver is made of; the same for every framework. */
export interface ReceiverOptions extends VerifyOptions {
  secrets: SecretSource;
  /**
   * Called for a genuine event that was not handled before. The webhook is acknowledged once it is through: do what takes
   * longer than a second afterwards. What it throws goes to the framework, and the service tries again. `false`: it dropped
   * the event, as an older one of its payment; that is acknowledged with 208 in place of 204.
   */
  handle(event: WebhookEvent, delivery: Delivery): unknown;
  /** Absent: every attempt is handled. */
  duplicates?: Duplicates;
  /** Told of what was refused: the place for a log line. */
  onRefused?(error: WebhookVerificationError): void;
  /** 512 KiB unless told; the service sends up to 288. */
  maxBodyBytes?: number;
}

export interface Delivery {
  /** The `webhook-id`: the same on every attempt, and of this shop only. `undefined` where a proxy drops it and `scheme` is `signature`. */
  id: string | undefined;
}

/** What to answer. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const MAX_BODY_BYTES = 512 * 1024;

/** Reads the body, or is it: only what reads it knows its bound and what became of it. */
export type BodySource = RawBody | (() => Promise<RawBody>);

/**
 * What all adapters share: verifies, drops what was handled before, hands the rest over; whether it was new. Of two
 * attempts of one delivery at once the second waits for the first. Rejects with `WebhookVerificationError`, and with what
 * `handle` or `duplicates` throws. Throws `TypeError` at once for options that would accept everything.
 */
export function createHandler(
  options: ReceiverOptions,
): (body: BodySource, headers: WebhookHeaders) => Promise<boolean> {
  requireReceiverOptions(options);
  const running = new Map<string, Promise<unknown>>();

  async function handle(event: WebhookEvent, id: string | undefined): Promise<boolean> {
    const { duplicates } = options;
    if (id === undefined || !duplicates) {
      return (await options.handle(event, { id })) !== false;
    }
    const key = `${shopOf(event)}/${id}`;
    const first = running.get(key);
    if (first) return first.then(() => false);
    const work = handleUnseen(event, id, key, duplicates);
    running.set(key, work);
    return work.finally(() => running.delete(key));
  }

  async function handleUnseen(event: WebhookEvent, id: string, key: string, duplicates: Duplicates): Promise<boolean> {
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
    // one that is empty names nothing: all events would be the same
    return handle(event, headerOf(headers, 'webhook-id') || undefined);
  };
}

function requireReceiverOptions(options: ReceiverOptions): void {
  requireOptions(options);
  if (typeof options.secrets !== 'function') textsOf(options.secrets);
  const { maxBodyBytes = MAX_BODY_BYTES } = options;
  if (Number.isFinite(maxBodyBytes) && maxBodyBytes > 0) return;
  throw new TypeError(`maxBodyBytes: got ${maxBodyBytes}, takes a number of bytes`);
}

/** As the body says, which is signed. The events of today have a shop; one that has none is of no shop. */
function shopOf(event: WebhookEvent): string {
  const { shop } = event as { shop?: { id?: unknown } | null };
  return typeof shop?.id === 'number' ? String(shop.id) : '-';
}

/** The same with an answer in place of `WebhookVerificationError`: for a framework that has no adapter here. */
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

/** Any 2xx acknowledges. What was dropped is told by its status, so that a conformance run sees it. */
const ACKNOWLEDGED = 204;
export const ALREADY_REPORTED = 208;

/** The code and no more: what an attacker may know. What is too large is not read on, which ends the connection. */
const refusal = ({ code, statusCode }: WebhookVerificationError): Answer => ({
  status: statusCode,
  headers: { 'content-type': 'application/json', ...(code === 'body_too_large' && { connection: 'close' }) },
  body: JSON.stringify({ error: code }),
});
