import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
  validateSync,
} from 'class-validator';
import fc from 'fast-check';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { isAccepted } from './compiled-rules.js';
import { instanceOf } from './dto-instance.js';
import { Clearable, IsAmount, IsListOf, Optional } from './field-rules.js';

class Inner {
  @IsInt()
  @Min(1)
  @Max(2)
  weight: unknown;
}

class Outer extends Inner {
  @Optional()
  @Length(1, 3)
  name: unknown;
  @Clearable()
  @IsIn(['a', 'b'])
  letter: unknown;
  @IsInt({ each: true })
  numbers: unknown;
  @Optional()
  @Length(1, 2, { each: true })
  words: unknown;
  @ValidateNested()
  @Type(() => Inner)
  inner: unknown;
  @Optional()
  @IsListOf(() => Inner, 2)
  members: unknown;
  @Optional()
  @IsAmount()
  amount: unknown;
  currency = 'JPY';
  @Optional()
  @IsString()
  text: unknown;
  @Optional()
  @IsBoolean()
  flag: unknown;
  @Optional()
  @IsObject()
  object: unknown;
  @Optional()
  @IsArray()
  list: unknown;
  @Optional()
  @ArrayNotEmpty()
  filled: unknown;
  @Optional()
  @ArrayMinSize(2)
  @ArrayMaxSize(3)
  pair: unknown;
}

class NoRules {
  given: unknown;
}

const VARIATION = '\ufe0f';
const inner = fc.record({ weight: fc.integer({ min: 0, max: 3 }) });
const words = fc.constantFrom('', 'a', 'abc', 'abcd', VARIATION, `abc${VARIATION}`, '😀😀😀', 7);
/** A value of each kind, and lists at their limits. */
const odd = fc.constantFrom<unknown[]>('', 'a', true, false, 0, {}, [], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4], null);
const outer = fc.record(
  {
    weight: fc.constantFrom(1, 2, 1.5, 0, 3, '1', null, Infinity, NaN),
    name: fc.oneof(words, fc.constant(null)),
    letter: fc.constantFrom('a', 'b', 'c', null),
    numbers: fc.array(fc.constantFrom(1, 2, 3, 'x'), { maxLength: 3 }),
    words: fc.array(words, { maxLength: 2 }),
    inner: fc.oneof(inner, fc.constantFrom(null, 7, [])),
    members: fc.oneof(fc.array(fc.oneof(inner, fc.constantFrom(null, 7)), { maxLength: 3 }), inner),
    amount: fc.constantFrom(1, 1.5, 0, '1'),
    ...Object.fromEntries(['text', 'flag', 'object', 'list', 'filled', 'pair'].map((name) => [name, odd])),
  },
  { requiredKeys: [] },
);

// not `numbers`: of one item without a list, which class-validator takes as an item, the compiled rules accept less
const FIELDS = ['text', 'flag', 'object', 'list', 'filled', 'pair', 'letter', 'members', 'inner', 'weight'];

const agrees = (given: object): void => {
  const instance = instanceOf(Outer, given, '', []);
  expect(isAccepted(instance)).toBe(validateSync(instance).length === 0);
};

const GOOD = { weight: 1, numbers: [1], inner: { weight: 2 } };

describe('isAccepted', () => {
  it.each([
    ['only what is required', {}],
    ['all fields', { name: 'abc', letter: 'a', words: ['a'], members: [{ weight: 1 }], amount: 1 }],
    ['null that clears', { letter: null }],
    ['variation selectors, which have no length', { name: `abc${VARIATION}` }],
  ])('accepts %s', (_, fields) => {
    expect(isAccepted(instanceOf(Outer, { ...GOOD, ...fields }, '', []))).toBe(true);
  });

  it.each([
    ['a missing field', { numbers: undefined }],
    ['a wrong item', { numbers: [1, 'x'] }],
    ['a wrong item of a list of objects', { members: [{ weight: 1 }, { weight: 3 }] }],
    ['too many items', { members: [{ weight: 1 }, { weight: 1 }, { weight: 1 }] }],
    ['an amount that the currency in another field does not have', { amount: 1.5 }],
  ])('leaves %s to class-validator', (_, fields) => {
    expect(isAccepted(instanceOf(Outer, { ...GOOD, ...fields }, '', []))).toBe(false);
  });

  it('agrees with class-validator on generated objects', () => {
    fc.assert(
      fc.property(outer, fc.boolean(), (fields, isComplete) => agrees({ ...(isComplete && GOOD), ...fields })),
      { numRuns: runs(200) },
    );
  });

  it('agrees with class-validator on each odd value of each field', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), odd, (name, value) => agrees({ ...GOOD, [name]: value })),
      { numRuns: runs(400) },
    );
  });

  it('leaves an object of a class without rules to class-validator', () => {
    expect(isAccepted(new NoRules())).toBe(false);
    expect(isAccepted({ constructor: 'of the caller' })).toBe(false);
  });

  it.each([
    ['of another kind', IsDefined()],
    ['with a condition of its own', IsInt({ validateIf: () => false })],
    ['that checks nothing', Allow()],
  ])('leaves an object with a rule %s to class-validator', (_, decorate) => {
    class Other {
      field: unknown = 1;
    }
    decorate(Other.prototype, 'field');
    expect(isAccepted(new Other())).toBe(false);
  });

  it('applies two rules of one name to a field', () => {
    class Two {
      field: unknown = 'b';
    }
    IsIn(['a', 'b'])(Two.prototype, 'field');
    IsIn(['a', 'c'])(Two.prototype, 'field');
    expect(isAccepted(new Two())).toBe(false);
    expect(isAccepted(Object.assign(new Two(), { field: 'a' }))).toBe(true);
  });
});
