import { randomUUID, sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import {
  ScriptedNotifications,
  type SignedNotification,
  signedNotification,
} from '@payment-orchestrator/provider-kit/testing';
import { type Certificate, createAuthority } from '../hostile-certificates.js';
import { newId } from './paypal-objects.js';

/** A key of PayPal's, and the address of its certificate. */
export interface Signer {
  key: string;
  cert: string;
  url: string;
}

const AUTHORITY = createAuthority('an authority of PayPal');
/** Keys take long to make, so that all fakes of a process share two. */
const CERTIFICATES = new Map<string, Certificate>();

/** `name`: the last part of the certificate's address, such as `CERT-1`. */
export function signerAt(base: string, name: string, terms: { notAfter?: Date } = {}): Signer {
  const id = `${name} ${terms.notAfter?.getTime()}`;
  const made =
    CERTIFICATES.get(id) ??
    AUTHORITY.issue({ names: ['messageverificationcerts.paypal.com'], keyType: 'rsa', ...terms });
  CERTIFICATES.set(id, made);
  return { ...made, url: `${base}/v1/notifications/certs/${name}` };
}

/** Signs as PayPal does: https://developer.paypal.com/api/rest/webhooks/rest/ */
export function signedEvent(rawBody: Buffer, webhookId: string, { key, url }: Signer): SignedNotification {
  const [id, time] = [randomUUID(), new Date().toISOString()];
  const signed = Buffer.from([id, time, webhookId, crc32(rawBody)].join('|'));
  return signedNotification(rawBody, {
    'content-type': 'application/json',
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': url,
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('RSA-SHA256', signed, key).toString('base64'),
  });
}

interface PayPalEvent {
  id: string;
  event_type: string;
  resource: object;
  /** As it was stored: a repeat has the same bytes. */
  body: string;
}

interface Endpoint {
  url: string;
  webhookId: string;
}

/** The webhook of an app. */
export class PayPalWebhook extends ScriptedNotifications<PayPalEvent, Endpoint> {
  constructor(private readonly signer: () => Signer) {
    super();
  }

  report(eventType: string, resourceType: string, given: object): void {
    const id = `WH-${newId()}`;
    const resource = structuredClone(given);
    const event = {
      id,
      event_version: '1.0',
      create_time: new Date().toISOString(),
      resource_type: resourceType,
      resource_version: '2.0',
      event_type: eventType,
      summary: 'See the resource.',
      resource,
      links: [],
    };
    this.add({ id, event_type: eventType, resource, body: JSON.stringify(event) });
  }

  protected override sign([event]: PayPalEvent[], { webhookId }: Endpoint): SignedNotification {
    return signedEvent(Buffer.from(event!.body), webhookId, this.signer());
  }
}
