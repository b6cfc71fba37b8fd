import { describe, expect, it } from '@jest/globals';
import { renderSampleBody } from '../outbox/sample-payload.js';
import { EVENT_TYPES, type EventType } from '../event-types/event-catalogue.js';
import { exampleOf } from '../event-types/sample-event.js';
import { renderChatMessage } from './chat-message.js';

const textOf = (body: unknown): string => {
  const message = JSON.parse(renderChatMessage(JSON.stringify(body))) as Record<string, string>;
  expect(Object.keys(message)).toEqual(['text']);
  return message.text!;
};

/** The message of each type's example, without the mark of a test. */
const MESSAGES: Record<EventType, string> = {
  'payment.status_changed': '*Payment completed* · 100.50 USD · sandbox · shop 3 (Berlin) · payment 0',
  'payment.amounts_changed':
    '*Amounts changed: refund created* · captured 49.90 EUR · refunded 10.00 EUR · refund 815 · shop 3 · payment 0',
  'payment.late_charge':
    '*Late charge, which the service refunds* · 49.90 EUR · charged by sandbox · the payment is cancelled · shop 3 · payment 0',
  'capture.failed':
    '*Capture failed* · operation 24 · 39.90 EUR · sandbox · reason capture_failed · shop 3 · payment 0',
  'authorization.lapsing':
    '*Authorisation lapses within a day* · 49.90 EUR · sandbox · capture before 2026-11-22T01:02:03.456Z · shop 3 · payment 0',
  'refund.created': '*Refund requested* · refund 815 · 10.00 EUR · shop 3 · payment 0',
  'refund.updated': '*Refund succeeded* · refund 815 · 10.00 EUR · shop 3 · payment 0',
  'dispute.opened':
    '*Chargeback opened* · dispute 42 · 49.90 EUR · sandbox · reason fraudulent · evidence due by 2026-12-01T23:59:59.000Z · shop 3 · payment 0',
  'dispute.updated':
    '*Chargeback is under review* · dispute 42 · 49.90 EUR · sandbox · reason fraudulent · evidence due by 2026-12-01T23:59:59.000Z · shop 3 · payment 0',
  'dispute.due':
    '*Chargeback needs evidence within two days* · dispute 42 · 49.90 EUR · sandbox · reason fraudulent · evidence due by 2026-11-23T01:02:03.456Z · shop 3 · payment 0',
  'dispute.closed': '*Chargeback won* · dispute 42 · 49.90 EUR · sandbox · reason fraudulent · shop 3 · payment 0',
  'operation.stuck':
    '*Refund has no known outcome* · operation 23 · 10.00 EUR · sandbox · 9 tries since 2026-11-21T00:45:10.000Z · last answer unknown · shop 3 · payment 0',
  'shop.down': '*Shop Berlin is down and gets no payments* · sandbox · 9 failed, 1 declined, 2 approved · shop 3',
  'shop.up':
    '*Shop Berlin is up again* · sandbox · down from 2026-11-21T00:45:10.000Z to 2026-11-21T01:02:03.456Z · shop 3',
  'approvals.fell': '*Approvals of visa fell at Berlin* · 71.0 % in 24 hours, 92.0 % before · 240 attempts · shop 3',
  'delivery.failed':
    '*Webhook payment.status_changed failed for good* · delivery 91 · https://shop.example · 4 attempts · last answer 500 · shop 3 · payment 0',
  'endpoint.failing':
    '*Webhook endpoint is failing* · https://shop.example (endpoint 5) · since 2026-11-21T00:45:10.000Z · last error timeout',
  'endpoint.recovered':
    '*Webhook endpoint has recovered* · https://shop.example (endpoint 5) · it was failing since 2026-11-21T00:45:10.000Z',
  'endpoint.disabled':
    '*Webhook endpoint is disabled until you resume it* · https://shop.example (endpoint 5) · it answered 410',
  'approval.requested': '*Approval requested: version 5 of flow checkout* · flow 2 · by client_0c8c1d1e6f0a',
  'flow.activated': '*Version 5 of flow checkout is active* · flow 2 · before: version 4',
  'flow.rolled_back': '*Flow checkout is back at version 4: a guardrail was crossed* · flow 2 · before: version 5',
  'flow.renamed': '*Flow checkout is now called checkout-eu* · flow 2',
};

describe('renderChatMessage', () => {
  it.each(EVENT_TYPES)('tells a person what %s means', (type) => {
    expect(textOf(exampleOf(type))).toBe(`[test] ${MESSAGES[type]}`);
  });

  it.each(EVENT_TYPES)('renders %s without fields that are missing or of another kind', (type) => {
    for (const data of [undefined, null, {}, { amount: 'x', currency: 7, kind: [], status: {} }]) {
      const text = textOf({ event: type, shop_id: 3, payment_id: null, data });
      expect(text).toMatch(/^\*.+\*/);
      expect(text).not.toMatch(/undefined|null|\[object|NaN/);
    }
  });

  it('contains no data of the customer and no metadata', () => {
    const body = renderSampleBody({ id: 3, name: 'Berlin', provider: 'sandbox' }, new Date(0));
    const text = textOf(JSON.parse(body));
    for (const personal of ['jane', 'Jane', '+1202', 'Springfield', 'TEST-0001', '1990'])
      expect(text).not.toContain(personal);
  });

  it('escapes what Slack would take for a mention, a link or a line', () => {
    const shop = { id: 3, name: '<!channel> & <https://evil.example|Berlin>\n*' };
    const payment = { id: 17, status: 'failed', amount: 1200, currency: 'JPY', payment_provider: 'sandbox' };
    expect(textOf({ event: 'payment.status_changed', shop, payment })).toBe(
      '*Payment failed* · 1200 JPY · sandbox · ' +
        'shop 3 (&lt;!channel&gt; &amp; &lt;https://evil.example|Berlin&gt; *) · payment 17',
    );
  });

  it.each([
    [{ event: 'payment.status_changed', shop: { id: 3 }, payment: { id: 17 } }, '/payments/17'],
    [{ event: 'dispute.due', shop_id: 3, payment_id: 17, data: { id: 42 } }, '/payments/17'],
    [{ event: 'shop.down', shop_id: 3, payment_id: null, data: {} }, '/shops/3'],
    [{ event: 'delivery.failed', shop_id: 3, payment_id: 17, data: { delivery_id: 91 } }, '/deliveries/91'],
    [{ event: 'endpoint.failing', shop_id: null, payment_id: null, data: { endpoint_id: 5 } }, '/endpoints/5'],
    [{ event: 'flow.renamed', shop_id: null, payment_id: null, data: { flow_id: 2 } }, '/flows/2'],
    [{ event: 'approval.requested', data: { flow_id: 2, version: 5 } }, '/flows/2/proposals/5'],
    [{ event: 'approvals.fell', shop_id: 3, data: { card_scheme: null } }, '/approvals?cell=3&value='],
  ])('ends with a link into the console: %j', (body, path) => {
    const url = 'https://pay.example/console';
    const { text } = JSON.parse(renderChatMessage(JSON.stringify(body), url)) as { text: string };
    expect(text).toMatch(/ · <[^<>]+\|open>$/);
    expect(text).toContain(`<${url}${path}|open>`);
  });

  it('a message has no link for a sample, for what has no page, and without an address of the console', () => {
    const url = 'https://pay.example/console';
    for (const body of [
      exampleOf('shop.down'),
      { event: 'endpoint.failing', shop_id: null, payment_id: null, data: { endpoint_id: null } },
      { event: 'constructor.x', payment_id: '17' },
    ])
      expect(renderChatMessage(JSON.stringify(body), url)).not.toContain('|open>');
  });

  it('cuts long values', () => {
    const data = { shop_name: 'x'.repeat(5_000), provider: 'sandbox', failed: 1, declined: 0, approved: 0 };
    expect(textOf({ event: 'shop.down', shop_id: 3, payment_id: null, data }).length).toBeLessThan(400);
  });

  it('names a type of a later version', () => {
    expect(textOf({ event: 'payment.teleported', shop_id: 3, payment_id: 17, data: {} })).toBe(
      '*payment.teleported* · shop 3 · payment 17',
    );
    expect(textOf({ event: 'toString', shop_id: null, payment_id: null })).toBe('*toString*');
  });

  it('gives the same bytes for the same body', () => {
    const body = JSON.stringify(exampleOf('dispute.opened'));
    expect(renderChatMessage(body)).toBe(renderChatMessage(body));
  });
});
