import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import createProvider from './connector.js';
import { mollieFixture } from './fixture.js';

const HOUR_AGO = new Date(Date.now() - 3_600_000);
const soon = () => AbortSignal.timeout(20_000);
const incoming = (text) => ({ shopId: 1, query: {}, headers: {}, rawBody: Buffer.from(text) });

/** The connector's calls, each of which Mollie answers so. */
function answering(statusCode, body) {
  const http = { call: () => Promise.resolve({ statusCode, headers: {}, body: Buffer.from(JSON.stringify(body)) }) };
  const provider = createProvider({ http, settings: {} });
  return {
    charge: (...of) => provider.charge(...of),
    checkCredentials: (...of) => provider.checkCredentials(...of),
  };
}

describe('the connector of Mollie, beyond the conformance', () => {
  let fixture;
  before(async () => {
    fixture = await mollieFixture();
  });
  after(() => fixture.stop());

  const begin = async (wanted, fields) => {
    const request = fixture.request(wanted, fields);
    const answer = await fixture.provider.charge(request, soon());
    const { transactionId = null } = answer;
    const later = (more) => ({ ...request, transactionId, operationId: null, idempotencyKey: randomUUID(), ...more });
    return { request, answer, later };
  };

  it('sends the payer to the page of Mollie, and sends the reference and the address for notifications', async () => {
    const notificationUrl = 'http://127.0.0.1:1/notifications';
    const { request, answer } = await begin('approved', { paymentMethod: undefined, notificationUrl });
    assert.equal(answer.outcome, 'processing');
    assert.match(answer.nextAction.url, /\/checkout\/tr_/);
    const { payment } = fixture.fake.record(answer.transactionId);
    assert.deepEqual([payment.webhookUrl, payment.metadata.reference], [notificationUrl, request.reference]);
  });

  it('takes fields of a payment method from data, but no amount and no address', async () => {
    const data = { method: 'ideal', amount: { currency: 'EUR', value: '0.01' }, webhookUrl: 'https://other.example' };
    const { answer } = await begin('approved', { paymentMethod: { data } });
    const { payment } = fixture.fake.record(answer.transactionId);
    assert.deepEqual([payment.method, payment.amount.value, payment.webhookUrl], ['ideal', '100.10', undefined]);
  });

  it('lets another shop charge if the token is not of this profile', async () => {
    const { answer } = await begin('approved', { paymentMethod: { token: 'tkn_other' } });
    assert.deepEqual([answer.outcome, answer.declineCode], ['soft_declined', 'payment_method_unusable']);
  });

  for (const [field, declineCode] of [
    ['amount', 'invalid_amount'],
    ['customerId', 'payment_method_unusable'],
    ['redirectUrl', 'request_refused'],
    [undefined, 'request_refused'],
  ]) {
    it(`blames no account for a refusal of ${field}`, async () => {
      const { charge } = answering(422, { status: 422, field });
      const answer = await charge(fixture.request('approved'), soon());
      assert.deepEqual([answer.outcome, answer.declineCode], ['soft_declined', declineCode]);
    });
  }

  it('accepts credentials only for a profile', async () => {
    const { checkCredentials } = answering(200, {});
    assert.equal((await checkCredentials(fixture.credentials, soon())).outcome, 'unknown');
    assert.equal((await fixture.provider.checkCredentials(fixture.credentials, soon())).outcome, 'accepted');
  });

  it('voids a payment whose answer got lost, by its reference among newer ones', async () => {
    const request = fixture.request('next_action');
    fixture.wire.loseNext();
    await assert.rejects(fixture.provider.charge(request, soon()));
    for (let count = 0; count < 250; count++) await begin('next_action', { attemptedAt: HOUR_AGO });
    const { outcome } = await fixture.provider.void({ ...request, transactionId: null }, soon());
    assert.equal(outcome, 'confirmed');
    assert.deepEqual(
      (await fixture.held(request.reference)).map(({ status }) => status),
      ['voided'],
    );
  });

  it('refuses to void a payment that cannot be cancelled, and may be asked again', async () => {
    const { later } = await begin('processing');
    const { outcome, retryable } = await fixture.provider.void(later(), soon());
    assert.deepEqual([outcome, retryable], ['refused', true]);
  });

  it('captures once when a capture is repeated after Mollie has forgotten its key', async () => {
    const { later } = await begin('approved', { capture: 'manual' });
    const capture = later({ amount: '60.00', authorizedAmount: '100.10' });
    const first = await fixture.provider.capture(capture, soon());
    fixture.fake.server.injectFault(
      { when: 'before', what: { status: 422, body: { status: 422 } } },
      { path: /captures$/ },
    );
    assert.deepEqual(await fixture.provider.capture(capture, soon()), first);
  });

  it('finds a refund by the key of its call, and refunds only the rest of a reversal', async () => {
    const { later } = await begin('approved');
    const part = later({ kind: 'refund', amount: '40.10' });
    const { operationId } = await fixture.provider.refund(part, soon());
    const found = await fixture.provider.lookupOperation(part, soon());
    assert.equal(found.operationId, operationId);
    assert.deepEqual(await fixture.provider.lookupOperation(later({ kind: 'refund' }), soon()), {
      outcome: 'not_found',
    });
    const rest = await fixture.provider.refund(later({ isRest: true }), soon());
    const { refunds } = fixture.fake.record(part.transactionId);
    assert.deepEqual(
      refunds.map(({ id, amount }) => [id, amount.value]),
      [
        [operationId, '40.10'],
        [rest.operationId, '60.00'],
      ],
    );
    assert.deepEqual(await fixture.provider.refund(later({ isRest: true }), soon()), { outcome: 'confirmed' });
  });

  it('believes nothing in a notification but the id, and no id that Mollie does not know', async () => {
    const { answer } = await begin('next_action');
    const parse = (text) => fixture.provider.parseNotification(incoming(text), fixture.credentials, soon());
    const ask = [answer.transactionId];
    assert.deepEqual(await parse(`id=${answer.transactionId}&status=paid`), { events: [], ask });
    assert.deepEqual(await parse('id=tr_unknown'), { events: [], ask: ['tr_unknown'] });
    for (const text of ['', 'id=', 'id=../profiles/me', '{"id":"tr_1"}'])
      await assert.rejects(parse(text), { code: 'validation_failed' });
  });

  it('lists charges from the newest until a time, with the references that are ours', async () => {
    const { request, answer } = await begin('approved');
    const account = { shopId: 1, credentials: fixture.credentials };
    const { charges } = await fixture.provider.listCharges(account, HOUR_AGO, null, soon());
    const { reference, paymentId, transactionId, status } = charges[0];
    assert.deepEqual(
      [reference, paymentId, transactionId, status],
      [request.reference, request.paymentId, answer.transactionId, 'captured'],
    );
    const none = await fixture.provider.listCharges(account, new Date(Date.now() + 60_000), null, soon());
    assert.deepEqual(none, { charges: [], next: null });
  });

  it('refuses credentials that Mollie does not know', async () => {
    const answer = await fixture.provider.checkCredentials({ api_key: `live_${'x'.repeat(30)}` }, soon());
    assert.equal(answer.outcome, 'refused');
  });
});
