import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type SignedWebhook, verifyWebhook } from '../../../bench/support/webhook-verification.js';

const OLD = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const BODY = '{"shop":{"id":1}}';
const AT = new Date(1_700_000_000_000);

/** `Signature` is made with the first secret, `webhook-signature` with all of them. */
const signedWith = (...secrets: [string, ...string[]]): SignedWebhook => ({
  body: Buffer.from(BODY),
  id: 'whd_1',
  timestamp: String(AT.getTime() / 1_000),
  signature: createHmac('sha256', secrets[0]).update(BODY).digest('hex'),
  standard: secrets.map((secret) => new Webhook(secret).sign('whd_1', AT, BODY)).join(' '),
});

describe('a receiver that verifies webhooks', () => {
  it.each<[string, (string | undefined)[], SignedWebhook, number]>([
    ['its only secret', [OLD], signedWith(OLD), 0],
    ['the old secret while both sign', [OLD, NEW], signedWith(OLD, NEW), 0],
    ['the new secret while both sign', [OLD, NEW], signedWith(NEW, OLD), 1],
    ['the new secret when the old one is removed', [undefined, NEW], signedWith(NEW), 1],
  ])('accepts %s', (_, known, webhook, secret) => {
    expect(verifyWebhook(known, webhook)).toEqual({ secret, isGenuine: true });
  });

  it.each<[string, (string | undefined)[], SignedWebhook]>([
    ['an unknown secret', [OLD], signedWith(NEW)],
    ['a removed secret', [undefined, NEW], signedWith(OLD)],
    ['a removed secret next to the new one', [undefined, NEW], signedWith(NEW, OLD)],
    ['another body', [OLD], { ...signedWith(OLD), body: Buffer.from('{"shop":{"id":2}}') }],
    [
      'a standard signature by another secret than the plain one',
      [OLD, NEW],
      { ...signedWith(OLD), standard: signedWith(NEW).standard },
    ],
  ])('refuses %s', (_, known, webhook) => {
    expect(verifyWebhook(known, webhook).isGenuine).toBe(false);
  });
});
