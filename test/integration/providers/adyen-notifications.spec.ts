import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import type { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import type { ChargeRequest, ProviderEvent } from '@payment-orchestrator/provider-kit';
import { eventually } from '../../support/eventually.js';
import {
  ADYEN_CREDENTIALS,
  startAdyen,
  adyenCharge,
  HMAC_KEY,
  MERCHANT_ACCOUNT,
} from '../../support/providers/adyen-requests.js';
import { operationOn, soon } from '../../support/providers/stripe-requests.js';
import { type FakeItem, signItems } from '../../support/servers/adyen/adyen-webhooks.js';
import type { FakeAdyen } from '../../support/servers/fake-adyen.js';
import { signedNotification } from '@payment-orchestrator/provider-kit/testing';

const OTHER_KEY = 'AB'.repeat(32);

describe('notifications of Adyen', () => {
  let fake: FakeAdyen;
  let provider: AdyenProvider;
  let stop: () => Promise<void>;
  const account = () => fake.account(MERCHANT_ACCOUNT);
  const sent = (eventCode: string): FakeItem => {
    const item = account().webhooks.all.findLast((candidate) => candidate.eventCode === eventCode);
    if (!item) throw new Error(`the fake sent no ${eventCode}`);
    return item;
  };
  const parseAll = (items: FakeItem[], credentials: Record<string, unknown> = ADYEN_CREDENTIALS) =>
    provider.parseNotification(signItems(items, HMAC_KEY), credentials);
  const parse = async (item: FakeItem): Promise<ProviderEvent | undefined> => (await parseAll([item])).events[0];
  const parseBody = (body: string | object, credentials: Record<string, unknown> = ADYEN_CREDENTIALS) => {
    const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    return provider.parseNotification(signedNotification(rawBody), credentials);
  };
  const signedBody = (item: FakeItem, key = HMAC_KEY) =>
    JSON.parse(signItems([item], key).rawBody.toString()) as {
      notificationItems: { NotificationRequestItem: Record<string, unknown> }[];
    };
  const charged = async (method: string, fields: Partial<ChargeRequest> = {}) => {
    const request = adyenCharge(method, fields);
    const answer = await provider.charge(request, soon());
    return { request, answer, operation: { ...operationOn(request, answer), reason: undefined } };
  };

  beforeEach(async () => {
    ({ fake, provider, stop } = await startAdyen());
  });
  afterEach(() => stop());

  it('reads a success with its amount, reference and time, and answers [accepted]', async () => {
    const { request, answer } = await charged('AUTHORISED', { currency: 'CLP', amount: '5000' });
    const item = sent('AUTHORISATION');
    const { events, acknowledge } = await parseAll([item]);
    expect(acknowledge).toEqual({ contentType: 'text/plain', body: '[accepted]' });
    expect(events).toEqual([
      {
        id: `${answer.transactionId}:AUTHORISATION:true`,
        match: { transactionId: answer.transactionId, reference: request.reference },
        status: 'authorized',
        captureBefore: new Date(Date.parse(item.eventDate) + 28 * 86_400_000),
        amount: '5000',
        currency: 'CLP',
        occurredAt: new Date(item.eventDate),
        data: { event_code: 'AUTHORISATION', success: true, psp_reference: answer.transactionId },
      },
    ]);
  });

  it('reads a failure with its reason', async () => {
    const { request } = await charged('RECEIVED');
    account().ledger.settle(request.reference, 'refused', 'Not enough balance');
    expect(await parse(sent('AUTHORISATION'))).toMatchObject({
      id: expect.stringMatching(/:AUTHORISATION:false$/),
      match: { reference: request.reference },
      status: 'failed',
      declineCode: 'insufficient_funds',
      data: { reason: 'Not enough balance' },
    });
  });

  it('reads the outcome of a void', async () => {
    const { answer, request, operation } = await charged('PENDING');
    const voided = await provider.void(operation, soon());
    expect(await parse(sent('CANCELLATION'))).toMatchObject({
      match: { transactionId: answer.transactionId, reference: request.reference },
      status: 'cancelled',
      operationId: voided.outcome === 'pending' ? voided.operationId : '',
    });
    const captured = await charged('AUTHORISED');
    await provider.void(captured.operation, soon());
    expect(await parse(sent('CANCELLATION'))).toMatchObject({ status: 'void_failed' });
  });

  it('reads the outcome of a void by our reference', async () => {
    const { request, operation } = await charged('REDIRECT', { returnUrl: 'https://shop.example/back' });
    await provider.void(operation, soon());
    expect(await parse(sent('TECHNICAL_CANCEL'))).toMatchObject({
      match: { reference: request.reference },
      status: 'cancelled',
    });
    const never = operationOn(adyenCharge('AUTHORISED'));
    const answer = await provider.void(never, soon());
    expect(await parse(sent('TECHNICAL_CANCEL'))).toMatchObject({
      match: { reference: never.reference },
      status: 'void_failed',
      operationId: answer.outcome === 'pending' ? answer.operationId : '',
    });
  });

  it('reads the outcome of a refund', async () => {
    const { answer, request, operation } = await charged('AUTHORISED');
    await provider.refund(operation, soon());
    expect(await parse(sent('REFUND'))).toMatchObject({
      match: { transactionId: answer.transactionId, reference: request.reference },
      status: 'refunded',
      amount: '100.1',
      currency: 'EUR',
    });
    const refused = await charged('REFUNDREFUSED');
    await provider.refund(refused.operation, soon());
    expect(await parse(sent('REFUND'))).toMatchObject({
      status: 'refund_failed',
      operationId: sent('REFUND').pspReference,
      data: { success: false, reason: 'Refund not supported' },
    });
  });

  it('returns the amount of a refund, which may be partial', async () => {
    const { answer } = await charged('AUTHORISED');
    const payment = account().ledger.find(answer.transactionId ?? '');
    account().ledger.refund(payment, { value: 1, currency: 'EUR' });
    expect(await parse(sent('REFUND'))).toMatchObject({ status: 'refunded', amount: '0.01', currency: 'EUR' });
  });

  it('reads events that contradict an end state', async () => {
    const { answer, operation } = await charged('REFUNDFAILS');
    await provider.refund(operation, soon());
    const failed = await parse(sent('REFUND_FAILED'));
    expect(failed).toMatchObject({ status: 'refund_failed', operationId: sent('REFUND').pspReference });
    expect(failed?.id).not.toBe((await parse(sent('REFUND')))?.id);
    account().ledger.failCapture(account().ledger.find(answer.transactionId ?? ''));
    expect(await parse(sent('CAPTURE_FAILED'))).toMatchObject({
      status: 'capture_failed',
      match: { transactionId: answer.transactionId },
    });
    expect(await parse({ ...sent('REFUND'), eventCode: 'REFUNDED_REVERSED' })).toMatchObject({
      status: 'refund_failed',
    });
  });

  it.each([
    ['cancel', 'true', 'cancelled'],
    ['refund', 'true', 'refunded'],
    ['refund', 'false', 'ignored'],
  ] as const)('reads a reversal that is not ours: %s %s', async (action, success, status) => {
    await charged('AUTHORISED');
    const item = { ...sent('AUTHORISATION'), eventCode: 'CANCEL_OR_REFUND', originalReference: 'BBBBCCCCDDDDFFFF' };
    const additionalData = { 'modification.action': action };
    expect(await parse({ ...item, success, additionalData })).toMatchObject({ status });
  });

  it.each<[string, Partial<FakeItem>]>([
    ['an event of another kind', { eventCode: 'NOTIFICATION_OF_FRAUD', originalReference: 'BBBBCCCCDDDDFFFF' }],
    ['an unknown event', { eventCode: 'toString' }],
    ['a payment of another kind of reference', { merchantReference: 'order-4711' }],
    ['another merchant account', { merchantAccountCode: 'OtherECOM' }],
  ])('ignores %s', async (_name, fields) => {
    await charged('AUTHORISED');
    expect(await parse({ ...sent('AUTHORISATION'), ...fields })).toMatchObject({ status: 'ignored' });
  });

  it('reads a batch in order', async () => {
    await charged('AUTHORISED');
    await charged('REFUSED');
    const { events } = await parseAll(account().webhooks.all);
    expect(events.map(({ status }) => status)).toEqual(['authorized', 'failed']);
  });

  it('refuses a batch with an unsigned item', async () => {
    await charged('AUTHORISED');
    const [good, bad] = [signedBody(sent('AUTHORISATION')), signedBody(sent('AUTHORISATION'), OTHER_KEY)];
    const body = { ...good, notificationItems: [...good.notificationItems, ...bad.notificationItems] };
    await expect(parseBody(body)).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['the outcome', { success: 'false' }],
    ['the amount', { amount: { value: 1, currency: 'EUR' } }],
    ['the reference', { merchantReference: '00000000-0000-4000-8000-000000000000' }],
    ['the signature', { additionalData: { hmacSignature: 'AAAA' } }],
    ['no signature', { additionalData: {} }],
  ])('refuses an item after a change of %s', async (_name, fields) => {
    await charged('AUTHORISED');
    const body = signedBody(sent('AUTHORISATION'));
    Object.assign(body.notificationItems[0]!.NotificationRequestItem, fields);
    await expect(parseBody(body)).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  it.each([
    '',
    'no json',
    '[]',
    '{}',
    '{"notificationItems":[]}',
    '{"notificationItems":[{"NotificationRequestItem":7}]}',
  ])('refuses %j as not signed', async (body) => {
    await expect(parseBody(body)).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  it('refuses everything for a shop without a key', async () => {
    await charged('AUTHORISED');
    await expect(parseAll([sent('AUTHORISATION')], {})).rejects.toMatchObject({ code: 'invalid_signature' });
    const body = signedBody(sent('AUTHORISATION'), '00'.repeat(32));
    await expect(parseBody(body, {})).rejects.toMatchObject({ code: 'invalid_signature' });
  });

  it('names the invalid field of a signed item', async () => {
    await charged('AUTHORISED');
    const item = { ...sent('AUTHORISATION'), pspReference: '' };
    await expect(parseAll([item])).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'pspReference' }],
    });
  });

  it('returns no data of the payer', async () => {
    await charged('AUTHORISED');
    const additionalData = { shopperEmail: 'payer@shop.example', cardSummary: '1111' };
    const event = await parse({ ...sent('AUTHORISATION'), additionalData });
    expect(JSON.stringify(event)).not.toMatch(/payer@|1111"/);
  });

  it('reads the batch that the fake sends by HTTP until it is accepted', async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(bodies.length === 1 ? 500 : 200).end('[accepted]');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { webhooks } = account();
    webhooks.endpoint = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, hmacKey: HMAC_KEY };
    webhooks.held = true;
    await charged('AUTHORISED');
    await charged('REFUSED');
    expect(await webhooks.release((items) => items.reverse())).toBe(200);
    expect(bodies[1]).toBe(bodies[0]);
    const { events } = await parseBody(bodies[1]!);
    expect(events.map(({ status }) => status)).toEqual(['failed', 'authorized']);
    await charged('AUTHORISED');
    await eventually(() => expect(bodies).toHaveLength(3));
    await new Promise((resolve) => server.close(resolve));
  });
});
