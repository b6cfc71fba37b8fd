import { createSecretKey, type KeyObject } from 'node:crypto';
import { signBody, signWithKeys, standardKey } from '@payment-orchestrator/receiver/signing';
import type { WebhookSecrets } from '../../shops/webhook-secrets.js';

/** Signs the webhooks of one shop. The keys are derived once. */
export class WebhookSigner {
  private readonly key: KeyObject;
  private readonly standardKeys: readonly KeyObject[];
  private readonly signingKeys: readonly KeyObject[];

  constructor({ current, next, previous, signingKeys = [] }: WebhookSecrets) {
    this.key = createSecretKey(Buffer.from(current, 'utf8'));
    const secrets = [current, next, previous].filter((secret) => typeof secret === 'string');
    this.standardKeys = secrets.map((secret) => createSecretKey(standardKey(secret)));
    this.signingKeys = signingKeys;
  }

  /** Returns the `Signature` header, signed with the current secret. */
  body(body: Buffer): string {
    return signBody(this.key, body);
  }

  /** Returns the `webhook-signature` header, signed with the current, next and previous secrets. `timestamp`: seconds since 1970. */
  standard(id: string, timestamp: number, body: Buffer): string {
    return signWithKeys(this.standardKeys, id, timestamp, body, this.signingKeys);
  }
}
