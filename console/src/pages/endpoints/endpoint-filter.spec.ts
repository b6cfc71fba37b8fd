import { describe, expect, it } from '@jest/globals';
import { isAt, pendingText, rateText, validEndpointSearch } from './endpoint-filter';

describe('validEndpointSearch', () => {
  it.each([
    [
      { status: 'failing', shop_id: 3 },
      { status: 'failing', shop_id: 3 },
    ],
    [
      { status: 'failing', shop_id: '3' },
      { status: 'failing', shop_id: 3 },
    ],
    [{ kind: 'standing' }, { kind: 'standing' }],
    [{ status: 'broken', kind: 'other', shop_id: -1, other: 1 }, {}],
    [{ shop_id: 'x' }, {}],
    [{}, {}],
  ])('reads %j as %j', (search, filter) => {
    expect(validEndpointSearch(search)).toEqual(filter);
  });
});

describe('the values of an endpoint', () => {
  it('show the limit of a count', () => {
    expect([pendingText(999), pendingText(1_000)]).toEqual(['999', '1,000 or more']);
  });

  it('show a rate below 100 % for any failure', () => {
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
  ])('isAt compares the origin with %s: %s', (address, expected) => {
    expect(isAt('https://a.example', address)).toBe(expected);
  });
});
