import { describe, expect, it } from '@jest/globals';
import { isAt, pendingText, rateText, validEndpointSearch } from './endpoint-filter';

describe('the filter in the URL', () => {
  it.each([
    [
      { status: 'failing', shop_id: 3 },
      { status: 'failing', shop_id: 3 },
    ],
    [
      { status: 'failing', shop_id: '3' },
      { status: 'failing', shop_id: 3 },
    ],
    [{ status: 'broken', shop_id: -1, other: 1 }, {}],
    [{ shop_id: 'x' }, {}],
    [{}, {}],
  ])('of %j is %j', (search, filter) => {
    expect(validEndpointSearch(search)).toEqual(filter);
  });
});

describe('what is shown of an endpoint', () => {
  it('says where a count ends', () => {
    expect([pendingText(999), pendingText(1_000)]).toEqual(['999', '1,000 or more']);
  });

  it('rounds no failure away', () => {
    const rates = [
      [0, 0],
      [10, 10],
      [100_000, 99_999],
      [13, 1],
    ].map(([attempts, delivered]) => rateText({ attempts: attempts!, delivered: delivered! }));
    expect(rates).toEqual(['–', '100 %', '> 99.9 %', '7.7 %']);
  });

  it.each([
    ['https://a.example/hooks?x=1', true],
    ['https://a.example:444/hooks', false],
    ['https://a.example.evil/hooks', false],
    ['no address', false],
  ])('knows whether %s is one of its addresses: %s', (address, expected) => {
    expect(isAt('https://a.example', address)).toBe(expected);
  });
});
