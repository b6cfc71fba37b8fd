import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Random } from '../../shared/random.js';
import { newWebhookSecret, type WebhookSecrets } from '../../shops/webhook-secrets.js';
import { renderSampleBody } from '../deliveries/sample-payload.js';
import { signBody, signStandard, standardKey } from '../delivery/signature.js';

/** A request of a case: what a delivery would be, right or wrong in one respect. */
export interface CaseRequest {
  body: string;
  headers: Record<string, string>;
  /** Its body is sent piece by piece. */
  isSlow?: boolean;
}

/** In what a request differs from a genuine one. */
interface Difference {
  id?: string;
  body?: string;
  /** What is signed in place of the body. */
  signedBody?: string;
  /** Seconds; negative: in the future. */
  age?: number;
  /** The newest first: the first one makes `Signature`. */
  secrets?: readonly string[];
  signingKeys?: readonly KeyObject[];
}

type SampleBody = Record<string, unknown> & { payment: Record<string, unknown> };

/** Makes the requests of a conformance run for one shop. Nothing of them is stored. */
export class CaseSigner {
  constructor(
    private readonly shop: { id: number; name: string; provider: string },
    private readonly secrets: WebhookSecrets,
    private readonly random: Random,
    private readonly now: () => Date,
  ) {}

  newId(): string {
    return `test_${this.random.uuid()}`;
  }

  /** The body of the test webhook, with changes of its own. */
  body(change: (sample: SampleBody) => object = (sample) => sample): string {
    const { event, ...rest } = JSON.parse(renderSampleBody(this.shop, this.now())) as SampleBody;
    return JSON.stringify(change({ event, test: true, ...rest }));
  }

  request(difference: Difference = {}): CaseRequest {
    const { id = this.newId(), body = this.body(), age = 0 } = difference;
    const { secrets = [this.secrets.current], signingKeys = this.secrets.signingKeys ?? [] } = difference;
    const timestamp = Math.floor(this.now().getTime() / 1_000) - age;
    const bytes = Buffer.from(difference.signedBody ?? body, 'utf8');
    const headers = {
      'content-type': 'application/json',
      Signature: signBody(secrets[0]!, bytes),
      'webhook-id': id,
      'webhook-shop-id': String(this.shop.id),
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signStandard(secrets, id, timestamp, bytes, signingKeys),
      'Webhook-Test': 'true',
    };
    return { body, headers };
  }

  /** By somebody who knows neither the secret nor the key. */
  forged(): CaseRequest {
    return this.request({ secrets: [this.strangeSecret()], signingKeys: this.strangeKeys() });
  }

  /** As after a rotation that the receiver has not heard of. */
  rotated(): CaseRequest {
    const signingKeys = [...this.strangeKeys(), ...(this.secrets.signingKeys ?? [])];
    return this.request({ secrets: [this.strangeSecret(), this.secrets.current], signingKeys });
  }

  /** With both signatures made the wrong way that `misreading` names. */
  misread(misreading: Misreading): CaseRequest {
    const body = this.body();
    if (misreading === 'rewritten') return this.request({ body, signedBody: spaced(body) });
    const request = this.request({ body });
    const changed = MISREADINGS[misreading](request, this.secrets.current);
    return { ...request, headers: { ...request.headers, ...changed } };
  }

  private strangeSecret(): string {
    return newWebhookSecret(this.random);
  }

  private strangeKeys(): KeyObject[] {
    return this.secrets.signingKeys ? [generateKeyPairSync('ed25519').privateKey] : [];
  }
}

/** As `json.dumps` of Python and others write it. */
export function spaced(json: string): string {
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return `{${Object.entries(value)
      .map(([key, field]) => `${JSON.stringify(key)}: ${write(field)}`)
      .join(', ')}}`;
  };
  return write(JSON.parse(json));
}

/** What a receiver gets wrong that refuses genuine webhooks. It accepts those that are wrong in the same way. */
export type Misreading = keyof typeof MISREADINGS | 'rewritten';

const standardContent = ({ body, headers }: CaseRequest): string =>
  `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
const hmac = (key: string | Buffer, content: string): Buffer => createHmac('sha256', key).update(content).digest();

/** The headers that such a receiver takes for right. */
const MISREADINGS = {
  upperCase: ({ headers }: CaseRequest) => ({ Signature: headers['Signature']!.toUpperCase() }),
  base64: ({ body }: CaseRequest, secret: string) => ({ Signature: hmac(secret, body).toString('base64') }),
  decodedKey: ({ body }: CaseRequest, secret: string) => ({
    Signature: hmac(standardKey(secret), body).toString('hex'),
  }),
  plainKey: (request: CaseRequest, secret: string) => ({
    'webhook-signature': `v1,${hmac(secret, standardContent(request)).toString('base64')}`,
  }),
  hexInStandard: (request: CaseRequest, secret: string) => ({
    'webhook-signature': `v1,${hmac(standardKey(secret), standardContent(request)).toString('hex')}`,
  }),
};
