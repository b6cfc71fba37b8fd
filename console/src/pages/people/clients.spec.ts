import { expect, it } from '@jest/globals';
import { missingFor, rightsBody, roleLabel, roleMeaning } from './clients';
import { ROLE_NAMES } from '../../api/rights';

it('rightsBody has scopes only without a role, in the order of the table', () => {
  expect(rightsBody({ role: 'support', scopes: ['audit:read'] })).toEqual({ role: 'support' });
  expect(rightsBody({ role: 'custom', scopes: ['audit:read', 'flows:read'] })).toEqual({
    role: 'custom',
    scopes: ['flows:read', 'audit:read'],
  });
});

it('missingFor has the rights that one cannot give', () => {
  expect(missingFor(['audit:read', 'clients:write'], ['audit:read'])).toEqual(['clients:write']);
});

it('every role of the service has words', () => {
  for (const role of ROLE_NAMES)
    expect([roleLabel(role), roleMeaning(role)]).toEqual([expect.any(String), expect.any(String)]);
});
