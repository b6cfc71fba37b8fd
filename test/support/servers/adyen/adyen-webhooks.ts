import { setTimeout as delay } from 'node:timers/promises';
import sdk from '@adyen/api-library/lib/src/utils/hmacValidator.js';
import type { Money } from './adyen-objects.js';

/** A NotificationRequestItem, without its signature. */
export interface FakeItem {
  additionalData: Record<string, string>;
  amount: Money;
  eventCode: string;
  eventDate: string;
  merchantAccountCode: string;
  merchantReference: string;
  originalReference?: string;
  paymentMethod: string;
  pspReference: string;
  reason: string;
  success: 'true' | 'false';
}

/** A delivery as it goes over the wire. */
export interface SignedBatch {
  rawBody: Buffer;
  headers: Record<string, string>;
}

type Signable = Parameters<InstanceType<typeof sdk.default>['calculateHmac']>[0];

const TRIES = 20;
const RETRY_MS = 200;

/** Each item signed as Adyen signs, with its SDK. */
export function signItems(items: FakeItem[], hmacKey: string): SignedBatch {
  const validator = new sdk.default();
  const signed = items.map((item) => {
    const hmacSignature = validator.calculateHmac(item as unknown as Signable, hmacKey);
    return { NotificationRequestItem: { ...item, additionalData: { ...item.additionalData, hmacSignature } } };
  });
  const rawBody = Buffer.from(JSON.stringify({ live: 'false', notificationItems: signed }));
  return { rawBody, headers: { 'content-type': 'application/json; charset=utf-8' } };
}

/** A merchant account's notifications, in order, and their way to its webhook endpoint. */
export class AdyenWebhooks {
  readonly all: FakeItem[] = [];
  endpoint: { url: string; hmacKey: string } | undefined;
  /** Items are kept until `release`. */
  held = false;
  private waiting: FakeItem[] = [];
  private readonly stopped = new AbortController();

  readonly emit = (item: FakeItem): void => {
    this.all.push(item);
    if (this.held) this.waiting.push(item);
    else void this.deliver([item]);
  };

  /** Sends what was held, in one batch after `arrange`, and nothing is held any more. Answers as `deliver`; nothing is not sent. */
  async release(arrange = (items: FakeItem[]): FakeItem[] => items): Promise<number> {
    this.held = false;
    const items = arrange(this.waiting.splice(0));
    return items.length === 0 ? 200 : this.deliver(items);
  }

  /** Until it is accepted (2xx), a bounded number of times. Answers the last status; 0: no answer, no endpoint. */
  async deliver(items: FakeItem[]): Promise<number> {
    let status = 0;
    for (let tries = 0; tries < TRIES && this.endpoint && !this.stopped.signal.aborted; tries++) {
      if (tries > 0) await delay(RETRY_MS);
      status = await this.post(signItems(items, this.endpoint.hmacKey), this.endpoint.url);
      if (status >= 200 && status < 300) break;
    }
    return status;
  }

  stop(): void {
    this.stopped.abort();
  }

  private async post({ rawBody, headers }: SignedBatch, url: string): Promise<number> {
    try {
      const answer = await fetch(url, { method: 'POST', headers, body: rawBody, signal: this.stopped.signal });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0; // nobody there yet, or any more
    }
  }
}
