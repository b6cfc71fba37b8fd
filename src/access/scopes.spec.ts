import { describe, expect, it } from '@jest/globals';
import { SCOPES, sortScopes, splitScopes } from './scopes.js';

describe('scopes', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['flows:read', ['flows:read']],
    [' flows:read  shops:write ', ['flows:read', 'shops:write']],
  ])('splits %j', (text, names) => expect(splitScopes(text)).toEqual(names));

  it('sorts names into known ones, each once and in a fixed order, and unknown ones', () => {
    expect(sortScopes(['shops:write', 'admin', 'flows:read', 'shops:write', 'Flows:Read'])).toEqual({
      known: ['flows:read', 'shops:write'],
      unknown: ['admin', 'Flows:Read'],
    });
  });

  it('knows the scopes of the API', () => expect(sortScopes(SCOPES)).toEqual({ known: [...SCOPES], unknown: [] }));
});
