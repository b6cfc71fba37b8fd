import { createHmac } from 'node:crypto';
import sdk from '@adyen/api-library/lib/src/utils/hmacValidator.js';
import {
  ScriptedNotifications,
  signedNotification,
  type SignedNotification,
} from '@payment-orchestrator/provider-kit/testing';
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

type Signable = Parameters<InstanceType<typeof sdk.default>['calculateHmac']>[0];

/** A stored payment method. */
export interface Stored {
  storedPaymentMethodId: string;
  shopperReference: string;
}

/** An event of the "Recurring tokens life cycle events" webhook. */
export interface FakeTokenEvent {
  createdAt: string;
  environment: 'test';
  eventId: string;
  type: string;
  version: string;
  data: Stored & { merchantAccount: string; type: string; operation: string };
}

/** Signs each item with Adyen's SDK; an absent amount is signed as an empty one. */
export function signItems(items: FakeItem[], hmacKey: string): SignedNotification {
  const validator = new sdk.default();
  const signed = items.map((item) => {
    const signable = { ...item, amount: (item as Partial<FakeItem>).amount ?? { value: '', currency: '' } };
    const hmacSignature = validator.calculateHmac(signable as unknown as Signable, hmacKey);
    return { NotificationRequestItem: { ...item, additionalData: { ...item.additionalData, hmacSignature } } };
  });
  const rawBody = Buffer.from(JSON.stringify({ live: 'false', notificationItems: signed }));
  return signedNotification(rawBody, { 'content-type': 'application/json; charset=utf-8' });
}

/** A merchant account's notifications. */
export class AdyenWebhooks extends ScriptedNotifications<FakeItem, { url: string; hmacKey: string }> {
  readonly emit = (item: FakeItem): void => this.add(item);

  /**
   * Sends the held notifications in one batch, after `arrange`, and stops holding. Returns the same as `deliver`. Sends
   * nothing if none is held.
   */
  async release(arrange = (items: FakeItem[]): FakeItem[] => items): Promise<number> {
    this.held = false;
    const items = arrange(this.waiting.splice(0));
    return items.length === 0 ? 200 : this.deliver(items);
  }

  /** Sends one batch until it is accepted (2xx). Returns the last status; 0: no answer, or no endpoint. */
  deliver(items: FakeItem[]): Promise<number> {
    return this.send(items);
  }

  protected override sign(items: FakeItem[], { hmacKey }: { hmacKey: string }): SignedNotification {
    return signItems(items, hmacKey);
  }
}

/** Signs the whole body, in a header. */
export function signTokenEvent(event: object, hmacKey: string): SignedNotification {
  const rawBody = Buffer.from(JSON.stringify(event));
  const hmacsignature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(rawBody).digest('base64');
  return signedNotification(rawBody, { 'content-type': 'application/json', protocol: 'HmacSHA256', hmacsignature });
}

/** A merchant account's webhook of tokens, one event per notification. */
export class AdyenTokenWebhooks extends ScriptedNotifications<FakeTokenEvent, { url: string; hmacKey: string }> {
  emit(merchantAccount: string, eventId: string, stored: Stored): void {
    const about = { createdAt: new Date().toISOString(), environment: 'test', version: '1' } as const;
    const data = { ...stored, merchantAccount, type: 'visastandarddebit', operation: 'created' };
    this.add({ ...about, eventId, type: 'recurring.token.created', data });
  }

  /** Sends until it is accepted (2xx). Returns the last status; 0: no answer, or no endpoint. */
  deliver(event: FakeTokenEvent): Promise<number> {
    return this.send([event]);
  }

  protected override sign([event]: FakeTokenEvent[], { hmacKey }: { hmacKey: string }): SignedNotification {
    return signTokenEvent(event!, hmacKey);
  }
}
