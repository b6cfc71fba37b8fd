import type { FieldError } from '../field-error.js';
import { conditionErrors } from './condition-errors.js';
import { type FlowDefinition, type RuleUse, type FlowShop, isLastFor, type Rule } from './definition.js';
import { findCounterexample, SearchBudget, SearchTooLong } from './assertion-search.js';
import { conditionOf } from './eligibility.js';
import { allOf, anyOf, type Formula, formulaOf, type SharedTests } from './formula.js';

/** The errors in a definition's rules and default, by field name. Yields often. */
export function* ruleErrors(definition: FlowDefinition): Generator<void, FieldError[]> {
  const fromRules = definition.strategy === 'rules' ? yield* errorsOfRules(definition) : unexpectedFields(definition);
  const errors = [...fromRules, ...optionErrors(definition, ''), ...segmentErrors(definition)];
  return errors.length > 0 ? errors : yield* reachErrors(definition);
}

const unexpectedFields = ({ rules, default: otherwise }: FlowDefinition): FieldError[] =>
  Object.entries({ rules, default: otherwise })
    .filter(([, value]) => value !== undefined)
    .map(([field]) => ({ field, message: 'is allowed only with the strategy rules' }));

function* errorsOfRules({ shops, rules = [], default: otherwise }: FlowDefinition): Generator<void, FieldError[]> {
  const members = new Set(shops.map((shop) => shop.shop_id));
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    errors.push({ field: 'rules', message: 'must contain at least one rule with the strategy rules' });
  }
  for (const [index, { name, when, use, decline, otherwise }] of rules.entries()) {
    const field = `rules[${index}]`;
    const first = rules.findIndex((rule) => rule.name === name);
    if (name !== undefined && first < index) {
      errors.push({ field: `${field}.name`, message: `is the name of rules[${first}]` });
    }
    errors.push(...conditionErrors(when, `${field}.when`));
    if ((use === undefined) === (decline === undefined)) {
      errors.push({ field, message: 'must have exactly one of use, decline' });
    }
    if (decline && otherwise) errors.push({ field: `${field}.otherwise`, message: 'is allowed only with use' });
    if (use) errors.push(...useErrors(use, members, `${field}.use`));
    yield;
  }
  if (otherwise) errors.push(...useErrors(otherwise, members, 'default'));
  else errors.push({ field: 'default', message: 'is required with the strategy rules' });
  return errors;
}

function useErrors(use: RuleUse, members: ReadonlySet<number>, field: string): FieldError[] {
  const unknown = use.shops.flatMap((shop, index) =>
    members.has(shop)
      ? []
      : [{ field: `${field}.shops[${index}]`, message: `shop ${shop} is not a shop of this flow` }],
  );
  return [...unknown, ...optionErrors(use, `${field}.`)];
}

const optionErrors = (
  { strategy, success_rate: options }: Pick<FlowDefinition, 'strategy' | 'success_rate'>,
  prefix: string,
): FieldError[] =>
  options === undefined || strategy === 'success_rate'
    ? []
    : [{ field: `${prefix}success_rate`, message: 'is allowed only with the strategy success_rate' }];

/** Each list of fields takes a read of its own every few seconds. */
const MAX_SEGMENTATIONS = 4;

/** The first list of fields that is one too many. */
function segmentErrors({ success_rate: options, rules = [], default: otherwise }: FlowDefinition): FieldError[] {
  const lists: [field: string, by: readonly string[] | undefined][] = [
    ['success_rate.by', options?.by],
    ...rules.map(({ use }, index): [string, string[] | undefined] => [
      `rules[${index}].use.success_rate.by`,
      use?.success_rate?.by,
    ]),
    ['default.success_rate.by', otherwise?.success_rate?.by],
  ];
  const known = new Set<string>();
  for (const [field, by] of lists) {
    if (by && known.add(by.join()).size > MAX_SEGMENTATIONS) {
      return [{ field, message: `a flow must have at most ${MAX_SEGMENTATIONS} different lists of fields` }];
    }
  }
  return [];
}

/** The maximum number of steps to search a definition's rules: some tens of milliseconds in total. */
const MAX_STEPS = 400_000;

export const reachBudget = (): SearchBudget => new SearchBudget(MAX_STEPS);

/**
 * The unreachable rules, each with the reason. A rule is reachable if one of its shops can get a payment through it:
 * the payment meets the rule and the shop's conditions, and no earlier rule matches that names the shop, declines or
 * refuses. A rule that declines is reachable if a payment meets it and no earlier rule that declines or refuses: the
 * shops of other earlier rules may all be disabled. So is a rule that refuses, if one of its shops takes the payment. The counter and the current state of the shops are ignored. Rules whose search takes too
 * long count as reachable. Requires a definition without other errors.
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
 * Whether one of the rules at `indexes` is unreachable, as `ruleErrors` defines it. Yields often. `budget`: for all
 * searches together.
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
    return yield* this.isImpossible(this.decidedBy(this.rules[index]!, this.rules.slice(0, index)));
  }

  *errorOf(index: number): Generator<void, FieldError | undefined> {
    if (!(yield* this.isOut(index))) return undefined;
    const rule = this.rules[index]!;
    const field = `rules[${index}]`;
    if (yield* this.isImpossible(this.formula(rule.when))) {
      return { field: `${field}.when`, message: 'contradicts itself: no payment can meet it' };
    }
    if (yield* this.isImpossible(this.decidedBy(rule, []))) {
      return { field, message: 'is unreachable: none of its shops takes a payment that meets its condition' };
    }
    const could = rule.decline ? 'decline' : 'get';
    const first = yield* this.earlierRules(index);
    return { field, message: `is unreachable: ${first} for every payment that it could ${could}` };
  }

  /** The payments that the rule can decide and that no rule of `earlier` certainly decides. */
  private decidedBy(rule: Rule, earlier: readonly Rule[]): Formula {
    const { when, use } = rule;
    const ended = earlier.filter(isLastFor).map((each) => this.formula({ not: each.when }));
    return allOf([this.formula(when), ...ended, use ? this.takenBy(use.shops, isLastFor(rule) ? [] : earlier) : true]);
  }

  /** The payments that one of the shops takes and that no earlier rule sends to this shop. */
  private takenBy(shopIds: readonly number[], earlier: readonly Rule[]): Formula {
    const distinct = new Map<string, () => Formula>();
    for (const id of shopIds) {
      const { conditions } = this.shops.get(id)!;
      const before = earlier.filter(({ use }) => use?.shops.includes(id));
      const key = JSON.stringify([conditions, before.map((rule) => this.rules.indexOf(rule))]);
      distinct.set(key, () =>
        allOf([this.formula(conditionOf(conditions)), ...before.map(({ when }) => this.formula({ not: when }))]),
      );
    }
    return anyOf([...distinct.values()].map((formula) => formula()));
  }

  /** The one earlier rule that makes this one unreachable, or all earlier rules together. */
  private *earlierRules(index: number): Generator<void, string> {
    for (const [at, earlier] of this.rules.slice(0, index).entries()) {
      const left = this.decidedBy(this.rules[index]!, [earlier]);
      if (yield* this.isImpossible(left)) return `rules[${at}] comes first`;
    }
    return 'the rules before it come first';
  }

  private formula(condition: Rule['when']): Formula {
    return formulaOf(condition, this.tests);
  }

  /** Whether it is certain that no payment matches. */
  private *isImpossible(formula: Formula): Generator<void, boolean> {
    try {
      return (yield* findCounterexample({ when: formula, shops: [], atLeast: 1 }, this.budget)) === undefined;
    } catch (error) {
      if (!(error instanceof SearchTooLong)) throw error;
      this.isExhausted = true;
      return false;
    }
  }
}
