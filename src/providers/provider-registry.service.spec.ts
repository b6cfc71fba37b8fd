import { describe, expect, it } from '@jest/globals';
import type { PaymentProvider } from '@payment-orchestrator/provider-kit';
import { ProviderRegistry } from './provider-registry.service.js';

const registry = new ProviderRegistry([{ name: 'acme' } as PaymentProvider], ['gone']);

describe('ProviderRegistry', () => {
  it.each([
    ['acme', true, true, undefined],
    ['gone', false, true, 'dependency_unavailable'],
    ['other', false, false, 'provider_not_found'],
  ])('%s: loaded %s, known %s, throws %s', (name, has, isKnown, code) => {
    expect([registry.has(name), registry.isKnown(name)]).toEqual([has, isKnown]);
    const get = () => registry.get(name).name;
    if (code === undefined) expect(get()).toBe(name);
    else expect(get).toThrow(expect.objectContaining({ code }));
  });
});
