import { describe, expect, it } from '@jest/globals';
import { SystemRandom } from '../shared/random.js';
import { webhookSecretError } from '@payment-orchestrator/receiver/signing';
import { newWebhookSecret } from './webhook-secrets.js';

const base64 = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

describe('webhook secrets', () => {
  it('newWebhookSecret uses 32 random bytes and returns a valid secret', () => {
    const secret = newWebhookSecret(new SystemRandom());
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhookSecretError(secret)).toBeUndefined();
    expect(newWebhookSecret(new SystemRandom())).not.toBe(secret);
  });

  it.each([
    'x'.repeat(24),
    '~'.repeat(200),
    '!"#$%&()*+,-./:;<=>?@[]^_`',
    `whsec_${base64(24)}`,
    `whsec_${base64(64)}`,
  ])('webhookSecretError accepts %j', (secret) => expect(webhookSecretError(secret)).toBeUndefined());

  it.each([
    '',
    'x'.repeat(23),
    'x'.repeat(201),
    `${'x'.repeat(24)} `,
    `${'x'.repeat(24)}é`,
    `${'x'.repeat(24)}\n`,
    'whsec_',
    `whsec_${base64(23)}`,
    `whsec_${base64(65)}`,
    `whsec_${base64(32).slice(0, -1)}`,
    `whsec_${'-_'.repeat(22)}`,
    `whsec_ ${base64(32)}`,
  ])('webhookSecretError refuses %j', (secret) => expect(webhookSecretError(secret)).toMatch(/^must /));
});
