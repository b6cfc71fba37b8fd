import { describe, expect, it } from '@jest/globals';
import { ROLES } from './roles.js';
import { groupScopes } from './group-scopes.js';

const scopesByGroups = groupScopes({
  groups: { help: 'support', 'Payment Admins': 'owner' },
  team: { help: 'finance' },
});

describe('groupScopes', () => {
  it.each([
    [{ groups: ['help', 'others'] }, ROLES.support.scopes],
    [{ groups: 'Payment Admins' }, ROLES.owner.scopes],
    [{ groups: ['help'], team: ['help'] }, [...ROLES.support.scopes, ...ROLES.finance.scopes]],
    [{ groups: ['Help', 'toString', 7, null] }, []],
    [{ groups: { help: true } }, []],
    [{}, []],
  ])('gives the scopes of the roles of %j', (claims, scopes) => expect(scopesByGroups(claims)).toEqual(scopes));

  it('refuses an unknown role at the start', () => {
    expect(() => groupScopes({ groups: { help: 'admin' } })).toThrow(
      "AUTH_ROLES: got the role 'admin', takes the roles support, finance, manager, developer, owner",
    );
  });
});
