import type { FieldError } from '../../shared/problem.js';
import { conditionErrors } from './condition-errors.js';
import type { FlowDefinition, RuleUse, FlowShop, Rule } from './definition.js';
import { findForbidden, SearchBudget, SearchTooLong } from './assertion-search.js';
import { conditionOf } from './eligibility.js';
import { allOf, anyOf, type Formula, formulaOf, type SharedTests } from './formula.js';

/** What is wrong with a definition's rules and default, by name; empty when nothing is. Yields often. */
export function* ruleErrors(definition: FlowDefinition): Generator<void, FieldError[]> {
  const errors = definition.strategy === 'rules' ? yield* errorsOfRules(definition) : strangers(definition);
  return errors.length > 0 ? errors : yield* reachErrors(definition);
}

const strangers = ({ rules, default: otherwise }: FlowDefinition): FieldError[] =>
  Object.entries({ rules, default: otherwise })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({ field, message: 'is taken with the strategy rules alone' }));

function* errorsOfRules({ shops, rules = [], default: otherwise }: FlowDefinition): Generator<void, FieldError[]> {
  const members = new Set(shops.map((shop) => shop.shop_id));
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    errors.push({ field: 'rules', message: 'must hold at least one rule with the strategy rules' });
  }
  for (const [index, { when, use }] of rules.entries()) {
    errors.push(...conditionErrors(when, `rules[${index}].when`), ...useErrors(use, members, `rules[${index}].use`));
    yield;
  }
  if (otherwise) errors.push(...useErrors(otherwise, members, 'default'));
  else errors.push({ field: 'default', message: 'is required with the strategy rules' });
  return errors;
}

const useErrors = ({ shops }: RuleUse, members: ReadonlySet<number>, field: string): FieldError[] =>
  shops.flatMap((shop, index) =>
    members.has(shop)
      ? []
      : [{ field: `${field}.shops[${index}]`, message: `shop ${shop} is not a shop of this flow` }],
  );

/** How long a definition's rules may be searched: some tens of milliseconds in all. */
const MAX_STEPS = 400_000;

export const reachBudget = (): SearchBudget => new SearchBudget(MAX_STEPS);

/**
 * The rules that could as well not be there, each with why: whatever the payment, the counter and the shops that are
 * switched on and healthy at the moment, another rule decides. A rule is in reach by a shop that meets its conditions
 * while no earlier rule that names the shop matches. Rules whose search takes too long count as reachable. Takes a
 * definition that has no other errors.
 */
function* reachErrors({ shops, rules = [] }: FlowDefinition): Generator<void, FieldError[]> {
  const reach = new Reach(new Map(shops.map((shop) => [shop.shop_id, shop])), rules);
  const errors: FieldError[] = [];
  for (const index of rules.keys()) {
    const error = yield* reach.errorOf(index);
    if (error) errors.push(error);
    yield;
  }
  return errors;
}

/**
 * Whether a rule of those at `indexes` is out of reach, in the sense of `ruleErrors`. Yields often. `budget`: for all
 * that are asked about together.
 */
export function* isAnyOutOfReach(
  { shops, rules = [] }: FlowDefinition,
  indexes: readonly number[],
  budget: SearchBudget,
): Generator<void, boolean> {
  const reach = new Reach(new Map(shops.map((shop) => [shop.shop_id, shop])), rules, budget);
  for (const index of indexes) if (yield* reach.isOut(index)) return true;
  return false;
}

class Reach {
  private readonly tests: SharedTests = new Map();
  private isExhausted = false;

  constructor(
    private readonly shops: ReadonlyMap<number, FlowShop>,
    private readonly rules: readonly Rule[],
    private readonly budget = reachBudget(),
  ) {}

  *isOut(index: number): Generator<void, boolean> {
    if (this.isExhausted) return false;
    const { when, use } = this.rules[index]!;
    return yield* this.isImpossible(allOf([this.formula(when), this.takenBy(use.shops, this.rules.slice(0, index))]));
  }

  *errorOf(index: number): Generator<void, FieldError | undefined> {
    if (!(yield* this.isOut(index))) return undefined;
    const { when, use } = this.rules[index]!;
    const field = `rules[${index}]`;
    if (yield* this.isImpossible(this.formula(when))) {
      return { field: `${field}.when`, message: 'contradicts itself: no payment can meet it' };
    }
    if (yield* this.isImpossible(allOf([this.formula(when), this.takenBy(use.shops, [])]))) {
      return { field, message: 'is unreachable: none of its shops takes a payment that meets its condition' };
    }
    return { field, message: `is unreachable: ${yield* this.namesBefore(index)} for every payment that it could get` };
  }

  /** The payments that one of the shops takes while none of the `earlier` rules leads to it. */
  private takenBy(shopIds: readonly number[], earlier: readonly Rule[]): Formula {
    const distinct = new Map<string, () => Formula>();
    for (const id of shopIds) {
      const { conditions } = this.shops.get(id)!;
      const before = earlier.filter(({ use }) => use.shops.includes(id));
      const key = JSON.stringify([conditions, before.map((rule) => this.rules.indexOf(rule))]);
      distinct.set(key, () =>
        allOf([this.formula(conditionOf(conditions)), ...before.map(({ when }) => this.formula({ not: when }))]),
      );
    }
    return anyOf([...distinct.values()].map((formula) => formula()));
  }

  /** The one earlier rule that is enough to shut this one off, or all of them together. */
  private *namesBefore(index: number): Generator<void, string> {
    const { when, use } = this.rules[index]!;
    for (const [at, earlier] of this.rules.slice(0, index).entries()) {
      const left = allOf([this.formula(when), this.takenBy(use.shops, [earlier])]);
      if (yield* this.isImpossible(left)) return `rules[${at}] comes first`;
    }
    return 'the rules before it come first';
  }

  private formula(condition: Rule['when']): Formula {
    return formulaOf(condition, this.tests);
  }

  /** Whether certainly no payment is so. */
  private *isImpossible(formula: Formula): Generator<void, boolean> {
    try {
      return (yield* findForbidden({ when: formula, shops: [], atLeast: 1 }, this.budget)) === undefined;
    } catch (error) {
      if (!(error instanceof SearchTooLong)) throw error;
      this.isExhausted = true;
      return false;
    }
  }
}
