import {
  type ConnectorContext,
  isObject,
  NotificationRefused,
  type SignedRequest,
} from '@payment-orchestrator/provider-kit';
import { loadStripe } from './client.js';
import { fromSeconds } from './intent.js';

/** Maximum age of a signature, recommended by Stripe and used by its SDK. Stripe signs each delivery again. */
const TOLERANCE_SECONDS = 300;
/** Secret for the check of a shop without a secret; its signatures are refused anyway. */
const NO_SECRET = 'whsec_no_secret';
const MAX_ID_LENGTH = 255;
/** The kind of events that only name what changed; https://docs.stripe.com/event-destinations */
const THIN_EVENT = 'v2.core.event';

/** An event as Stripe signed it. */
export interface SignedEvent {
  id: string;
  type: string;
  /** The API version of its object, which the webhook endpoint determines. */
  apiVersion: string | undefined;
  occurredAt: Date | undefined;
  /** The changed object; its fields are unchecked. */
  object: Record<string, unknown>;
}

/** Throws `invalid_signature`, `malformed_json` or `validation_failed`. */
export async function readSignedEvent(
  { rawBody, headers }: SignedRequest,
  secret: unknown,
  { now, parseJson }: { now: Date; parseJson: ConnectorContext['parseJson'] },
): Promise<SignedEvent> {
  await verify(rawBody, headers['stripe-signature'], secret, now);
  const event = asObject(parseJson(rawBody), 'body');
  if (event['object'] === THIN_EVENT) {
    const message = 'is a thin event: choose snapshot payloads for this event destination at Stripe';
    throw new NotificationRefused('validation_failed', { errors: [{ field: 'object', message }] });
  }
  const { created, api_version: apiVersion } = event;
  return {
    id: asId(event['id'], 'id'),
    type: asId(event['type'], 'type'),
    apiVersion: typeof apiVersion === 'string' ? apiVersion : undefined,
    occurredAt: Number.isSafeInteger(created) ? fromSeconds(created as number) : undefined,
    object: asObject(asObject(event['data'], 'data')['object'], 'data.object'),
  };
}

/** The SDK refuses only old signatures, so one with a time ahead of ours is refused here. */
async function verify(
  rawBody: Buffer,
  header: string | string[] | undefined,
  secret: unknown,
  now: Date,
): Promise<void> {
  const { webhooks } = await loadStripe();
  const given = typeof header === 'string' ? header : '';
  const isKnown = typeof secret === 'string';
  let isSigned: boolean | undefined;
  try {
    // same work for a shop without a secret, so that the time of a refusal reveals nothing about shops
    const key = isKnown ? secret : NO_SECRET;
    // without `now` the SDK uses the machine's clock
    isSigned = await webhooks.signature?.verifyHeaderAsync(
      rawBody,
      given,
      key,
      TOLERANCE_SECONDS,
      undefined,
      now.getTime(),
    );
  } catch (cause) {
    throw new NotificationRefused('invalid_signature', { cause });
  }
  if (isSigned !== true || !isKnown || isAhead(given, now)) throw new NotificationRefused('invalid_signature');
}

function isAhead(header: string, now: Date): boolean {
  const latest = now.getTime() / 1_000 + TOLERANCE_SECONDS;
  return [...header.matchAll(/(?:^|,)t=(\d+)/g)].some(([, timestamp]) => Number(timestamp) > latest);
}

function asObject(value: unknown, field: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw new NotificationRefused('validation_failed', { errors: [{ field, message: 'must be an object' }] });
}

function asId(value: unknown, field: string): string {
  if (typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_LENGTH) return value;
  const message = `must be a string of 1 to ${MAX_ID_LENGTH} characters`;
  throw new NotificationRefused('validation_failed', { errors: [{ field, message }] });
}
