import type { FlowDefinition, FlowShop, Rule, RuleUse, SuccessRateOptions } from '../definition/definition.js';
import { andOf, orOf, segmentWords, shareWords } from './value-words.js';

/** The name of a shop by its id. */
export type ShopNameOf = (shopId: number) => string;

/** The name of a rule, or its number from 1. */
export const ruleTitle = ({ name }: Pick<Rule, 'name'>, index: number): string => name ?? `Rule ${index + 1}`;

/** The same inside a sentence. */
export const ruleWords = ({ name }: Pick<Rule, 'name'>, index: number): string =>
  name === undefined ? `rule ${index + 1}` : `rule “${name}”`;

/** All shops of a flow without rules, as a rule would use them. */
export const wholeUse = ({ strategy, shops, success_rate: options }: FlowDefinition): RuleUse | undefined =>
  strategy === 'rules'
    ? undefined
    : { shops: shops.map(({ shop_id: id }) => id), strategy, ...(options && { success_rate: options }) };

/** The shares of enabled shops by weight. */
export function sharesOf(shops: readonly FlowShop[]): ReadonlyMap<number, number> {
  const enabled = shops.filter((shop) => shop.enabled);
  const sum = enabled.reduce((total, { weight }) => total + weight, 0);
  return new Map(enabled.map(({ shop_id: id, weight }) => [id, weight / sum]));
}

/** The shops that get payments, as in “London first, then Paris”. */
export function targetWords(
  { shops: ids, strategy, success_rate }: RuleUse,
  members: readonly FlowShop[],
  nameOf: ShopNameOf,
): string {
  const enabled = members.filter((shop) => shop.enabled && ids.includes(shop.shop_id));
  const names = enabled.map(({ shop_id: id }) => nameOf(id));
  const [only, second] = names;
  if (only === undefined) return 'no shop, because all are switched off';
  if (second === undefined) return only;
  switch (strategy) {
    case 'round_robin':
      return `${andOf(names)} in turn`;
    case 'weighted':
      return andOf(withShares(enabled, nameOf));
    case 'sticky':
      return `${orOf(withShares(enabled, nameOf))}, always the same for a customer`;
    case 'priority':
      return priorityWords(enabled, nameOf);
    case 'success_rate':
      return `${orOf(names)}, the one that ${rateWords(success_rate)}`;
    case 'lowest_cost':
      return `${orOf(names)}, the one that costs least`;
  }
}

function withShares(shops: readonly FlowShop[], nameOf: ShopNameOf): string[] {
  return [...sharesOf(shops)].map(([id, share]) => `${nameOf(id)} (${shareWords(share)})`);
}

function priorityWords(shops: readonly FlowShop[], nameOf: ShopNameOf): string {
  const priorities = [...new Set(shops.map(({ priority }) => priority))].sort((one, other) => one - other);
  const groups = priorities.map((priority) => {
    const names = shops.filter((shop) => shop.priority === priority).map(({ shop_id: id }) => nameOf(id));
    return names.length === 1 ? names[0]! : `${andOf(names)} in turn`;
  });
  const [first, ...later] = groups;
  return later.length === 0 ? first! : `${first} first, then ${later.join(', then ')}`;
}

/** The preference of the strategy `success_rate`. */
export function rateWords({ by = [], objective = 'approvals' }: SuccessRateOptions = {}): string {
  const compared = by.length > 0 ? `, compared by ${andOf(by.map(segmentWords))}` : '';
  return objective === 'margin'
    ? `leaves most after declines and fees${compared}`
    : `approves most at present${compared}`;
}
