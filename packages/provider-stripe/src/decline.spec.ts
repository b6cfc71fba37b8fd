import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { DECLINE_CODES } from '@payment-orchestrator/provider-kit';
import { STRIPE_DECLINES } from './decline.js';

describe("Stripe's decline codes", () => {
  it('match the table in docs/integrate/providers.md', () => {
    const page = readFileSync(new URL('../../../docs/integrate/providers.md', import.meta.url), 'utf8');
    const section = page.split(/^## /m).find((text) => text.startsWith('Stripe\n')) ?? '';
    const rows = [...section.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| (hard|soft) +\|$/gm)];
    const documented = Object.fromEntries(rows.map(([, stripe = '', ours, kind]) => [stripe, [kind, ours]]));
    expect(documented).toEqual(STRIPE_DECLINES);
  });

  it('each code of ours is one of the kit', () => {
    expect(DECLINE_CODES).toEqual(expect.arrayContaining(Object.values(STRIPE_DECLINES).map(([, code]) => code)));
  });
});
