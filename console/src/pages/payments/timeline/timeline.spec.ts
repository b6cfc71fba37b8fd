import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { type Story, timelineOf } from './timeline';

const at = (ms: number): string => new Date(Date.UTC(2026, 10, 21) + ms).toISOString();
const shop = { id: 3, name: 'Berlin' };
const PAYMENT = { id: 17, created_at: at(0), flow_id: 1, payment_session_id: 'ps_1' } as Schema<'Payment'>;
const ATTEMPT: Schema<'PaymentAttempt'> = {
  number: 1,
  shop,
  provider: 'sandbox',
  provider_transaction_id: 'tx',
  outcome: 'approved',
  decline_code: null,
  card: null,
  started_at: at(0),
  ended_at: at(9),
};
const OPERATION = {
  id: 1,
  kind: 'charge',
  amount: 49.9,
  currency: 'EUR',
  cause: 'payment',
  attempt: 1,
  provider: 'sandbox',
  state: 'confirmed',
  next_try_at: null,
  created_at: at(0),
  updated_at: at(9),
} as Schema<'PaymentOperation'>;
const DELIVERY = {
  id: 90,
  payment_status: 'completed',
  status: 'failed',
  webhook_endpoint: 'https://m.example/',
  attempt_count: 3,
  last_status_code: null,
  last_error: 'timeout',
  created_at: at(9),
} as Schema<'Delivery'>;
const NOTHING: Story = {
  history: [],
  attempts: [],
  operations: [],
  notifications: [],
  deliveries: [],
  refunds: [],
  disputes: [],
  settlements: [],
};

const NAMES = { flow: 'Flow checkout', accountOf: (shopId: number) => (shopId === 3 ? 'eu' : undefined) };
const titles = (story: Partial<Story>) =>
  timelineOf(PAYMENT, { ...NOTHING, ...story }, NAMES).map(({ title }) => title);
const last = (story: Partial<Story>) => timelineOf(PAYMENT, { ...NOTHING, ...story }, NAMES).at(-1)!;

describe('the timeline of a payment', () => {
  it('sorts all entries by time, and entries of the same time by cause and effect', () => {
    const story: Partial<Story> = {
      history: [
        { from: 'pending', to: 'processing', at: at(9), cause: 'provider_answer' },
        { from: 'processing', to: 'completed', at: at(10), cause: 'provider_answer' },
      ],
      attempts: [ATTEMPT],
      operations: [OPERATION],
      notifications: [],
      deliveries: [DELIVERY],
    };
    expect(titles(story)).toEqual([
      'Payment created',
      'Charge requested from sandbox (Berlin)',
      'Attempt 1 with Berlin',
      'Attempt 1 with Berlin ended',
      'Status: pending → processing',
      'Webhook: payment is completed',
      'Status: processing → completed',
    ]);
  });

  it('marks an attempt that has no outcome yet', () => {
    const attempts = [{ ...ATTEMPT, outcome: null, ended_at: null }];
    expect(last({ attempts }).meaning).toContain('no outcome');
  });

  it('names the account of an attempt and the provider’s facts about the card', () => {
    const attempts = [{ ...ATTEMPT, card: { scheme: 'visa', last4: '1111', issuer_country: 'FR' } }];
    const [, begun, ended] = timelineOf(PAYMENT, { ...NOTHING, attempts }, NAMES);
    expect(begun!.facts).toContainEqual(['Account', 'eu']);
    expect(ended!.facts).toEqual([
      ['Card', 'visa •••• 1111'],
      ['Issuer country', 'FR'],
    ]);
  });

  it('says when an open operation is not retried', () => {
    expect(last({ operations: [{ ...OPERATION, state: 'unknown' }] }).meaning).toContain('No further retries');
    const retried = { ...OPERATION, state: 'unknown', next_try_at: at(20) } as const;
    expect(last({ operations: [retried] }).meaning).not.toContain('No further retries');
  });

  it('says why a notification was not applied', () => {
    const notification = {
      id: 1,
      provider: 'sandbox',
      status: 'failed',
      outcome: 'ignored',
      reason: 'payment_is_completed',
      received_at: at(20),
    } as Schema<'Notification'>;
    expect(last({ notifications: [notification] }).meaning).toContain('The payment was completed.');
  });

  it('links to the delivery and shows its last error', () => {
    const entry = last({ deliveries: [DELIVERY] });
    expect(entry.to).toBe('/deliveries/90');
    const refund = { ...DELIVERY, event: 'refund.updated', payment_status: null } as const;
    expect(last({ deliveries: [refund] }).title).toBe('Webhook: refund updated');
    expect(entry.facts).toContainEqual(['Last answer', 'timeout']);
  });

  it('names the authorisation and the capture of a payment that is captured later', () => {
    const manual = { ...PAYMENT, capture: 'manual' } as const;
    const operations = [OPERATION, { ...OPERATION, id: 2, kind: 'capture', created_at: at(20) } as const];
    const entries = timelineOf(manual, { ...NOTHING, attempts: [ATTEMPT], operations }, NAMES);
    expect(entries.map(({ title }) => title)).toEqual([
      'Payment created',
      'Authorisation requested from sandbox (Berlin)',
      'Attempt 1 with Berlin',
      'Attempt 1 with Berlin ended',
      'Capture requested from sandbox (Berlin)',
    ]);
    expect(entries[3]!.meaning).toContain('holds the amount');
  });

  it('shows a charge after the end differently from a status change', () => {
    const history = [{ from: 'cancelled', to: 'cancelled', at: at(5), cause: 'charged_after_end' } as const];
    expect(titles({ history })).toContain('Status stays cancelled');
  });
});
