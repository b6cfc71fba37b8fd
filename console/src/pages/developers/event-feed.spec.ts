import { describe, expect, it } from '@jest/globals';
import type { Schema } from '@payment-orchestrator/client';
import { EMPTY_FEED, eventSummary, MAX_EVENTS, paused, received, resumed, withHistory } from './event-feed';

const event = (id: string, fields: Partial<Schema<'Event'>> = {}): Schema<'Event'> => ({
  id,
  type: 'payment.status_changed',
  created_at: '2026-11-22T00:00:00.000Z',
  shop_id: 1,
  payment_id: 2,
  data: {},
  ...fields,
});
const ids = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id);

describe('the event feed', () => {
  it('shows each event once, newest first', () => {
    const feed = [event('a'), event('b'), event('a')].reduce(received, EMPTY_FEED);
    expect(ids(feed.shown)).toEqual(['b', 'a']);
  });

  it('puts past events after the live ones', () => {
    const feed = withHistory(received(EMPTY_FEED, event('c')), [event('a'), event('b'), event('c')]);
    expect(ids(feed.shown)).toEqual(['c', 'b', 'a']);
  });

  it('puts missed events between the events before and after them', () => {
    const at = (second: number): string => `2026-11-22T00:00:0${second}.000Z`;
    const seen = [event('a', { created_at: at(1) }), event('c', { created_at: at(3) })].reduce(received, EMPTY_FEED);
    expect(ids(withHistory(seen, [event('b', { created_at: at(2) })]).shown)).toEqual(['c', 'b', 'a']);
  });

  it('holds new events while it is paused, and shows them afterwards', () => {
    const feed = received(paused(received(EMPTY_FEED, event('a'))), event('b'));
    expect([ids(feed.shown), ids(feed.held)]).toEqual([['a'], ['b']]);
    expect(resumed(feed)).toMatchObject({ held: [], isPaused: false });
    expect(ids(resumed(feed).shown)).toEqual(['b', 'a']);
  });

  it('holds missed events as well while it is paused', () => {
    const at = (second: number): string => `2026-11-22T00:00:0${second}.000Z`;
    const feed = paused(received(EMPTY_FEED, event('b', { created_at: at(2) })));
    const caughtUp = withHistory(feed, [event('a', { created_at: at(1) }), event('c', { created_at: at(3) })]);
    expect([ids(caughtUp.shown), ids(caughtUp.held)]).toEqual([['b'], ['c', 'a']]);
    expect(ids(received(caughtUp, event('c')).held)).toEqual(['c', 'a']);
    expect(ids(resumed(caughtUp).shown)).toEqual(['c', 'b', 'a']);
  });

  it('keeps a limited number of events', () => {
    const many = Array.from({ length: MAX_EVENTS + 5 }, (_, index) => event(String(index)));
    expect(many.reduce(received, EMPTY_FEED).shown).toHaveLength(MAX_EVENTS);
    expect(many.reduce(received, paused(EMPTY_FEED)).held).toHaveLength(MAX_EVENTS);
  });
});

describe('eventSummary', () => {
  it.each([
    [event('a', { data: { payment: { status: 'completed' } } }), 'completed'],
    [event('a'), ''],
    [
      event('a', {
        type: 'delivery.failed',
        data: { webhook_endpoint: 'https://x.example', attempts: 10, last_error: 'timeout' },
      }),
      'https://x.example after 10 attempts: timeout',
    ],
    [event('a', { type: 'shop.down', data: { provider: 'sandbox' } }), 'sandbox'],
    [event('a', { type: 'flow.activated', data: { flow_name: 'checkout', version: 5 } }), 'checkout, version 5'],
    [event('a', { type: 'flow.renamed', data: { flow_name: 'new', previous_name: 'old' } }), 'old, now new'],
    [event('a', { type: 'payment.amounts_changed', data: { cause: 'refund_created' } }), 'refund_created'],
    [event('a', { type: 'operation.stuck', data: { kind: 'capture', amount: 5, currency: 'EUR' } }), 'capture, 5 EUR'],
    [event('a', { type: 'refund.updated', data: { status: 'failed', amount: 5, currency: 'EUR' } }), 'failed, 5 EUR'],
    [event('a', { type: 'endpoint.failing', data: { webhook_endpoint: 'https://x.example' } }), 'https://x.example'],
  ])('summarizes %j', (given, text) => {
    expect(eventSummary(given)).toBe(text);
  });
});
