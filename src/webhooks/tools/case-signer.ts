import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Random } from '../../shared/random.js';
import { newWebhookSecret, type WebhookSecrets } from '../../shops/webhook-secrets.js';
import { renderSampleBody } from '../outbox/sample-payload.js';
import { signBody, signStandard, standardKey } from '@payment-orchestrator/receiver/signing';

/** A request of a case: a genuine delivery, or one with a single fault. */
export interface CaseRequest {
  body: string;
  headers: Record<string, string>;
  /** The body is sent in pieces. */
  isSlow?: boolean;
}

/** The differences from a genuine request. */
interface Difference {
  id?: string;
  body?: string;
  /** Text that is signed instead of the body. */
  signedBody?: string;
  /** Age of the signature in seconds; negative: in the future. */
  age?: number;
  /** Newest first. The first secret signs the header `Signature`. */
  secrets?: readonly string[];
  signingKeys?: readonly KeyObject[];
}

type SampleBody = Record<string, unknown> & { payment: Record<string, unknown> };

/** Builds the requests of a conformance run for one shop. They are not stored. */
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

  /** Returns the body of the test webhook, with a change. */
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

  /** Returns a request from a sender that knows neither the secret nor the key. */
  forged(): CaseRequest {
    return this.request({ secrets: [this.unknownSecret()], signingKeys: this.unknownKeys() });
  }

  /** Returns a request after a rotation that the receiver does not know. */
  rotated(): CaseRequest {
    const signingKeys = [...this.unknownKeys(), ...(this.secrets.signingKeys ?? [])];
    return this.request({ secrets: [this.unknownSecret(), this.secrets.current], signingKeys });
  }

  /** Returns a request that is signed in the wrong way that `misreading` names. */
  misread(misreading: Misreading): CaseRequest {
    const body = this.body();
    if (misreading === 'rewritten') return this.request({ body, signedBody: spaced(body) });
    const request = this.request({ body });
    const changed = MISREADINGS[misreading](request, this.secrets.current);
    return { ...request, headers: { ...request.headers, ...changed } };
  }

  private unknownSecret(): string {
    return newWebhookSecret(this.random);
  }

  private unknownKeys(): KeyObject[] {
    return this.secrets.signingKeys ? [generateKeyPairSync('ed25519').privateKey] : [];
  }
}

/** Serializes with spaces, like `json.dumps` of Python. */
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

/** A mistake of a receiver that refuses genuine webhooks. It accepts webhooks with the same mistake. */
export type Misreading = keyof typeof MISREADINGS | 'rewritten';

const standardContent = ({ body, headers }: CaseRequest): string =>
  `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
const hmac = (key: string | Buffer, content: string): Buffer => createHmac('sha256', key).update(content).digest();

/** Headers that a receiver with the mistake accepts. */
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
