import { expect, it } from '@jest/globals';
import { nameIn } from './people.service.js';

it.each([
  [{ name: 'Ada Lovelace', preferred_username: 'ada' }, 'Ada Lovelace'],
  [{ name: ' ', preferred_username: 'ada', email: 'ada@example.com' }, 'ada'],
  [{ email: 'ada@example.com' }, 'ada@example.com'],
  [{ name: 'A\u0000da\n' }, 'A da'],
  [{ name: 7 }, undefined],
])('nameIn finds the name of %j', (claims, name) => expect(nameIn(claims)).toBe(name));
