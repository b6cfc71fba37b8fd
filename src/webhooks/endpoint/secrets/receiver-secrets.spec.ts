import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Encryption } from '../../../platform/encryption/encryption.js';
import { SystemRandom } from '../../../shared/random.js';
import { newSigningKey } from '../../../shops/signing-key.js';
import { signBody } from '@payment-orchestrator/receiver/signing';
import type { EncryptedReceiver } from './encrypted-receiver.js';
import { DEFAULT_ENDPOINT } from './receiver.js';
import { ReceiverSecrets } from './receiver-secrets.service.js';

const [MERCHANT, SHOP, ENDPOINT] = [7, 3, 40];
const BODY = Buffer.from('{}');

describe('ReceiverSecrets', () => {
  const random = new SystemRandom();
  const secrets = new ReceiverSecrets(new Encryption({ encryptionKeys: [hash('sha256', 'key', 'buffer')] }, random));
  const encrypted = (...[column, id, value]: [Parameters<typeof secrets.encrypt>[0], number, string]): string =>
    secrets.encrypt(column, MERCHANT, id, value).toString('base64');

  const receiverOfShop = (current: string): EncryptedReceiver => ({
    endpoint_id: DEFAULT_ENDPOINT,
    shop_id: SHOP,
    merchant_id: MERCHANT,
    current: encrypted('webhook_secret', SHOP, current),
    previous: encrypted('webhook_secret', SHOP, 'previous'),
    signing_keys: [encrypted('webhook_signing_key', SHOP, newSigningKey(random)), null],
  });
  const standing: EncryptedReceiver = {
    endpoint_id: ENDPOINT,
    shop_id: null,
    merchant_id: MERCHANT,
    current: encrypted('sealed_secret', ENDPOINT, 'of the endpoint'),
    previous: null,
    next: encrypted('sealed_secret', ENDPOINT, 'announced'),
    url: 'https://merchant.example/hooks',
    format: 'slack',
    max_per_second: 5,
    headers: encrypted('sealed_headers', ENDPOINT, '{"X-Environment":"test"}'),
    auth: encrypted('sealed_auth', ENDPOINT, '{"type":"bearer","token":"t"}'),
  };

  it('opens the default endpoint of a shop: no address, headers or authentication of its own', () => {
    const { signer, ...receiver } = secrets.receiver(receiverOfShop('of the shop'));
    const plain = { endpointId: null, url: null, format: 'json', maxPerSecond: null, headers: {}, auth: null };
    expect(receiver).toEqual(plain);
    expect(signer.body(BODY)).toBe(signBody('of the shop', BODY));
    const { signingKeys, ...others } = secrets.secrets(receiverOfShop('of the shop'));
    expect(others).toEqual({ current: 'of the shop', previous: 'previous' });
    expect(signingKeys?.map(({ asymmetricKeyType }) => asymmetricKeyType)).toEqual(['ed25519']);
  });

  it('opens a standing endpoint with all that its row has', () => {
    const { signer, ...receiver } = secrets.receiver(standing);
    expect(receiver).toEqual({
      endpointId: ENDPOINT,
      url: 'https://merchant.example/hooks',
      format: 'slack',
      maxPerSecond: 5,
      headers: { 'X-Environment': 'test' },
      auth: { type: 'bearer', token: 't' },
    });
    expect(signer.body(BODY)).toBe(signBody('of the endpoint', BODY));
    expect(secrets.secrets(standing)).toEqual({ current: 'of the endpoint', previous: null, next: 'announced' });
  });

  it('opens the same ciphertexts once, and those of a rotation again', () => {
    const before = receiverOfShop('first');
    const opened = secrets.receiver(before);
    expect(secrets.receiver({ ...before })).toBe(opened);
    expect(secrets.receiver({ ...before, ...receiverOfShop('second') }).signer.body(BODY)).toBe(
      signBody('second', BODY),
    );
  });

  it('opens no secret of another shop, merchant or kind', () => {
    const mine = receiverOfShop('of the shop');
    for (const other of [
      { ...mine, shop_id: SHOP + 1 },
      { ...mine, merchant_id: MERCHANT + 1 },
      { ...mine, endpoint_id: SHOP },
    ])
      expect(() => secrets.receiver(other)).toThrow();
  });
});
