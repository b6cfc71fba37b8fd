import { describe, expect, it } from '@jest/globals';
import { type Answers, checkedAnswer, checkedProvider } from '@payment-orchestrator/provider-kit';
import type { PaymentProvider } from '../payment-provider.js';

const faultOf = (call: keyof Answers, answer: unknown): unknown => {
  try {
    return checkedAnswer(call, answer);
  } catch (error) {
    return (error as Error).message;
  }
};

const redirect = (url: string) => ({
  outcome: 'processing',
  transactionId: 't1',
  nextAction: { type: 'redirect', url, method: 'GET' },
});
const circle: Record<string, unknown> = {};
circle.self = circle;
const approved = (metadata: unknown) => ({ outcome: 'approved', transactionId: 't1', metadata });
const state = (fields: object) => ({
  status: 'captured',
  transactionId: 't1',
  amount: '1.00',
  currency: 'EUR',
  ...fields,
});
const refusedFor = (fields: object) => ({ outcome: 'refused', reason: 'x', retryable: false, charge: state(fields) });
const event = (fields: object) => ({
  events: [{ id: 'e1', match: { transactionId: 't1' }, status: 'completed', data: {}, ...fields }],
});

describe('checkedAnswer', () => {
  it.each<[keyof Answers, string, unknown]>([
    ['charge', 'answer must be approved, authorized', undefined],
    ['charge', 'answer must be approved, authorized', 'approved'],
    ['charge', 'outcome must be approved, authorized', { outcome: 'aproved' }],
    ['charge', 'transactionId must be a text', { outcome: 'approved', transactionId: 12 }],
    ['charge', 'transactionId must be 1 to 255 printable', { outcome: 'approved', transactionId: '' }],
    ['charge', 'transactionId must be 1 to 255 printable', { outcome: 'approved', transactionId: 'a\u0000' }],
    ['charge', 'transactionId must be 1 to 255 printable', { outcome: 'approved', transactionId: '\ud800' }],
    ['charge', 'transactionId must be 1 to 255 printable', { outcome: 'approved', transactionId: 'x'.repeat(256) }],
    ['charge', 'captureBefore must be a valid Date', { outcome: 'authorized' }],
    ['charge', 'captureBefore must be a valid Date', { outcome: 'authorized', captureBefore: '2030-01-01' }],
    ['charge', 'captureBefore must be a valid Date', { outcome: 'authorized', captureBefore: new Date(NaN) }],
    ['charge', 'captureBefore must be a valid Date', { outcome: 'authorized', captureBefore: new Date(8e15) }],
    ['charge', 'declineCode must be a text', { outcome: 'declined' }],
    ['charge', 'declineCode must be a code', { outcome: 'declined', declineCode: 'Do Not Honor!' }],
    ['charge', 'declineCode must be a code', { outcome: 'soft_declined', declineCode: 'x'.repeat(101) }],
    ['charge', 'reason must be a text', { outcome: 'unavailable' }],
    ['charge', 'metadata must be an object', approved([1])],
    ['charge', 'metadata must be at most 16384 bytes of JSON', approved({ text: 'x'.repeat(20_000) })],
    ['charge', 'metadata must be representable as JSON', approved(circle)],
    ['charge', 'metadata must be representable as JSON', approved({ amount: 1n })],
    ['charge', 'metadata must have no NUL', approved({ 'a\u0000': 1 })],
    ['charge', 'metadata must have no NUL', approved({ text: '\\\u0000' })],
    ['charge', 'metadata must have no NUL', approved({ text: '\udc00' })],
    ['charge', 'nextAction.url must be an https URL', redirect('javascript:alert(1)')],
    ['charge', 'nextAction.url must be an https URL', redirect('http://shop.example/')],
    ['charge', 'nextAction.url must be an https URL', redirect('http://127.0.0.1.example/')],
    ['charge', 'nextAction.url must be an https URL', redirect('https://user:word@bank.example/')],
    ['charge', 'nextAction.url must be an https URL', redirect('/relative')],
    ['completeAction', 'nextAction.type must be', { outcome: 'processing', nextAction: { type: 'popup' } }],
    ['charge', 'nextAction must be', { outcome: 'processing', nextAction: null }],
    ['charge', 'savedMethod.token must be a text', { outcome: 'approved', transactionId: 't', savedMethod: {} }],
    ['void', 'outcome must be confirmed, pending or refused', { outcome: 'done' }],
    ['refund', 'operationId must be a text', { outcome: 'pending' }],
    ['capture', 'retryable must be true or false', { outcome: 'refused', reason: 'x' }],
    ['void', 'charge.status must be one of open', refusedFor({ status: 'not_found' })],
    ['void', 'charge.amount must be decimal text', refusedFor({ amount: 100 })],
    ['lookupOperation', 'outcome must be confirmed, pending, refused or not_found', { outcome: 'unknown' }],
    ['lookupOperation', 'operationId must be a text', { outcome: 'pending' }],
    ['lookup', 'status must be not_found', { status: 'paid' }],
    ['lookup', 'amount must be decimal text', state({ amount: 1 })],
    ['lookup', 'amount must be decimal text', state({ amount: '1e3' })],
    ['lookup', 'refundedAmount must be decimal text', state({ refundedAmount: '-1' })],
    ['lookup', 'currency must be a code of ISO 4217', state({ currency: 'euro' })],
    ['detach', 'outcome must be one of confirmed, not_found', {}],
    ['listCharges', 'charges must be a list', { next: null }],
    ['checkCredentials', 'answer must be accepted, refused or unknown', true],
    ['accountId', 'answer must be a text', 12],
    ['findReference', 'answer must be a text', null],
    ['parseNotification', 'answer must be an object', undefined],
    ['parseNotification', 'events must be a list', {}],
    ['parseNotification', 'events.0.id must be a text', event({ id: undefined })],
    ['parseNotification', 'events.0.status must be one of', event({ status: 'paid' })],
    ['parseNotification', 'events.0.match must have', event({ match: {} })],
    ['parseNotification', 'events.0.amount must be decimal text', event({ amount: 10 })],
    ['parseNotification', 'events.0.occurredAt must be a valid Date', event({ occurredAt: new Date('nonsense') })],
    ['parseNotification', 'events.0.data must be an object', event({ data: undefined })],
    ['parseNotification', 'events.0.dispute must be present', event({ status: 'disputed' })],
    ['parseNotification', 'events.0.declineCode must be a code', event({ status: 'failed', declineCode: 'No!' })],
    ['parseNotification', 'ask must be a list', { events: [], ask: 't1' }],
    [
      'parseNotification',
      'acknowledge.contentType must be',
      { events: [], acknowledge: { contentType: '\n', body: '' } },
    ],
  ])('refuses an answer to %s: %s', (call, fault, answer) => {
    expect(faultOf(call, answer)).toContain(`${call}: ${fault}`);
  });

  it.each<[keyof Answers, unknown]>([
    ['charge', { outcome: 'processing' }],
    ['charge', redirect('https://bank.example/step?x=1')],
    ['charge', redirect('http://127.0.0.1:3000/step')],
    ['charge', redirect('http://[::1]:3000/step')],
    ['charge', approved({ text: 'a literal \\u0000, and 😀' })],
    ['charge', { outcome: 'authorized', transactionId: 't1', captureBefore: new Date('2030-01-01') }],
    ['lookup', state({ capturedAmount: '0.5' })],
    ['void', refusedFor({ capturedAmount: '0.5' })],
    ['lookupOperation', refusedFor({})],
    ['lookupOperation', { outcome: 'not_found' }],
    ['findReference', undefined],
    ['accountId', null],
    ['parseNotification', event({ status: 'ignored', match: {} })],
  ])('returns a right answer to %s: %j', (call, answer) => {
    expect(faultOf(call, answer)).toEqual(answer);
  });

  it('cuts texts for people, and leaves out unknown fields and a card of another form', () => {
    expect(
      checkedAnswer('charge', { outcome: 'unavailable', reason: `\u0000${'x'.repeat(600)}`, secret: 1, card: '4' }),
    ).toEqual({ outcome: 'unavailable', reason: `\ufffd${'x'.repeat(499)}` });
  });

  it('names no more than ten faults, and nothing of the answer', () => {
    const events = Array.from({ length: 20 }, () => ({ ...event({ status: 'sk_live_x' }).events[0] }));
    const fault = faultOf('parseNotification', { events }) as string;
    expect(fault.split('; ')).toHaveLength(10);
    expect(fault).not.toContain('sk_live_x');
  });
});

describe('checkedProvider', () => {
  class Connector {
    readonly #answer: unknown;
    readonly name = 'acme';
    constructor(answer: unknown) {
      this.#answer = answer;
    }
    capabilities() {
      return { given: this.#answer };
    }
    charge() {
      return this.#answer;
    }
  }
  const checked = (answer: unknown) =>
    checkedProvider(Object.freeze(new Connector(answer)) as unknown as PaymentProvider);
  const request = (transactionId: string | null) => ({ transactionId }) as Parameters<PaymentProvider['charge']>[0];
  const charge = (answer: unknown, transactionId: string | null) =>
    checked(answer).charge(request(transactionId), new AbortController().signal);

  it('keeps the members of the provider, and adds no others', () => {
    const provider = checked('x');
    expect([provider.name, provider.capabilities({})]).toEqual(['acme', { given: 'x' }]);
    expect(provider).not.toHaveProperty('lookup');
    expect(provider).toHaveProperty('charge');
  });

  it('rejects instead of a malformed answer', async () => {
    await expect(charge(undefined, null)).rejects.toMatchObject({ code: 'malformed_answer', call: 'charge' });
  });

  it('takes a charge without an id only if the request had one', async () => {
    expect(await charge({ outcome: 'approved' }, 'ours')).toEqual({ outcome: 'approved' });
    await expect(charge({ outcome: 'approved' }, null)).rejects.toThrow('transactionId must be present with approved');
    expect(await charge({ outcome: 'processing' }, null)).toEqual({ outcome: 'processing' });
  });
});
