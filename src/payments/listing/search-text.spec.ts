import { expect, it } from '@jest/globals';
import { readSearch } from './search-text.js';

it.each([
  ['A-1001', { text: 'a-1001', amounts: [] }],
  ['49.90', { text: '49.90', amounts: ['49.90'] }],
  ['49,90 EUR', { text: '49,90 eur', amounts: ['49.90'], currency: 'EUR' }],
  ['€ 49,90', { text: '€ 49,90', amounts: ['49.90'], currency: 'EUR' }],
  ['1.240,50', { text: '1.240,50', amounts: ['1240.50'] }],
  ["1'240.50 chf", { text: "1'240.50 chf", amounts: ['1240.50'], currency: 'CHF' }],
  ['1,240', { text: '1,240', amounts: ['1.240', '1240'] }],
  ['1234', { text: '1234', amounts: ['1234'], last4: '1234' }],
  ['12 mm', { text: '12 mm', amounts: [] }],
  ['ada@example', { text: 'ada@example', amounts: [] }],
])('readSearch reads %s', (given, expected) => expect(readSearch(given)).toEqual(expected));
