import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Length,
  Max,
  ValidateNested,
  validateSync,
} from 'class-validator';
import { fieldErrors } from './field-errors.js';
import { IsAmount, IsCurrency, IsMetadata, IsTime } from './field-rules.js';

class Inner {
  @IsInt()
  weight: number;
}

class Everything {
  @IsInt({ each: true })
  shops: unknown;
  @ArrayUnique()
  countries: unknown;
  @ArrayNotEmpty()
  currencies: unknown;
  @IsObject({ each: true })
  rules: unknown;
  @ValidateNested()
  @Type(() => Inner)
  default: unknown;
  @ValidateNested({ each: true })
  @Type(() => Inner)
  members: unknown;
  @IsIn(['a', 'b'])
  strategy: unknown;
  @Length(3, 4)
  name: unknown;
  @Max(3)
  limit: unknown;
  @IsString()
  reason: unknown;
  @IsAmount()
  amount: unknown;
  @IsCurrency()
  currency_of_it: unknown;
  @IsMetadata()
  metadata: unknown;
  @IsTime()
  from: unknown;
}

const WRONG = {
  shops: ['x'],
  countries: ['DE', 'DE'],
  currencies: [],
  rules: 1,
  default: 'x',
  members: 'x',
  strategy: 'c',
  name: 'ab',
  limit: 4,
  reason: 1,
  amount: -1,
  currency_of_it: 'EURO',
  metadata: [],
  from: 'now',
};

describe('fieldErrors', () => {
  const errors = fieldErrors(validateSync(Object.assign(new Everything(), WRONG)));

  it.each(Object.keys(WRONG))('reports one error for %s, without its name in the message', (name) => {
    const found = errors.filter(({ field }) => field === name);
    expect(found).toHaveLength(1);
    expect(found[0]!.message).not.toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('names the items of a list that are no objects', () => {
    const wrong = validateSync(Object.assign(new Everything(), { ...WRONG, rules: [{}, 1, null] }));
    expect(fieldErrors(wrong).filter(({ field }) => field.startsWith('rules'))).toEqual([
      { field: 'rules[1]', message: 'must be an object, got 1' },
      { field: 'rules[2]', message: 'must be an object, got null' },
    ]);
  });
});
