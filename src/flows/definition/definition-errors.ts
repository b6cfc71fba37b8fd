import type { FieldError } from '../../shared/problem.js';
import { assertionErrors } from './assertion-errors.js';
import type { FlowDefinition, ShopConditions } from './definition.js';
import { ruleErrors } from './rule-errors.js';

/**
 * What is wrong with a definition beyond the shape of its fields: shops that are there twice, that are not among
 * `knownShopIds` (the merchant's own), or whose conditions no request can meet, and rules that could as well not be
 * there. Empty when nothing is.
 */
export const definitionErrors = (definition: FlowDefinition, knownShopIds: ReadonlySet<number>): FieldError[] => [
  ...shopErrors(definition, knownShopIds),
  ...ruleErrors(definition),
  ...assertionErrors(definition, knownShopIds),
];

function shopErrors(definition: FlowDefinition, knownShopIds: ReadonlySet<number>): FieldError[] {
  const firstIndexes = new Map<number, number>();
  return definition.shops.flatMap((shop, index) => {
    const field = `shops[${index}]`;
    const errors = conditionErrors(shop.conditions, `${field}.conditions`);
    const first = firstIndexes.get(shop.shop_id);
    if (first !== undefined) {
      errors.push({ field: `${field}.shop_id`, message: `is the same shop as shops[${first}]` });
    } else if (!knownShopIds.has(shop.shop_id)) {
      errors.push({ field: `${field}.shop_id`, message: 'is not a shop of yours' });
    } else {
      firstIndexes.set(shop.shop_id, index);
    }
    return errors;
  });
}

function conditionErrors({ min_amount: min, max_amount: max }: ShopConditions, field: string): FieldError[] {
  if (min === undefined || max === undefined || min <= max) return [];
  return [{ field: `${field}.max_amount`, message: `must not be less than min_amount (${min}), got ${max}` }];
}
