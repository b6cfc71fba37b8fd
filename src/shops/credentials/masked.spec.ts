import { expect, it } from '@jest/globals';
import { masked } from './masked.js';

it.each([
  ['masked shows the end of a long secret', 'sk_test_51abcdefghijklmnop', true, '…mnop'],
  ['masked shows nothing of a short secret', 'a-secret-of-16-ch', true, '…'],
  ['masked shows a value that is not secret', 'ShopECOM', false, 'ShopECOM'],
  ['masked returns null without a value', undefined, true, null],
  ['masked shows a switch that is on', true, false, 'true'],
  ['masked returns null for a value that is not text', 7, false, null],
])('%s', (_, value, isSecret, shown) => {
  expect(masked(value, { isSecret })).toBe(shown);
});
