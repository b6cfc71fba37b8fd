import { expect, it } from '@jest/globals';
import { processingText } from './processing-text';

const NOW = Date.UTC(2026, 10, 21);
const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();
const FACTS = {
  ...{ status: 'processing' as const, capture_before: null, amount_authorized: 0, capture_pending: false },
  ...{ next_action: null, updated_at: inHours(-3) },
};
const ACTION = { type: 'redirect' as const, url: 'https://a.example', method: 'GET' as const };

it.each([
  [{}, 'waits for the provider for 3 hours'],
  [{ next_action: ACTION }, 'waits for the payer'],
  [{ amount_authorized: 5 }, 'authorised'],
  [{ amount_authorized: 5, capture_before: inHours(50) }, 'authorised, lapses in 2 days'],
  [{ amount_authorized: 5, capture_before: inHours(-1) }, 'authorised, has lapsed'],
  [{ amount_authorized: 5, capture_before: inHours(50), capture_pending: true }, 'capture under way'],
  [{ status: 'completed' as const }, undefined],
])('processingText of %j is %s', (facts, text) => {
  expect(processingText({ ...FACTS, ...facts }, NOW)).toBe(text);
});
