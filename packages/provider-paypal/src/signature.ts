import { type KeyObject, verify, X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ConnectorContext, NotificationRefused, type SignedRequest } from '@payment-orchestrator/provider-kit';
import type { Account } from './credentials.js';

const PATH = /^\/v1\/notifications\/certs\/CERT-[\w-]{1,100}$/;
const MAX_CERTIFICATES = 16;
const FORGED = 'invalid_signature';

/**
 * Verifies notifications with the certificate that they name, which PayPal's own hosts must serve:
 * https://developer.paypal.com/api/rest/webhooks/rest/. PayPal could be asked instead (`verify-webhook-signature`), but then
 * each notification costs a call under the shop's rate limit, and none arrives while the API is down.
 */
export class Signatures {
  private readonly keys = new Map<string, { key: KeyObject; until: number }>();

  constructor(private readonly context: Pick<ConnectorContext, 'http' | 'clock'>) {}

  async verify({ rawBody, headers }: SignedRequest, account: Account, signal: AbortSignal): Promise<void> {
    const read = (name: string): string => {
      const value = headers[`paypal-${name}`];
      if (typeof value !== 'string') throw new NotificationRefused(FORGED);
      return value;
    };
    const { webhookId } = account;
    const [id, time, signature] = [read('transmission-id'), read('transmission-time'), read('transmission-sig')];
    if (webhookId === undefined || read('auth-algo') !== 'SHA256withRSA') throw new NotificationRefused(FORGED);
    const key = await this.keyAt(read('cert-url'), account, signal);
    const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(rawBody)}`);
    if (!verify('RSA-SHA256', signed, key, Buffer.from(signature, 'base64'))) throw new NotificationRefused(FORGED);
  }

  private async keyAt(text: string, { origins }: Account, signal: AbortSignal): Promise<KeyObject> {
    const url = urlOf(text);
    if (!url || !origins.includes(url.origin) || !PATH.test(url.pathname) || url.search || url.username)
      throw new NotificationRefused(FORGED);
    const now = this.context.clock.now().getTime();
    const kept = this.keys.get(url.href);
    if (kept && kept.until > now) return kept.key;
    const { validFrom, validTo, publicKey: key } = await this.fetch(url, signal);
    const until = Date.parse(validTo);
    if (Date.parse(validFrom) > now || until <= now || key.asymmetricKeyType !== 'rsa')
      throw new NotificationRefused(FORGED);
    if (this.keys.size >= MAX_CERTIFICATES) this.keys.clear();
    this.keys.set(url.href, { key, until });
    return key;
  }

  private async fetch(url: URL, signal: AbortSignal): Promise<X509Certificate> {
    const request = { method: 'GET', url, headers: { accept: '*/*' } } as const;
    const answer = await this.context.http.call(request, signal).catch(unavailable);
    if (answer.statusCode === 404) throw new NotificationRefused(FORGED);
    if (answer.statusCode !== 200) return unavailable();
    try {
      return new X509Certificate(answer.body);
    } catch {
      return unavailable();
    }
  }
}

const unavailable = (): never => {
  throw new NotificationRefused('dependency_unavailable', { detail: 'PayPal did not give its certificate' });
};

function urlOf(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
