import { describe, expect, it } from '@jest/globals';
import { ROLES, rolesWith, scopesOf } from './roles.js';

describe('roles', () => {
  it('scopesOf gives the scopes of the role as it is now, or its own if there is no role that this build knows', () => {
    expect(scopesOf({ role: 'support', scopes: ['audit:read'] })).toEqual(ROLES.support.scopes);
    expect(scopesOf({ role: null, scopes: ['shops:read', 'admin', 'flows:read'] })).toEqual([
      'flows:read',
      'shops:read',
    ]);
    expect(scopesOf({ role: 'auditor', scopes: ['audit:read'] })).toEqual(['audit:read']);
    expect(scopesOf({ role: 'toString', scopes: [] })).toEqual([]);
  });

  it('only owners give rights, and only they and developers read webhook secrets', () => {
    expect(rolesWith('clients:write')).toEqual(['owner']);
    expect(rolesWith('webhooks:secrets')).toEqual(['developer', 'owner']);
  });
});
