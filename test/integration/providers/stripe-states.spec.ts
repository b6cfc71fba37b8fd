import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DisputeKind, DisputeStatus, OperationState, ProviderEvent } from '@payment-orchestrator/provider-kit';
import type { StripeProvider } from '@payment-orchestrator/provider-stripe';
import type { FakeStripe } from '../../support/servers/fake-stripe.js';
import { signEvent } from '../../support/servers/stripe/stripe-events.js';
import type { FakeIntent, FakeRefund } from '../../support/servers/stripe/stripe-objects.js';
import {
  chargeRequest,
  CREDENTIALS,
  operationOn,
  SECRET_KEY,
  soon,
  startStripe,
  WEBHOOK_SECRET,
} from '../../support/providers/stripe-requests.js';

const OPENED = 1_795_000_000;
const DUE = OPENED + 700_000;
type EventStatus = ProviderEvent['status'];

/** All statuses of Stripe's API 2026-10-28.endive, its events about payments, and what each of them means to us. */
describe('the words of Stripe', () => {
  let fake: FakeStripe;
  let provider: StripeProvider;
  let stop: () => Promise<void>;
  const ledger = () => fake.account(SECRET_KEY).ledger;
  const parse = async (type: string, object: object, created = OPENED): Promise<ProviderEvent> => {
    const event = { id: 'evt_1', object: 'event', type, api_version: '2026-10-28.endive', created, data: { object } };
    const { events } = await provider.parseNotification(signEvent(event, WEBHOOK_SECRET), CREDENTIALS, soon());
    expect(events).toHaveLength(1);
    return events[0]!;
  };

  beforeAll(async () => {
    ({ fake, provider, stop } = await startStripe());
  });
  afterAll(() => stop());

  describe('about a PaymentIntent', () => {
    const intentOf = async (fields: Partial<FakeIntent>) => {
      const request = chargeRequest({ capture: 'manual' });
      const answer = await provider.charge(request, soon());
      const intent = ledger().intents.get(answer.transactionId!)!;
      Object.assign(intent, { amount_capturable: 0 }, fields);
      return { intent, operation: operationOn(request, answer) };
    };
    const lastError = { type: 'card_error', message: 'x', code: 'card_declined' } as const;

    it.each<[string, Partial<FakeIntent>, Record<string, unknown>]>([
      ['requires_payment_method', {}, { status: 'open' }],
      [
        'requires_payment_method',
        { last_payment_error: lastError },
        { status: 'declined', declineCode: 'card_declined' },
      ],
      ['requires_confirmation', {}, { status: 'open' }],
      ['requires_action', {}, { status: 'open' }],
      ['processing', {}, { status: 'open' }],
      ['requires_capture', {}, { status: 'authorized', captureBefore: expect.any(Date) }],
      ['canceled', {}, { status: 'voided' }],
      ['succeeded', { amount_received: 10010 }, { status: 'captured', capturedAmount: '100.1' }],
      ['succeeded', { amount_received: 4000 }, { status: 'captured', capturedAmount: '40' }],
    ])('an intent in its state %s %j is looked up as %j', async (status, fields, expected) => {
      const { operation } = await intentOf({ status: status as FakeIntent['status'], ...fields });
      expect(await provider.lookup(operation, soon())).toMatchObject({ amount: '100.1', ...expected });
    });

    const manual = { capture_method: 'manual' };
    it.each<[string, object, EventStatus, string | undefined]>([
      ['payment_intent.created', { status: 'requires_payment_method' }, 'ignored', undefined],
      ['payment_intent.processing', { status: 'processing' }, 'processing', '100.1'],
      ['payment_intent.requires_action', { status: 'requires_action' }, 'processing', '100.1'],
      ['payment_intent.partially_funded', { status: 'requires_action' }, 'ignored', undefined],
      [
        'payment_intent.amount_capturable_updated',
        { status: 'requires_capture', amount_capturable: 10010 },
        'authorized',
        '100.1',
      ],
      ['payment_intent.amount_capturable_updated', { status: 'succeeded' }, 'ignored', undefined],
      ['payment_intent.succeeded', { status: 'succeeded', amount_received: 4000 }, 'completed', '40'],
      ['payment_intent.payment_failed', { status: 'requires_payment_method' }, 'failed', '100.1'],
      ['payment_intent.canceled', { status: 'canceled', cancellation_reason: null }, 'cancelled', '100.1'],
      ...['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer', 'failed_invoice', 'void_invoice'].map(
        (why): [string, object, EventStatus, string] => [
          'payment_intent.canceled',
          { ...manual, cancellation_reason: why },
          'cancelled',
          '100.1',
        ],
      ),
      ['payment_intent.canceled', { ...manual, cancellation_reason: 'automatic' }, 'authorization_expired', '100.1'],
      ['payment_intent.canceled', { ...manual, cancellation_reason: 'expired' }, 'authorization_expired', '100.1'],
      [
        'payment_intent.canceled',
        { capture_method: 'automatic', cancellation_reason: 'expired' },
        'cancelled',
        '100.1',
      ],
    ])('the event %s %j becomes %s of %s', async (type, fields, status, amount) => {
      const { intent } = await intentOf({});
      const event = await parse(type, { ...intent, ...fields });
      expect([event.status, event.amount]).toEqual([status, amount]);
      expect(event.match).toMatchObject({ transactionId: intent.id, reference: intent.metadata['reference'] });
    });

    it.each([
      'charge.succeeded',
      'charge.captured',
      'charge.expired',
      'charge.failed',
      'charge.updated',
      'charge.pending',
    ])('the event %s is ignored, because another one reports the same', async (type) => {
      const { intent } = await intentOf({});
      expect(await parse(type, ledger().charges.get(intent.latest_charge!)!)).toMatchObject({ status: 'ignored' });
    });
  });

  describe('about a Refund', () => {
    const STATES: [FakeRefund['status'], OperationState['outcome'], EventStatus][] = [
      ['pending', 'pending', 'refund_pending'],
      ['requires_action', 'pending', 'refund_pending'],
      ['succeeded', 'confirmed', 'refunded'],
      ['failed', 'refused', 'refund_failed'],
      ['canceled', 'refused', 'refund_failed'],
    ];
    const refundOf = async (status: FakeRefund['status']) => {
      const request = chargeRequest();
      const answer = await provider.charge(request, soon());
      const refund = ledger().createRefund({ payment_intent: answer.transactionId!, amount: '4000' });
      refund.status = status;
      return { refund, operation: operationOn(request, answer) };
    };

    it.each(STATES)(
      'a refund in its state %s is looked up as %s, and its events are %s',
      async (status, outcome, said) => {
        const { refund, operation } = await refundOf(status);
        const found = await provider.lookupOperation({ ...operation, kind: 'refund', operationId: refund.id }, soon());
        expect(found).toMatchObject({ outcome, operationId: refund.id });
        for (const type of ['refund.created', 'refund.updated', 'charge.refund.updated'])
          expect(await parse(type, refund)).toMatchObject({
            status: said,
            operationId: refund.id,
            amount: '40',
            currency: 'EUR',
            match: { transactionId: operation.transactionId },
          });
      },
    );

    it('the event refund.failed is a failure in any state', async () => {
      const { refund } = await refundOf('succeeded');
      expect(await parse('refund.failed', refund)).toMatchObject({ status: 'refund_failed', operationId: refund.id });
    });

    it('a state that Stripe adds later is ignored', async () => {
      const { refund } = await refundOf('invented' as 'pending');
      expect(await parse('refund.updated', refund)).toMatchObject({ status: 'ignored' });
    });
  });

  describe('about a Dispute', () => {
    const dispute = (fields: object, details: object = {}, card: object = {}) => ({
      object: 'dispute',
      id: 'du_1',
      amount: 4000,
      charge: 'ch_1',
      created: OPENED,
      currency: 'eur',
      evidence: {},
      evidence_details: { due_by: DUE, submission_count: 1, ...details },
      metadata: {},
      network_reason_code: '13.1',
      payment_intent: 'pi_1',
      payment_method_details: { type: 'card', card: { case_type: 'chargeback', network_reason_code: '10.4', ...card } },
      reason: 'fraudulent',
      ...fields,
    });
    const UNANSWERED = { submission_count: 0 };

    it.each<[string, object, object, object, DisputeKind, DisputeStatus]>([
      ['warning_needs_response', {}, {}, { case_type: 'inquiry' }, 'inquiry', 'open'],
      ['warning_under_review', {}, {}, { case_type: 'inquiry' }, 'inquiry', 'under_review'],
      ['warning_closed', {}, {}, { case_type: 'inquiry' }, 'inquiry', 'won'],
      ['needs_response', {}, {}, {}, 'chargeback', 'open'],
      ['needs_response', {}, {}, { case_type: 'compliance' }, 'chargeback', 'open'],
      ['under_review', {}, {}, {}, 'chargeback', 'under_review'],
      ['appeal_needs_response', {}, {}, {}, 'pre_arbitration', 'open'],
      ['appeal_under_review', {}, {}, {}, 'pre_arbitration', 'under_review'],
      ['won', {}, {}, {}, 'chargeback', 'won'],
      ['won', { evidence: { appeal: { card: {} } } }, {}, {}, 'pre_arbitration', 'won'],
      ['lost', {}, {}, {}, 'chargeback', 'lost'],
      ['lost', { evidence: { appeal: { card: {} } } }, {}, {}, 'pre_arbitration', 'lost'],
      ['lost', {}, UNANSWERED, {}, 'chargeback', 'accepted'],
      ['lost', {}, { ...UNANSWERED, due_by: OPENED - 1 }, {}, 'chargeback', 'lost'],
      ['lost', {}, { ...UNANSWERED, due_by: 0 }, {}, 'chargeback', 'lost'],
      ['prevented', {}, UNANSWERED, { case_type: 'resolution' }, 'chargeback', 'accepted'],
      ['prevented', {}, UNANSWERED, { case_type: 'block' }, 'chargeback', 'won'],
      ['invented_later', {}, {}, {}, 'chargeback', 'open'],
    ])('a dispute in its state %s %j %j %j is: %s, %s', async (status, fields, details, card, kind, ours) => {
      const object = dispute({ status, ...fields }, details, card);
      for (const type of ['created', 'updated', 'funds_withdrawn', 'funds_reinstated'].map(
        (name) => `charge.dispute.${name}`,
      ))
        expect(await parse(type, object)).toMatchObject({
          status: 'disputed',
          match: { transactionId: 'pi_1' },
          dispute: { id: 'du_1', kind, status: ours },
        });
    });

    it('events of a dispute in one second are in the order of their statuses, then of their types', async () => {
      const occurredAt = async (type: string, status: string) =>
        (await parse(`charge.dispute.${type}`, dispute({ status }))).occurredAt!.getTime() - OPENED * 1_000;
      const times = [
        await occurredAt('created', 'warning_needs_response'),
        await occurredAt('created', 'needs_response'),
        await occurredAt('funds_withdrawn', 'needs_response'),
        await occurredAt('updated', 'invented_later'),
        await occurredAt('updated', 'appeal_needs_response'),
        await occurredAt('closed', 'lost'),
        await occurredAt('updated', 'won'),
        await occurredAt('closed', 'won'),
      ];
      expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
      expect([times[0], times.at(-1)! < 1_000]).toEqual([0, true]);
    });

    it('a dispute in charge.dispute.closed is final, also with a state that Stripe adds later', async () => {
      const status = async (word: string) =>
        (await parse('charge.dispute.closed', dispute({ status: word }))).dispute!.status;
      expect([await status('won'), await status('lost'), await status('invented_later')]).toEqual([
        'won',
        'lost',
        'lost',
      ]);
    });

    it('a dispute has its amount, reasons and dates', async () => {
      expect((await parse('charge.dispute.created', dispute({ status: 'needs_response' }))).dispute).toEqual({
        id: 'du_1',
        kind: 'chargeback',
        status: 'open',
        amount: '40',
        currency: 'EUR',
        reasonCode: 'fraudulent',
        networkReasonCode: '10.4',
        evidenceDueBy: new Date(DUE * 1_000),
        openedAt: new Date(OPENED * 1_000),
      });
    });

    it('a dispute of an older API version may have fewer fields', async () => {
      const old = { id: 'du_1', status: 'needs_response', amount: 4000, currency: 'eur', payment_intent: 'pi_1' };
      expect((await parse('charge.dispute.created', old)).dispute).toEqual({
        id: 'du_1',
        kind: 'chargeback',
        status: 'open',
        amount: '40',
        currency: 'EUR',
      });
    });

    it.each([{ amount: '40' }, { currency: undefined }, { status: 7 }])(
      'a dispute with %j is refused',
      async (fields) => {
        const object = dispute({ status: 'needs_response', ...fields });
        await expect(parse('charge.dispute.created', object)).rejects.toMatchObject({ code: 'validation_failed' });
      },
    );

    it('events report the whole life of a dispute', async () => {
      const { events } = fake.account(SECRET_KEY);
      const answer = await provider.charge(
        chargeRequest({ paymentMethod: { token: 'pm_card_createDisputeInquiry' } }),
        soon(),
      );
      const { disputes } = ledger();
      const { id } = [...disputes.all.values()].at(-1)!;
      disputes.escalate(id);
      disputes.submitEvidence(id);
      disputes.reject(id);
      disputes.submitEvidence(id);
      disputes.close(id, 'won');
      const sent = events.all.filter(({ data }) => data.object['id'] === id);
      const read: unknown[] = [];
      for (const { type, created, data } of sent) {
        const { match, dispute: { kind, status, amount } = {} } = await parse(type, data.object, created);
        expect([match.transactionId, amount]).toEqual([answer.transactionId, '100.1']);
        read.push([type.replace('charge.dispute.', ''), kind, status]);
      }
      expect(read).toEqual([
        ['created', 'inquiry', 'open'],
        ['updated', 'chargeback', 'open'],
        ['funds_withdrawn', 'chargeback', 'open'],
        ['updated', 'chargeback', 'under_review'],
        ['updated', 'pre_arbitration', 'open'],
        ['updated', 'pre_arbitration', 'under_review'],
        ['closed', 'pre_arbitration', 'won'],
        ['funds_reinstated', 'pre_arbitration', 'won'],
      ]);
    });

    it('an accepted dispute is recognised', async () => {
      await provider.charge(chargeRequest({ paymentMethod: { token: 'pm_card_createDispute' } }), soon());
      const { disputes } = ledger();
      const accepted = [...disputes.all.values()].at(-1)!;
      disputes.accept(accepted.id);
      const { type, created, data } = fake.account(SECRET_KEY).events.all.at(-1)!;
      expect(await parse(type, data.object, created)).toMatchObject({
        dispute: { id: accepted.id, status: 'accepted' },
      });
    });
  });
});
