import { describe, expect, it } from '@jest/globals';
import { systemContext } from '@payment-orchestrator/provider-kit/testing';
import { AdyenProvider } from './provider.js';

const REFERENCE = 'c0ffee00-0000-4000-8000-000000000001';
const credentials = { api_key: 'AQE_a_key_of_nobody_0123456', merchant_account: 'ShopECOM', environment: 'test' };
const waiting = {
  paymentId: 7,
  shopId: 1,
  reference: REFERENCE,
  transactionId: null,
  credentials,
  amount: '10.00',
  currency: 'EUR',
  capture: 'automatic',
} as const;

function answering(statusCode: number, body: string): AdyenProvider {
  const call = () => Promise.resolve({ statusCode, headers: {}, body: Buffer.from(body) });
  const { context } = systemContext({ ADYEN_API_BASE: 'https://adyen.example' });
  return new AdyenProvider({ ...context, http: { call } });
}
const signal = new AbortController().signal;

describe('AdyenProvider', () => {
  it.each([
    [200, '{"paymentMethods":[{"name":"Cards","type":"scheme"}]}', 'accepted'],
    [200, '{"paymentMethods":[]}', 'accepted'],
    [200, '{}', 'unknown'],
    [200, '', 'unknown'],
    [200, '<html>', 'unknown'],
    [200, '{"paymentMethods":"all"}', 'unknown'],
    [204, '', 'unknown'],
    [302, '', 'unknown'],
    [401, '{}', 'refused'],
    [429, '{}', 'unknown'],
    [503, '', 'unknown'],
  ])('answers a check of credentials that gets %i %s with %s', async (status, body, outcome) => {
    expect(await answering(status, body).checkCredentials(credentials, signal)).toMatchObject({ outcome });
  });

  it.each<[string, object, object]>([
    ['our reference', { resultCode: 'Authorised', merchantReference: REFERENCE }, { outcome: 'approved' }],
    ['no reference', { resultCode: 'Authorised', pspReference: 'NC6HT9CRT65ZGN82' }, { outcome: 'processing' }],
    ['no reference, refused', { resultCode: 'Refused', refusalReason: 'Refused' }, { outcome: 'processing' }],
  ])('reads the payer’s details that name %s', async (_, body, answer) => {
    const provider = answering(200, JSON.stringify(body));
    expect(await provider.completeAction(waiting, { redirectResult: 'x' }, signal)).toEqual(answer);
  });

  it('refuses details that name another payment', async () => {
    const body = { resultCode: 'Authorised', merchantReference: 'c0ffee00-0000-4000-8000-000000000002' };
    const provider = answering(200, JSON.stringify(body));
    await expect(provider.completeAction(waiting, { redirectResult: 'x' }, signal)).rejects.toMatchObject({
      errors: [{ field: 'details', message: 'are about another payment' }],
    });
  });
});
