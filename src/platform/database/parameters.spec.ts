import { describe, expect, it } from '@jest/globals';
import { types } from 'pg';
import { parameterOf } from './parameters.js';

const INT4S = 1007 as never;
const FLOAT8S = 1022 as never;
const BOOLEANS = 1000 as never;
const TEXTS = 1009 as never;

/** Parses an array literal of PostgreSQL as pg does. */
function read(literal: unknown, type: never): unknown {
  const parse = types.getTypeParser(type) as (text: unknown) => unknown;
  return parse(literal);
}

describe('parameterOf', () => {
  it.each([
    ['numbers', [1, -2, 0], INT4S],
    ['numbers and NULL', [1, null, 3], INT4S],
    ['fractions', [1_795_613_842.823, 0.000_001, 1e21, -Infinity], FLOAT8S],
    ['booleans', [true, false, null], BOOLEANS],
    ['times', ['2026-11-25 13:14:15.123456+00', '2026-11-25 13:14:15+05:30'], TEXTS],
    ['digits and NULL', ['17', null], TEXTS],
    ['an empty array', [], INT4S],
  ])('writes %s as a literal', (_what, elements, type) => {
    const literal = parameterOf(elements);
    expect(literal).toMatch(/^{.*}$/);
    expect(read(literal, type)).toEqual(elements);
  });

  it.each([
    ['text', ['NULL', 'a']],
    ['text with special characters of a literal', ['1,2', '{1}', '1"', '1\\']],
    ['text that begins or ends with a space', ['1 ', ' 1']],
    ['bodies', ['{"id":1}']],
    ['empty text', ['']],
    ['dates', [new Date(0)]],
    ['arrays of arrays', [[1], [2]]],
    ['bytes', [Buffer.from('1')]],
    ['text outside of an array', '{1,2}'],
    ['bytes outside of an array', Buffer.from('12')],
    ['null', null],
  ])('leaves %s to pg', (_what, value) => {
    expect(parameterOf(value)).toBe(value);
  });
});
