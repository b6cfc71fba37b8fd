import { expect, it } from '@jest/globals';
import { masked } from './masked.js';

it.each([
  ['shows a long secret by its end', 'sk_test_51abcdefghijklmnop', true, '…mnop'],
  ['shows nothing of a short secret', 'a-secret-of-16-ch', true, '…'],
  ['shows what is no secret in full', 'ShopECOM', false, 'ShopECOM'],
  ['says that there is none', undefined, true, null],
  ['says the same of what is no text', 7, false, null],
])('%s', (_, value, isSecret, shown) => {
  expect(masked(value, { isSecret })).toBe(shown);
});
