import { createHmac } from 'node:crypto';
import { ScriptedNotifications, signedNotification } from '@payment-orchestrator/provider-kit/testing';
import { idOf } from './checkout-objects.js';

export interface WebhookEvent {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export interface Endpoint {
  url: string;
  /** Absent: the webhook is not signed. */
  key?: string;
  authorization?: string;
}

/** The webhook of a workflow, signed, with a header `Authorization`, or both. */
export class CheckoutEvents extends ScriptedNotifications<WebhookEvent, Endpoint> {
  report(type: string, data: Record<string, unknown>): void {
    this.add({ id: idOf('evt'), type, timestamp: new Date().toISOString(), data });
  }

  override sign([event]: WebhookEvent[], endpoint: Omit<Endpoint, 'url'>) {
    return signEvent(JSON.stringify(event), endpoint);
  }
}

export function signEvent(body: string, { key, authorization }: Omit<Endpoint, 'url'>) {
  return signedNotification(Buffer.from(body), {
    'content-type': 'application/json; charset=utf-8',
    ...(key !== undefined && { 'cko-signature': createHmac('sha256', key).update(body).digest('hex') }),
    ...(authorization !== undefined && { authorization }),
  });
}
