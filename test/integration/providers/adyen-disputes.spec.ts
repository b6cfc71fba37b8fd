import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataOf, type Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';

describe('disputes at Adyen, over HTTP', () => {
  let api: ProviderApi;
  let merchant: Merchant;
  const account = () => api.adyen.account(MERCHANT_ACCOUNT);
  const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 10, minute)).toISOString();

  beforeAll(async () => {
    api = await sharedProviderApi();
    merchant = await api.merchantAt('adyen');
  });
  afterAll(() => api.stop());

  it('a dispute is one object from its notice to its second chargeback, and leaves the status', async () => {
    const payment = await merchant.pay('checkout', { payment_method: { token: 'shopper-1/AUTHORISED' } });
    const held = account().ledger.find(payment.provider_transaction_id);
    const codes = { chargebackReasonCode: '10.4', chargebackSchemeCode: 'visa' };
    const pspReference = account().ledger.dispute(held, 'NOTIFICATION_OF_CHARGEBACK', {
      additionalData: { ...codes, disputeStatus: 'Undefended', defensePeriodEndsAt: '2026-12-01T00:00:00+01:00' },
      eventDate: at(1),
    });
    const reaches = (expected: object) =>
      eventually(async () =>
        expect(dataOf<object[]>(await merchant.api.get(`/payments/${payment.id}/disputes`))).toMatchObject([expected]),
      );
    await reaches({
      provider_dispute_id: pspReference,
      kind: 'chargeback',
      status: 'open',
      amount: 49.9,
      network_reason_code: '10.4',
      evidence_due_by: '2026-11-30T23:00:00.000Z',
    });
    const report = (eventCode: string, minute: number) =>
      account().ledger.dispute(held, eventCode, { pspReference, eventDate: at(minute) });
    report('INFORMATION_SUPPLIED', 2);
    await reaches({ status: 'under_review' });
    report('CHARGEBACK_REVERSED', 3);
    report('SECOND_CHARGEBACK', 4);
    await reaches({ status: 'lost', kind: 'chargeback' });
    report('PREARBITRATION_WON', 5);
    await reaches({ status: 'won', kind: 'pre_arbitration' });
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', disputed_amount: 0 });
  });

  it('a dispute that names only the payment’s pspReference is one of the payment', async () => {
    const payment = await merchant.pay('checkout', { payment_method: { token: 'shopper-1/AUTHORISED' } });
    const held = account().ledger.find(payment.provider_transaction_id);
    const { pspReference } = held;
    const report = (eventCode: string, minute: number) =>
      account().ledger.dispute(held, eventCode, {
        pspReference,
        originalReference: '',
        merchantReference: '',
        eventDate: at(minute),
      });
    report('CHARGEBACK', 1);
    report('SECOND_CHARGEBACK', 2);
    await eventually(async () =>
      expect(dataOf<object[]>(await merchant.api.get(`/payments/${payment.id}/disputes`))).toMatchObject([
        { provider_dispute_id: pspReference, status: 'lost', amount: 49.9 },
      ]),
    );
  });
});
