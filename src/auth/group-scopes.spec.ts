import { describe, expect, it } from '@jest/globals';
import { ROLES } from '../access/roles.js';
import { groupScopes } from './group-scopes.js';
import { nameIn } from './people.service.js';

const ofGroups = groupScopes({ groups: { help: 'support', 'Payment Admins': 'owner' }, team: { help: 'finance' } });

describe('groupScopes', () => {
  it.each([
    [{ groups: ['help', 'others'] }, ROLES.support.scopes],
    [{ groups: 'Payment Admins' }, ROLES.owner.scopes],
    [{ groups: ['help'], team: ['help'] }, [...ROLES.support.scopes, ...ROLES.finance.scopes]],
    [{ groups: ['Help', 'toString', 7, null] }, []],
    [{ groups: { help: true } }, []],
    [{}, []],
  ])('gives the scopes of the roles of %j', (claims, scopes) => expect(ofGroups(claims)).toEqual(scopes));

  it('refuses an unknown role at the start', () => {
    expect(() => groupScopes({ groups: { help: 'admin' } })).toThrow(
      "AUTH_ROLES: got the role 'admin', takes the roles support, finance, manager, developer, owner",
    );
  });
});

it.each([
  [{ name: 'Ada Lovelace', preferred_username: 'ada' }, 'Ada Lovelace'],
  [{ name: ' ', preferred_username: 'ada', email: 'ada@example.com' }, 'ada'],
  [{ email: 'ada@example.com' }, 'ada@example.com'],
  [{ name: 'A\u0000da\n' }, 'A da'],
  [{ name: 7 }, undefined],
])('nameIn finds the name of %j', (claims, name) => expect(nameIn(claims)).toBe(name));
