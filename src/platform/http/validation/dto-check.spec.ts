import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { Allow, IsDefined, IsIn, IsInt, IsOptional, Length, Min, ValidateNested, validateSync } from 'class-validator';
import fc from 'fast-check';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { FlowDefinitionDto } from '../../../flows/definition/definition.dto.js';
import { CreatePaymentDto } from '../../../payments/creation/create-payment.dto.js';
import { isInOrder } from './dto-check.js';
import { instanceOf } from './dto-instance.js';
import { Optional } from './field-rules.js';

class Inner {
  @IsInt()
  @Min(1)
  weight: unknown;
}

class Outer extends Inner {
  @Optional()
  @Length(1, 3)
  name: unknown;
  @IsOptional()
  @IsIn(['a', 'b'])
  letter: unknown;
  @IsInt({ each: true })
  numbers: unknown;
  @ValidateNested()
  @Type(() => Inner)
  inner: unknown;
  @Optional()
  @ValidateNested({ each: true })
  @Type(() => Inner)
  members: unknown;
}

class NoRules {
  given: unknown;
}

const inner = fc.record({ weight: fc.integer({ min: 0, max: 3 }) });
const outer = fc.record(
  {
    weight: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant('1')),
    name: fc.oneof(fc.string({ maxLength: 4 }), fc.constant(null)),
    letter: fc.constantFrom('a', 'b', 'c', null),
    numbers: fc.oneof(fc.array(fc.oneof(fc.integer(), fc.constant('x')), { maxLength: 3 }), fc.integer()),
    inner: fc.oneof(inner, fc.constantFrom(null, 7, [])),
    members: fc.oneof(fc.array(fc.oneof(inner, fc.constantFrom(null, 7)), { maxLength: 2 }), inner),
  },
  { requiredKeys: ['weight', 'numbers', 'inner'] },
);

const PAYMENT = {
  flow_name: 'checkout',
  amount: 49.9,
  currency: 'EUR',
  country: 'DE',
  customer: { email: 'ada@example.com', first_name: 'Ada' },
  webhook_endpoint: 'https://merchant.example/webhooks',
  metadata: { order_id: 'A-1001' },
  payment_method: { token: 'tok_success' },
};

const FLOW = {
  strategy: 'rules',
  shops: [{ shop_id: 1 }, { shop_id: 2, conditions: { currencies: ['EUR'] } }],
  rules: [{ when: { field: 'amount', op: 'gt', value: 100 }, use: { strategy: 'priority', shops: [1] } }],
  default: { strategy: 'priority', shops: [2] },
};

const agrees = (object: object): void => {
  expect(isInOrder(object)).toBe(validateSync(object).length === 0);
};

describe('isInOrder', () => {
  it('agrees with class-validator on every kind of rule', () => {
    fc.assert(
      fc.property(outer, (given) => agrees(instanceOf(Outer, given, '', []))),
      { numRuns: runs(150) },
    );
  });

  it('takes a payment and a flow that are in order', () => {
    expect(isInOrder(instanceOf(CreatePaymentDto, PAYMENT, '', []))).toBe(true);
    expect(isInOrder(instanceOf(FlowDefinitionDto, FLOW, '', []))).toBe(true);
  });

  it('agrees with class-validator on a payment with any field replaced or left out', () => {
    const field = fc.constantFrom(...Object.keys(PAYMENT), 'expires_in', 'return_url', 'customer_id');
    fc.assert(
      fc.property(field, fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 })), (name, value) =>
        agrees(instanceOf(CreatePaymentDto, { ...PAYMENT, [name]: value }, '', [])),
      ),
    );
  });

  it('leaves an object of a class without rules to class-validator', () => {
    expect(isInOrder(new NoRules())).toBe(false);
    expect(isInOrder({ constructor: 'of the caller' })).toBe(false);
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
    expect(isInOrder(new Other())).toBe(false);
  });
});
