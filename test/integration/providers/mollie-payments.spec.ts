import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargeRequest, IncomingNotification } from '@payment-orchestrator/provider-kit';
import { eventually } from '../../support/eventually.js';
import { MOLLIE_CREDENTIALS, mollieCharge, startMollie } from '../../support/providers/mollie-requests.js';
import { soon } from '../../support/providers/stripe-requests.js';
import { unprocessable } from '../../support/servers/mollie/mollie-objects.js';

const incoming = (text: string): IncomingNotification => ({
  shopId: 1,
  query: {},
  headers: {},
  rawBody: Buffer.from(text),
});

describe('the connector of Mollie, beyond the conformance', () => {
  let started: Awaited<ReturnType<typeof startMollie>>;
  beforeAll(async () => {
    started = await startMollie();
  });
  afterAll(() => started.stop());

  async function begin(fields: Partial<ChargeRequest> = {}) {
    const request = mollieCharge(fields);
    const answer = await started.provider.charge(request, soon());
    const transactionId = answer.transactionId ?? null;
    const later = (more: object = {}) => ({
      ...request,
      transactionId,
      operationId: null,
      idempotencyKey: randomUUID(),
      chargeIdempotencyKey: null,
      reason: undefined,
      ...more,
    });
    return { request, answer, later, payment: () => started.account.record(answer.transactionId).payment };
  }

  it('sends the payer to Mollie with the reference and the address for notifications', async () => {
    const notificationUrl = 'http://127.0.0.1:1/notifications';
    const { request, answer, payment } = await begin({ paymentMethod: undefined, notificationUrl });
    expect(answer).toMatchObject({ outcome: 'processing', nextAction: { type: 'redirect', method: 'GET' } });
    expect(payment()).toMatchObject({
      method: null,
      webhookUrl: notificationUrl,
      metadata: { reference: request.reference, payment_id: request.paymentId },
    });
  });

  it.each<[ChargeRequest['paymentMethod'], object]>([
    [{ type: 'ideal' }, { method: 'ideal', sequenceType: 'oneoff' }],
    [{ type: 'bancontact' }, { method: 'bancontact' }],
    [{ type: 'of the merchant' }, { method: null }],
    [{ type: 'ideal', data: { method: 'kbc' } }, { method: 'kbc' }],
    [{ token: 'tkn_3ds' }, { method: 'creditcard' }],
  ])('takes %j', async (paymentMethod, expected) => {
    const { answer, payment } = await begin({ paymentMethod });
    expect(answer.outcome).toBe('processing');
    expect(payment()).toMatchObject({ ...expected, amount: { currency: 'EUR', value: '100.10' } });
  });

  it('refuses data that would change the amount or an address, by name', () => {
    const data = { method: 'kbc', amount: { value: '0.01' }, webhookUrl: 'https://other.example', locale: 7 };
    const fields = started.provider.paymentMethodErrors(data).map(({ field }) => field);
    expect(fields).toEqual(['amount', 'webhookUrl', 'locale']);
  });

  it.each<[ChargeRequest['paymentMethod'], Partial<ChargeRequest>, string]>([
    [{ token: 'tkn_of_another_profile' }, {}, 'payment_method_unusable'],
    [{ token: 'cst_unknown/mdt_unknown' }, {}, 'payment_method_unusable'],
    [{ type: 'sepa_debit' }, {}, 'payment_method_unusable'],
    [{ type: 'ideal' }, { returnUrl: undefined }, 'request_refused'],
    [{ type: 'ideal' }, { capture: 'manual' }, 'request_refused'],
    [{ type: 'ideal' }, { currency: 'KWD' }, 'currency_not_supported'],
    [{ type: 'ideal' }, { amount: '0.001' }, 'invalid_amount'],
  ])('lets another shop charge: %j %j is %s', async (paymentMethod, fields, declineCode) => {
    const { answer } = await begin({ paymentMethod, ...fields });
    expect(answer).toMatchObject({ outcome: 'soft_declined', declineCode });
  });

  it('makes a mandate with iDEAL, charges it by direct debit without the payer, and revokes it', async () => {
    const first = await begin({ paymentMethod: { type: 'ideal' }, save: true });
    expect(first.payment()).toMatchObject({ sequenceType: 'first', customerId: expect.stringMatching(/^cst_/) });
    started.account.settle(first.answer.transactionId, 'paid');
    const state = await started.provider.lookup(first.later(), soon());
    const { token } = (state as { savedMethod: { token: string } }).savedMethod;
    expect(token).toMatch(/^cst_\w+\/mdt_\w+$/);

    const fields = { paymentMethod: { token }, returnUrl: undefined, initiator: 'merchant' } as const;
    const next = await begin(fields);
    expect(next.answer).toMatchObject({ outcome: 'processing' });
    expect(next.answer).not.toHaveProperty('nextAction');
    expect(next.payment()).toMatchObject({ method: 'directdebit', sequenceType: 'recurring' });

    const detach = () => started.provider.detach({ token, credentials: MOLLIE_CREDENTIALS }, soon());
    expect(await detach()).toEqual({ outcome: 'confirmed' });
    expect(await detach()).toEqual({ outcome: 'not_found' });
    expect((await begin(fields)).answer).toMatchObject({ declineCode: 'payment_method_unusable' });
  });

  it.each([
    [{ failureReason: 'possible_fraud' }, { status: 'declined', declineCode: 'fraudulent' }],
    [{ bankReasonCode: 'AM04' }, { status: 'declined', declineCode: 'insufficient_funds' }],
    [{ bankReasonCode: 'XX99' }, { status: 'declined', declineCode: 'xx99' }],
    [{}, { status: 'declined', declineCode: 'payment_attempt_failed' }],
  ])('tells why a payment failed: %j', async (details, expected) => {
    const { answer, later } = await begin({ paymentMethod: { type: 'ideal' } });
    started.account.settle(answer.transactionId, 'failed', details);
    expect(await started.provider.lookup(later(), soon())).toMatchObject(expected);
  });

  it('voids a payment whose answer got lost, by its reference among newer ones', async () => {
    const request = mollieCharge({ paymentMethod: { type: 'bank_transfer' } });
    started.wire.loseNext();
    await expect(started.provider.charge(request, soon())).rejects.toThrow();
    for (let count = 0; count < 250; count++) await begin({ paymentMethod: undefined });
    const voided = await started.provider.void({ ...request, transactionId: null, chargeIdempotencyKey: null }, soon());
    expect(voided).toEqual({ outcome: 'confirmed' });
    const found = started.account
      .transactions()
      .filter(({ metadata }) => metadata?.['reference'] === request.reference);
    expect(found).toMatchObject([{ status: 'canceled' }]);
  });

  it.each(['ideal', 'bancontact'])(
    'refuses to cancel %s while it waits for its payer, and says what it is',
    async (type) => {
      const { later } = await begin({ paymentMethod: { type } });
      expect(await started.provider.void(later(), soon())).toMatchObject({
        outcome: 'refused',
        retryable: true,
        charge: { status: 'open', nextAction: { type: 'redirect' } },
      });
    },
  );

  it('releases an authorisation, which Mollie carries out later', async () => {
    const { answer, later, payment } = await begin({ capture: 'manual' });
    const release = await started.provider.void(later(), soon());
    expect(release).toEqual({ outcome: 'pending', operationId: answer.transactionId });
    await eventually(() => expect(payment()).toMatchObject({ status: 'canceled' }));
    expect(await started.provider.void(later(), soon())).toEqual({ outcome: 'confirmed' });
  });

  it('captures once when a capture is repeated after Mollie has forgotten its key', async () => {
    const { later } = await begin({ capture: 'manual' });
    const capture = later({ amount: '60.00', authorizedAmount: '100.10' });
    const first = await started.provider.capture({ ...capture, authorizedAmount: '100.10' }, soon());
    started.wire.answerNext(422, unprocessable().body, { line: /captures$/ });
    expect(await started.provider.capture({ ...capture, authorizedAmount: '100.10' }, soon())).toEqual(first);
  });

  it('finds a refund by the key of its call, and refunds only the rest of a reversal', async () => {
    const { later, answer } = await begin();
    const part = { ...later({ amount: '40.10' }), kind: 'refund' } as const;
    const { operationId } = await started.provider.refund(part, soon());
    expect(await started.provider.lookupOperation(part, soon())).toMatchObject({ operationId });
    expect(await started.provider.lookupOperation({ ...part, idempotencyKey: randomUUID() }, soon())).toEqual({
      outcome: 'not_found',
    });
    const rest = await started.provider.refund({ ...later(), isRest: true }, soon());
    const { refunds } = started.account.record(answer.transactionId);
    expect(refunds.map(({ id, amount }) => [id, amount.value])).toEqual([
      [operationId, '40.10'],
      [rest.operationId, '60.00'],
    ]);
    expect(await started.provider.refund({ ...later(), isRest: true }, soon())).toEqual({ outcome: 'confirmed' });
  });

  it('believes nothing in a notification but the id, and no id that Mollie does not know', async () => {
    const { answer } = await begin({ paymentMethod: { type: 'ideal' } });
    const parse = (text: string) => started.provider.parseNotification(incoming(text), MOLLIE_CREDENTIALS, soon());
    const ask = [answer.transactionId];
    expect(await parse(`id=${answer.transactionId}&status=paid`)).toEqual({ events: [], ask });
    expect(await parse('id=tr_unknown')).toEqual({ events: [], ask: ['tr_unknown'] });
    for (const text of ['', 'id=', 'id=../profiles/me', '{"id":"tr_1"}'])
      await expect(parse(text)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('lists charges from the newest until a time, with the references that are ours', async () => {
    const { request, answer } = await begin();
    const account = { shopId: 1, credentials: MOLLIE_CREDENTIALS };
    const list = (since: Date) => started.provider.listCharges(account, since, null, soon());
    expect((await list(new Date(Date.now() - 3_600_000))).charges[0]).toMatchObject({
      reference: request.reference,
      paymentId: request.paymentId,
      transactionId: answer.transactionId,
      status: 'captured',
    });
    expect(await list(new Date(Date.now() + 60_000))).toEqual({ charges: [], next: null });
  });

  it.each([
    [200, {}, 'unknown'],
    [401, {}, 'refused'],
    [503, {}, 'unknown'],
  ])('takes %d %j for credentials that are %s', async (status, body, outcome) => {
    started.wire.answerNext(status, body);
    expect(await started.provider.checkCredentials(MOLLIE_CREDENTIALS, soon())).toMatchObject({ outcome });
  });
});
