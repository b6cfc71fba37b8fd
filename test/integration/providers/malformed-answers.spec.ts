import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ChargeAnswer, CredentialsAnswer, ParsedNotification } from '@payment-orchestrator/provider-kit';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { operationsOf } from '../../support/app/recovery-harness.js';
import { sharedSandbox } from './sandbox-harness.js';

let api: TestApi;
let merchant: Merchant;
let sandbox: SandboxProvider;

beforeAll(async () => {
  ({ api, merchant } = await sharedSandbox());
  sandbox = api.get(SandboxProvider);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => api?.stop());

const logged = () => jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);

async function failedOf({ url }: TestApi): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return Number(/^provider_notifications_total\{provider="sandbox",outcome="failed"\} (\d+)/m.exec(page)?.[1]);
}

describe('a malformed answer of a connector', () => {
  it.each([
    ['nothing', undefined],
    ['another outcome', { outcome: 'aproved' }],
    ['no date', { outcome: 'authorized', captureBefore: '2030-01-01T00:00:00Z' }],
    [
      'a script as address',
      { outcome: 'processing', nextAction: { type: 'redirect', url: 'javascript:1', method: 'GET' } },
    ],
    ['a text as code', { outcome: 'declined', declineCode: 'Do Not Honor!' }],
    ['a number as id', { outcome: 'approved', transactionId: 12_345 }],
    ['a NUL', { outcome: 'approved', metadata: { text: 'a\u0000b' } }],
    ['too much', { outcome: 'approved', metadata: { text: 'x'.repeat(20_000) } }],
  ])('to a charge (%s) is an unknown outcome, with one line for the operator', async (_, answer) => {
    const error = logged();
    jest.spyOn(sandbox, 'charge').mockResolvedValueOnce(answer as ChargeAnswer);
    const payment = await merchant.pay('checkout');
    expect(payment).toMatchObject({ status: 'pending', next_action: null });
    expect(await operationsOf(api, payment.id)).toMatchObject([{ kind: 'charge', state: 'unknown' }]);
    expect(error.mock.calls).toMatchObject([
      [
        {
          msg: 'the connector gave a malformed answer',
          paymentId: payment.id,
          reason: expect.stringMatching(/^charge: \w/),
        },
      ],
    ]);
  });

  it.each([
    ['id', 'must be a text', { id: undefined }],
    ['status', 'must be one of', { status: 'paid' }],
    ['match', 'must have a transactionId or a reference', { match: {} }],
    ['amount', 'must be decimal text', { amount: 10 }],
    ['occurredAt', 'must be a valid Date', { occurredAt: new Date('nonsense') }],
    ['data', 'must be an object', { data: undefined }],
    ['data', 'must have no NUL', { data: { text: 'a\u0000b' } }],
    ['dispute', 'must be present', { status: 'disputed' }],
  ])('with an event whose %s %s is 422', async (field, message, fields) => {
    const error = logged();
    const payment: PaymentAnswer = await merchant.pay('checkout');
    const event = { id: 'e1', match: { transactionId: 'x' }, status: 'completed', data: {}, ...fields };
    const parsed = { events: [event] } as unknown as ParsedNotification;
    jest.spyOn(sandbox, 'parseNotification').mockResolvedValueOnce(parsed);
    const answer = await merchant.notify(payment, { id: 'e1', status: 'completed' });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { code: 'validation_failed', errors: [{ field, message: expect.stringContaining(message) }] },
    ]);
    expect(error).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a TypeError', () => new TypeError('secret'), 500, 'internal_error', 'TypeError'],
    ['a SyntaxError', () => new SyntaxError('secret'), 500, 'internal_error', 'SyntaxError'],
    ['a text', () => 'secret', 500, 'internal_error', 'unknown'],
    ['nothing', () => undefined, 500, 'internal_error', 'unknown'],
    ['a status', () => Object.assign(new Error('secret'), { statusCode: 404 }), 500, 'internal_error', 'Error'],
    [
      'a lost connection',
      () => Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }),
      503,
      'dependency_unavailable',
      'Error ECONNREFUSED',
    ],
  ])(
    'that is thrown (%s) to a notification is 5xx, with one line and counted',
    async (_, thrown, status, code, reason) => {
      const error = logged();
      const payment = await merchant.pay('checkout');
      const failed = () => failedOf(api);
      const before = await failed();
      jest.spyOn(sandbox, 'parseNotification').mockRejectedValueOnce(thrown());
      const answer = await merchant.notify(payment, { id: 'e1', status: 'completed' });
      expect([answer.status, answer.body]).toMatchObject([status, { code }]);
      const line = {
        msg: 'the connector failed to read a notification',
        provider: 'sandbox',
        shopId: payment.shop.id,
        reason,
      };
      expect(error.mock.calls).toMatchObject([[line]]);
      expect(JSON.stringify([error.mock.calls, answer.body])).not.toContain('secret');
      expect(await failed()).toBe(before + 1);
    },
  );

  it('that is thrown for an unknown shop says nothing about shops', async () => {
    const error = logged();
    jest.spyOn(sandbox, 'parseNotification').mockRejectedValueOnce(new TypeError('secret'));
    const answer = await merchant.sendNotification(2_000_000_000, '{}');
    expect([answer.status, answer.body]).toMatchObject([401, { code: 'invalid_signature' }]);
    expect(error).not.toHaveBeenCalled();
  });

  it('to a check of credentials is unknown', async () => {
    logged();
    const [shop] = dataOf<{ id: number }[]>(await merchant.api.get('/shops'));
    jest.spyOn(sandbox, 'checkCredentials').mockResolvedValueOnce(true as unknown as CredentialsAnswer);
    const answer = await merchant.api.post(`/shops/${shop!.id}/credentials/check`, {});
    expect(dataOf(answer)).toMatchObject({ outcome: 'unknown' });
  });
});
