import { expect, it } from '@jest/globals';
import { segmentRates, segmentText } from './segment';

const segment = {
  values: { 'card.scheme': 'visa', country: null },
  rates: [
    [7, 1, 18, 2, 19.2, 3.1],
    [8, 0, 0, 0, 1.5, 1],
  ],
};

it('a segment is shown with its fields and unknown values', () => {
  expect(segmentText(segment)).toBe('card scheme visa, country unknown');
});

it('the rates of shops are shown with the level that decided', () => {
  expect(segmentRates(segment, (id) => `Shop ${id}`)).toBe(
    'Shop 7 90 % of 20 (card scheme); Shop 8 no results (all payments)',
  );
});
