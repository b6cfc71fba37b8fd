import type { FieldError } from '../field-error.js';
import type { FlowDefinition, ShopConditions, Assertion } from './definition.js';
import { ruleErrors } from './rule-errors.js';
import { conditionErrors } from './condition-errors.js';

/**
 * The errors of a definition that the checks of single fields do not find. These are duplicate shops, shops that are
 * not among `knownShopIds` (the merchant's own), and shop conditions that no request can meet. They also include
 * unreachable rules, and assertions with errors. Yields often to let other work run.
 */
export function* definitionErrors(
  definition: FlowDefinition,
  knownShopIds: ReadonlySet<number>,
): Generator<void, FieldError[]> {
  const fromShops = shopErrors(definition, knownShopIds);
  yield;
  const fromRules = yield* ruleErrors(definition);
  return [...fromShops, ...fromRules, ...(yield* assertionErrors(definition, knownShopIds))];
}

function shopErrors(definition: FlowDefinition, knownShopIds: ReadonlySet<number>): FieldError[] {
  const firstIndexes = new Map<number, number>();
  return definition.shops.flatMap((shop, index) => {
    const field = `shops[${index}]`;
    const errors = amountErrors(shop.conditions, `${field}.conditions`);
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

function amountErrors({ min_amount: min, max_amount: max }: ShopConditions, field: string): FieldError[] {
  if (min === undefined || max === undefined || min <= max) return [];
  return [{ field: `${field}.max_amount`, message: `must not be less than min_amount (${min}), got ${max}` }];
}

/** The errors in the structure of a definition's assertions. `assertions.ts` checks whether the assertions hold. */
function* assertionErrors(
  { assertions = [] }: FlowDefinition,
  knownShopIds: ReadonlySet<number>,
): Generator<void, FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, assertion] of assertions.entries()) {
    const field = `assertions[${index}]`;
    errors.push(...conditionErrors(assertion.when, `${field}.when`), ...claimErrors(assertion, knownShopIds, field));
    yield;
  }
  return errors;
}

const CLAIMS = ['never', 'at_least', 'at_least_tries'];

/** The shop need not be in the flow: the assertion may exist to keep it out. */
function claimErrors(assertion: Assertion, knownShopIds: ReadonlySet<number>, field: string): FieldError[] {
  if (CLAIMS.filter((claim) => claim in assertion).length !== 1) {
    return [{ field, message: `must have exactly one of ${CLAIMS.join(', ')}` }];
  }
  if (!('never' in assertion) || knownShopIds.has(assertion.never)) return [];
  return [{ field: `${field}.never`, message: 'is not a shop of yours' }];
}
