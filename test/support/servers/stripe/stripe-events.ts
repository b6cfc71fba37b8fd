import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import Stripe from 'stripe';

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

/** A delivery as it goes over the wire. */
export interface SignedEvent {
  rawBody: Buffer;
  headers: Record<string, string>;
}

const TRIES = 20;
const RETRY_MS = 200;

/** Signed as Stripe signs; `timestamp` in seconds, now unless told. */
export function signEvent(event: object, secret: string, timestamp?: number): SignedEvent {
  const payload = JSON.stringify(event, null, 2);
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    ...(timestamp !== undefined && { timestamp }),
  });
  return {
    rawBody: Buffer.from(payload),
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
  };
}

/** One account's events, in order, and their way to its webhook endpoint. */
export class StripeEvents {
  readonly all: FakeEvent[] = [];
  endpoint: { url: string; secret: string } | undefined;
  /** Events are kept until `release`. */
  held = false;
  private waiting: FakeEvent[] = [];
  private readonly stopped = new AbortController();

  readonly emit = (type: string, object: object): void => {
    const event: FakeEvent = {
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      type,
      api_version: '2026-10-28.endive',
      created: Math.floor(Date.now() / 1_000),
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object: structuredClone(object) as Record<string, unknown> },
    };
    this.all.push(event);
    if (this.held) this.waiting.push(event);
    else void this.deliver(event);
  };

  /** Sends what was held, in the order given by `arrange`, and nothing is held any more. */
  async release(arrange = (events: FakeEvent[]): FakeEvent[] => events): Promise<void> {
    this.held = false;
    for (const event of arrange(this.waiting.splice(0))) await this.deliver(event);
  }

  /** Until it is answered with 2xx, a bounded number of times. Answers the last status; 0: no answer, no endpoint. */
  async deliver(event: FakeEvent): Promise<number> {
    let status = 0;
    for (let tries = 0; tries < TRIES && this.endpoint && !this.stopped.signal.aborted; tries++) {
      if (tries > 0) await delay(RETRY_MS);
      status = await this.post(event, this.endpoint);
      if (status >= 200 && status < 300) break;
    }
    return status;
  }

  stop(): void {
    this.stopped.abort();
  }

  private async post(event: FakeEvent, { url, secret }: { url: string; secret: string }): Promise<number> {
    const { rawBody, headers } = signEvent(event, secret);
    try {
      const answer = await fetch(url, { method: 'POST', headers, body: rawBody, signal: this.stopped.signal });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0; // nobody there yet, or any more
    }
  }
}
