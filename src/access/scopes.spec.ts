import { describe, expect, it } from '@jest/globals';
import { SCOPES, sortScopes, splitScopes } from './scopes.js';

describe('scopes', () => {
  it.each([
    ['', []],
    ['   ', []],
    ['flows:read', ['flows:read']],
    [' flows:read  shops:write ', ['flows:read', 'shops:write']],
  ])('splitScopes splits %j', (text, names) => expect(splitScopes(text)).toEqual(names));

  it('sortScopes returns known names once and in a fixed order, and unknown names', () => {
    expect(sortScopes(['shops:write', 'admin', 'flows:read', 'shops:write', 'Flows:Read'])).toEqual({
      known: ['flows:read', 'shops:write'],
      unknown: ['admin', 'Flows:Read'],
    });
  });

  it('SCOPES has the scopes of the API', () => expect(sortScopes(SCOPES)).toEqual({ known: [...SCOPES], unknown: [] }));
});
