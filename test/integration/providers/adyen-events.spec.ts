import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import type { ProviderEvent } from '@payment-orchestrator/provider-kit';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT, startAdyen } from '../../support/providers/adyen-requests.js';
import { type FakeItem, signItems, signTokenEvent } from '../../support/servers/adyen/adyen-webhooks.js';

type Status = ProviderEvent['status'];

const REFERENCE = '3f1f9f43-6d6c-4c4e-8b39-0d6d3f6f0b11';
const PAYMENT = 'PAYMENTREFERENCE';
const OWN = 'OWNREFERENCE0001';

/** The example notifications of https://github.com/Adyen/adyen-openapi (json/Webhooks-v1.json), as far as they are read. */
const EXAMPLES = JSON.parse(
  readFileSync(new URL('../../support/providers/adyen-examples.json', import.meta.url), 'utf8'),
) as FakeItem[];

/** The status of each documented event code: with success, and without. */
const EVENTS: Readonly<Record<string, [Status, Status]>> = {
  AUTHORISATION: ['authorized', 'failed'],
  CAPTURE: ['completed', 'capture_failed'],
  CAPTURE_FAILED: ['capture_failed', 'ignored'],
  CANCELLATION: ['cancelled', 'void_failed'],
  TECHNICAL_CANCEL: ['cancelled', 'void_failed'],
  EXPIRE: ['authorization_expired', 'ignored'],
  OFFER_CLOSED: ['failed', 'ignored'],
  MANUAL_REVIEW_REJECT: ['cancelled', 'ignored'],
  POSTPONED_REFUND: ['refund_pending', 'ignored'],
  REFUND: ['refunded', 'refund_failed'],
  REFUND_FAILED: ['refund_failed', 'ignored'],
  REFUNDED_REVERSED: ['refund_failed', 'ignored'],
  CANCEL_OR_REFUND: ['refunded', 'ignored'],
  REQUEST_FOR_INFORMATION: ['disputed', 'ignored'],
  NOTIFICATION_OF_CHARGEBACK: ['disputed', 'ignored'],
  DISPUTE_OPENED_WITH_CHARGEBACK: ['disputed', 'ignored'],
  CHARGEBACK: ['disputed', 'ignored'],
  CHARGEBACK_REVERSED: ['disputed', 'ignored'],
  SECOND_CHARGEBACK: ['disputed', 'ignored'],
  INFORMATION_SUPPLIED: ['disputed', 'ignored'],
  DISPUTE_DEFENSE_PERIOD_ENDED: ['disputed', 'ignored'],
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: ['disputed', 'ignored'],
  PREARBITRATION_OPEN: ['disputed', 'ignored'],
  PREARBITRATION_ACCEPTED: ['disputed', 'ignored'],
  PREARBITRATION_DECLINED: ['disputed', 'ignored'],
  PREARBITRATION_ISSUER_WITHDRAWN: ['disputed', 'ignored'],
  PREARBITRATION_WON: ['disputed', 'ignored'],
  PREARBITRATION_LOST: ['disputed', 'ignored'],
  SCHEME_ARBITRATION: ['disputed', 'ignored'],
  SCHEME_ARBITRATION_WON: ['disputed', 'ignored'],
  SCHEME_ARBITRATION_LOST: ['disputed', 'ignored'],
  ...Object.fromEntries(
    `ACH_NOTIFICATION_OF_CHANGE AUTHENTICATION AUTHORISATION_ADJUSTMENT AUTORESCUE AUTORESCUE_NEXT_ATTEMPT CANCEL_AUTORESCUE DIRECT_DEBIT_NOTICE_OF_CHANGE HANDLED_EXTERNALLY ISSUER_COMMENTS
    MANUAL_REVIEW_ACCEPT NOTIFICATION_OF_FRAUD ORDER_CLOSED ORDER_OPENED PAIDOUT_REVERSED PAYOUT_DECLINE PAYOUT_EXPIRE
    PAYOUT_THIRDPARTY RECURRING_CONTRACT REFUND_WITH_DATA REPORT_AVAILABLE VOID_PENDING_REFUND`
      .split(/\s+/)
      .map((code): [string, [Status, Status]] => [code, ['ignored', 'ignored']]),
  ),
};

/** Adyen's examples with more than the status of their event code. */
const EXPECTED: Readonly<Record<string, object>> = {
  CANCEL_OR_REFUND: { status: 'cancelled' },
  NOTIFICATION_OF_CHARGEBACK: {
    kind: 'chargeback',
    status: 'under_review', // defended by Adyen
    networkReasonCode: '4853',
    reasonCode: 'mc_4853',
  },
  CHARGEBACK: {
    kind: 'chargeback',
    status: 'open',
    networkReasonCode: '4853',
    evidenceDueBy: new Date('2021-07-31T03:03:07+02:00'),
  },
  CHARGEBACK_REVERSED: { kind: 'chargeback', status: 'under_review' },
  SECOND_CHARGEBACK: { kind: 'chargeback', status: 'lost', reasonCode: 'jcb_502' },
  REQUEST_FOR_INFORMATION: { kind: 'inquiry', status: 'open' },
  INFORMATION_SUPPLIED: { kind: 'chargeback', status: 'under_review', amount: '100', currency: 'USD' },
  DISPUTE_DEFENSE_PERIOD_ENDED: { kind: 'chargeback', status: 'lost', reasonCode: 'visa_10.4' },
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: { kind: 'chargeback', status: 'won' },
  PREARBITRATION_WON: { kind: 'pre_arbitration', status: 'won' },
  PREARBITRATION_LOST: { kind: 'pre_arbitration', status: 'lost' },
};

describe('events of Adyen', () => {
  let provider: AdyenProvider;
  let stop: () => Promise<void>;
  const parse = async (item: FakeItem): Promise<ProviderEvent> => {
    const { events } = await provider.parseNotification(signItems([item], HMAC_KEY), ADYEN_CREDENTIALS);
    return events[0]!;
  };
  const itemOf = (eventCode: string, fields: Partial<FakeItem> = {}): FakeItem => ({
    additionalData: {},
    amount: { value: 1_000, currency: 'EUR' },
    eventCode,
    eventDate: '2026-11-01T10:00:00+01:00',
    merchantAccountCode: MERCHANT_ACCOUNT,
    merchantReference: REFERENCE,
    originalReference: PAYMENT,
    paymentMethod: 'visa',
    pspReference: OWN,
    reason: '',
    success: 'true',
    ...fields,
  });
  const disputeOf = async (eventCode: string, additionalData: Record<string, string> = {}) =>
    (await parse(itemOf(eventCode, { additionalData }))).dispute;

  beforeAll(async () => {
    ({ provider, stop } = await startAdyen());
  });
  afterAll(() => stop());

  it.each(Object.entries(EVENTS))('%s is read as %j', async (eventCode, [done, failed]) => {
    const read = [await parse(itemOf(eventCode)), await parse(itemOf(eventCode, { success: 'false' }))];
    expect(read.map(({ status }) => status)).toEqual([done, failed]);
    expect(read.map(({ match }) => match)).toEqual(read.map(() => ({ transactionId: PAYMENT, reference: REFERENCE })));
  });

  it.each(EXAMPLES.map((example): [string, FakeItem] => [example.eventCode, example]))(
    'the example of %s in Adyen’s reference is read',
    async (eventCode, example) => {
      const merchantReference = REFERENCE;
      const event = await parse({ ...example, merchantReference, merchantAccountCode: MERCHANT_ACCOUNT });
      const [done, failed] = EVENTS[eventCode]!;
      const expected: { status?: string } = EXPECTED[eventCode] ?? {};
      const isDispute = done === 'disputed';
      expect(event.status).toBe(
        isDispute ? 'disputed' : (expected.status ?? (example.success === 'true' ? done : failed)),
      );
      if (isDispute) expect(event.dispute).toMatchObject({ id: example.pspReference, ...expected });
      expect(event.match.reference).toBe(REFERENCE);
      expect(Number(event.amount)).toBe(example.amount.value / 100);
      expect(Math.floor(event.occurredAt!.getTime() / 1_000)).toBe(Date.parse(example.eventDate) / 1_000);
    },
  );

  it.each([
    ['CAPTURE'],
    ['CAPTURE_FAILED'],
    ['CANCELLATION'],
    ['TECHNICAL_CANCEL'],
    ['POSTPONED_REFUND'],
    ['REFUND'],
    ['REFUND_FAILED'],
    ['REFUNDED_REVERSED'],
  ])('%s has the id of its request, and without an original finds the payment by our reference', async (code) => {
    expect(await parse(itemOf(code))).toMatchObject({ operationId: OWN, amount: '10', currency: 'EUR' });
    expect((await parse(itemOf(code, { originalReference: '' }))).match).toEqual({ reference: REFERENCE });
  });

  it.each([
    ['visa', '2026-11-29T09:00:00.000Z'],
    ['cartebancaire', '2026-11-13T09:00:00.000Z'],
  ])('an authorisation with %s ends when Adyen ends it', async (paymentMethod, until) => {
    const { captureBefore } = await parse(itemOf('AUTHORISATION', { originalReference: '', paymentMethod }));
    expect(captureBefore?.toISOString()).toBe(until);
  });

  it.each([
    ['NOTIFICATION_OF_CHARGEBACK', 'Undefended', 'open'],
    ['NOTIFICATION_OF_CHARGEBACK', 'Pending', 'under_review'],
    ['CHARGEBACK', 'Accepted', 'accepted'],
    ['CHARGEBACK', 'Lost', 'lost'],
    ['CHARGEBACK_REVERSED', 'Won', 'under_review'], // a second chargeback may follow
    ['REQUEST_FOR_INFORMATION', 'Responded', 'under_review'],
    ['REQUEST_FOR_INFORMATION', 'Expired', 'lost'],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', 'Accepted', 'accepted'],
    ['PREARBITRATION_OPEN', 'a status of another version', 'open'],
  ])('a dispute reported by %s with the status %s is %s', async (code, disputeStatus, status) => {
    expect((await disputeOf(code, { disputeStatus }))?.status).toBe(status);
  });

  it('a dispute about evidence for a request for information stays an inquiry', async () => {
    expect(await disputeOf('INFORMATION_SUPPLIED', { disputeStatus: 'Responded' })).toMatchObject({ kind: 'inquiry' });
    expect(await disputeOf('INFORMATION_SUPPLIED', { disputeStatus: 'Pending' })).toMatchObject({ kind: 'chargeback' });
  });

  it('an event that tells no status only announces the dispute', async () => {
    const codes = ['NOTIFICATION_OF_CHARGEBACK', 'DISPUTE_OPENED_WITH_CHARGEBACK', 'CHARGEBACK', 'PREARBITRATION_OPEN'];
    const announced = async (data: Record<string, string>) =>
      Promise.all(codes.map(async (code) => (await disputeOf(code, data))?.isAnnouncement ?? false));
    expect(await announced({})).toEqual([true, true, true, false]);
    expect(await announced({ disputeStatus: 'Undefended' })).toEqual([false, false, false, false]);
    expect(await announced({ autoDefended: 'true' })).toEqual([false, false, false, false]);
  });

  it('a dispute that cannot be defended has no date until which it can be', async () => {
    const defensePeriodEndsAt = '2026-12-01T00:00:00+01:00';
    const due = await disputeOf('CHARGEBACK', { defensePeriodEndsAt });
    expect(due?.evidenceDueBy?.toISOString()).toBe('2026-11-30T23:00:00.000Z');
    expect(await disputeOf('CHARGEBACK', { defensePeriodEndsAt, defendable: 'false' })).not.toHaveProperty(
      'evidenceDueBy',
    );
    expect(await disputeOf('CHARGEBACK', { defensePeriodEndsAt: 'soon' })).not.toHaveProperty('evidenceDueBy');
  });

  it('a dispute that reports its event again later reports another event', async () => {
    const [first, repeated, later] = await Promise.all([
      parse(itemOf('CHARGEBACK')),
      parse(itemOf('CHARGEBACK')),
      parse(itemOf('CHARGEBACK', { eventDate: '2026-11-02T10:00:00+01:00' })),
    ]);
    expect(repeated.id).toBe(first.id);
    expect(later.id).not.toBe(first.id);
  });

  it.each(['ACH_NOTIFICATION_OF_CHANGE', 'DIRECT_DEBIT_NOTICE_OF_CHANGE'])(
    '%s without an amount is acknowledged',
    async (eventCode) => {
      const { amount: _, originalReference: __, ...notice } = itemOf(eventCode, { merchantReference: '' });
      const { events, acknowledge } = await provider.parseNotification(
        signItems([notice as FakeItem], HMAC_KEY),
        ADYEN_CREDENTIALS,
      );
      expect(events).toMatchObject([{ status: 'ignored', match: { transactionId: OWN } }]);
      expect(acknowledge).toMatchObject({ body: '[accepted]' });
    },
  );

  // the form of https://github.com/Adyen/adyen-openapi (json/Webhooks-v1.json): no items, and no `eventId`
  it.each(['ach.notificationOfChange', 'eft.notificationOfChange', 'a.type.of.tomorrow'])(
    '%s, signed as a whole, is acknowledged',
    async (type) => {
      const data = { pspReference: OWN, shopperReference: 'shopper-1', notificationOfChange: { reasonCode: 'C07' } };
      const event = { type, version: '1', createdAt: '2021-01-01T01:00:00+01:00', environment: 'test', data };
      const read = (sent: object, key = HMAC_KEY) =>
        provider.parseNotification(signTokenEvent(sent, key), ADYEN_CREDENTIALS);
      expect(await read(event)).toEqual({ events: [], acknowledge: { contentType: 'text/plain', body: '[accepted]' } });
      await expect(read(event, 'AB'.repeat(32))).rejects.toMatchObject({ code: 'invalid_signature' });
      await expect(read({ ...event, type: 7 })).rejects.toMatchObject({ code: 'validation_failed' });
    },
  );

  it.each(['AUTHORISATION', 'REFUND', 'CHARGEBACK'])('%s without an amount is refused', async (eventCode) => {
    const { amount: _, ...item } = itemOf(eventCode);
    const signed = signItems([item as FakeItem], HMAC_KEY);
    await expect(provider.parseNotification(signed, ADYEN_CREDENTIALS)).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });

  it('a dispute of another merchant account is not kept, and one without our references may be ours', async () => {
    const unnamed = { merchantReference: 'order-4711', originalReference: '' };
    const item = itemOf('CHARGEBACK', unnamed);
    expect(await parse(item)).toMatchObject({ status: 'disputed', match: { transactionId: item.pspReference } });
    const other = itemOf('CHARGEBACK', { ...unnamed, merchantAccountCode: 'Other' });
    expect((await parse(other)).status).toBe('ignored');
  });
});
