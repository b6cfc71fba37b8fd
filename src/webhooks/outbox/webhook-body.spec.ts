import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { PAYMENT_COLUMNS, renderWebhookBody, type WebhookBodyInput } from './webhook-body.js';

const input: WebhookBodyInput = {
  timestamp: new Date('2026-11-21T01:02:03.456Z'),
  payment: {
    flow_id: 3, // out of order on purpose
    id: 42,
    payment_session_id: 'ps_1',
    provider_transaction_id: 'sbx_1',
    amount: 99.9,
    currency: 'EUR',
    status: 'completed',
    country: 'DE',
    payment_provider: 'sandbox',
    created_at: '2026-11-21T01:00:00.000Z',
    updated_at: '2026-11-21T01:02:03.456Z',
    expires_at: '2026-11-21T01:30:00.000Z',
    amount_authorized: 99.9,
    amount_captured: 99.9,
    amount_refunded: 0,
  },
  customer: {
    id: 7,
    last_name: 'Lovelace',
    email: 'ada@example.com',
    phone: '+49301234',
    first_name: 'Ada',
    full_name: 'Ada Lovelace',
    address: 'Street 1',
    city: 'Berlin',
    region: 'BE',
    postal_code: '10115',
    country_code: 'DE',
    date_of_birth: '1990-12-10',
    gender: 'female',
    company: 'Engines Ltd',
    vat_number: 'DE1',
  },
  shop: { id: 5, name: 'Shop' },
  metadata: { order: 'A-1' },
  providerMetadata: { token: 'tok_success' },
  originalWebhook: {
    provider: 'sandbox',
    data: { id: 'evt_1' },
    processedAt: new Date('2026-11-21T01:02:03.400Z'),
  },
};

describe('renderWebhookBody', () => {
  it('renders all fields in the order of the specification', () => {
    expect(renderWebhookBody(input)).toBe(
      '{"event":"payment.status_changed","timestamp":"2026-11-21T01:02:03.456Z",' +
        '"payment":{"id":42,"payment_session_id":"ps_1","provider_transaction_id":"sbx_1","amount":99.9,"currency":"EUR",' +
        '"status":"completed","country":"DE","payment_provider":"sandbox","flow_id":3,"created_at":"2026-11-21T01:00:00.000Z",' +
        '"updated_at":"2026-11-21T01:02:03.456Z","expires_at":"2026-11-21T01:30:00.000Z",' +
        '"amount_authorized":99.9,"amount_captured":99.9,"amount_refunded":0},' +
        '"customer":{"id":7,"email":"ada@example.com","phone":"+49301234","first_name":"Ada","last_name":"Lovelace",' +
        '"full_name":"Ada Lovelace","address":"Street 1","city":"Berlin","region":"BE","postal_code":"10115",' +
        '"country_code":"DE","date_of_birth":"1990-12-10","gender":"female","company":"Engines Ltd","vat_number":"DE1"},' +
        '"shop":{"id":5,"name":"Shop"},"metadata":{"order":"A-1"},"provider_metadata":{"token":"tok_success"},' +
        '"original_webhook":{"provider":"sandbox","data":{"id":"evt_1"},"processed_at":"2026-11-21T01:02:03.400Z"}}',
    );
  });

  it('omits unknown optional fields, and renders other unknown fields as null', () => {
    const body = renderWebhookBody({
      ...input,
      payment: {
        id: 1,
        payment_session_id: 'ps_2',
        amount: 1,
        currency: 'USD',
        status: 'failed',
        payment_provider: 'sandbox',
        flow_id: 1,
        created_at: '2026-11-21T01:00:00.000Z',
        updated_at: '2026-11-21T01:02:03.456Z',
        expires_at: '2026-11-21T01:30:00.000Z',
        amount_authorized: 0,
        amount_captured: 0,
        amount_refunded: 0,
      },
      customer: null,
      metadata: null,
      providerMetadata: {},
      originalWebhook: undefined,
    });
    expect(body).toBe(
      '{"event":"payment.status_changed","timestamp":"2026-11-21T01:02:03.456Z",' +
        '"payment":{"id":1,"payment_session_id":"ps_2","provider_transaction_id":null,"amount":1,"currency":"USD",' +
        '"status":"failed","country":null,"payment_provider":"sandbox","flow_id":1,"created_at":"2026-11-21T01:00:00.000Z",' +
        '"updated_at":"2026-11-21T01:02:03.456Z","expires_at":"2026-11-21T01:30:00.000Z",' +
        '"amount_authorized":0,"amount_captured":0,"amount_refunded":0},"customer":null,"shop":{"id":5,"name":"Shop"},"provider_metadata":{}}',
    );
  });

  it('renders unknown required fields of a customer as null', () => {
    const body = renderWebhookBody({ ...input, customer: { id: 7, city: 'Berlin' } });
    expect(body).toContain('"customer":{"id":7,"email":null,"first_name":null,"last_name":null,"city":"Berlin"},');
  });

  it('escapes NUL and lone surrogates, which a text column refuses', () => {
    const body = renderWebhookBody({ ...input, metadata: { note: 'a\u0000b\ud800c' } });
    expect(body).toContain('a\\u0000b\\ud800c');
  });

  it.each(['genuine', 'empty-optional-parts', 'unusual-json'])('renders the payment like the vector %s', (name) => {
    const file = new URL(`../../../packages/vectors/${name}.json`, import.meta.url);
    const { body } = JSON.parse(readFileSync(file, 'utf8')) as { body: string };
    expect(Object.keys((JSON.parse(body) as { payment: object }).payment)).toEqual(PAYMENT_COLUMNS);
  });
});
