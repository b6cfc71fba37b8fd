import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import {
  ScriptedNotifications,
  signedNotification,
  type SignedNotification,
} from '@payment-orchestrator/provider-kit/testing';

export interface FakeEvent {
  id: string;
  object: 'event';
  type: string;
  api_version: string;
  created: number;
  livemode: boolean;
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  data: { object: Record<string, unknown> };
}

/** Signs like Stripe; `timestamp` in seconds, by default now. */
export const signEvent = (event: object, secret: string, timestamp?: number): SignedNotification =>
  signPayload(JSON.stringify(event, null, 2), secret, timestamp);

export function signPayload(payload: string, secret: string, timestamp?: number): SignedNotification {
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp !== undefined && { timestamp }),
  });
  const contentType = 'application/json; charset=utf-8';
  return signedNotification(Buffer.from(payload), { 'content-type': contentType, 'stripe-signature': signature });
}

/** One account's events. */
export class StripeEvents extends ScriptedNotifications<FakeEvent, { url: string; secret: string }> {
  readonly emit = (type: string, object: object): void => {
    this.add({
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      type,
      api_version: '2026-10-28.endive',
      created: Math.floor(Date.now() / 1_000),
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object: structuredClone(object) as Record<string, unknown> },
    });
  };

  /** Sends the held events, in the order given by `arrange`, and stops holding. */
  async release(arrange = (events: FakeEvent[]): FakeEvent[] => events): Promise<void> {
    this.held = false;
    for (const event of arrange(this.waiting.splice(0))) await this.deliver(event);
  }

  /** Sends until the answer is 2xx. Returns the last status; 0: no answer, or no endpoint. */
  deliver(event: FakeEvent): Promise<number> {
    return this.send([event]);
  }

  protected override sign([event]: FakeEvent[], { secret }: { secret: string }): SignedNotification {
    return signEvent(event!, secret);
  }
}
