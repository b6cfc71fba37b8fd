import type { FlowDefinition, Rule } from '../definition/definition.js';
import { listChangeWords, paymentsWords } from './condition-words.js';
import { endWords, formerEndWords, ruleEffect } from './definition-sentences.js';
import { isSame } from './same.js';
import { ruleWords, type ShopNameOf } from './target-words.js';

/** The rules that are new, gone, moved or changed. A rule that has only moved stays the same rule. */
export function ruleChanges(before: FlowDefinition, after: FlowDefinition, nameOf: ShopNameOf): string[] {
  const [old, current] = [before.rules ?? [], after.rules ?? []];
  const pairs = pairsOf(old, current);
  const moved = movedOf(pairs);
  const removed = old.flatMap((rule, index) =>
    pairs.some(({ from }) => from === index)
      ? []
      : [`${ruleWords(rule, index)} is removed: ${ruleEffect(rule, before.shops, nameOf)}`],
  );
  const others = current.flatMap((rule, to) => {
    const from = pairs.find((pair) => pair.to === to)?.from;
    if (from === undefined) return [`new ${ruleWords(rule, to)}: ${ruleEffect(rule, after.shops, nameOf)}`];
    const place = moved.has(to) ? [`${ruleWords(rule, to)} is tried as number ${to + 1}; was number ${from + 1}`] : [];
    return [...place, ...changesOf({ rule: old[from]!, index: from }, { rule, index: to }, { before, after, nameOf })];
  });
  return [...removed, ...others];
}

interface Placed {
  rule: Rule;
  index: number;
}

interface Definitions {
  before: FlowDefinition;
  after: FlowDefinition;
  nameOf: ShopNameOf;
}

function changesOf(old: Placed, current: Placed, { before, after, nameOf }: Definitions): string[] {
  const called = ruleWords(current.rule, current.index);
  const was = endWords(old.rule, before.shops, nameOf);
  const end = endWords(current.rule, after.shops, nameOf);
  const changes = [...nameChanges(old, current), ...conditionChanges(old.rule, current.rule, called)];
  if (end !== was) {
    const payments = paymentsWords(current.rule.when);
    return [...changes, `${called}: ${payments} ${end}; ${formerEndWords(old.rule, before.shops, nameOf)}`];
  }
  const { name: _, when: __, ...settings } = current.rule;
  const { name: ___, when: ____, ...oldSettings } = old.rule;
  return isSame(settings, oldSettings)
    ? changes
    : [...changes, `${called} has other settings for the choice of its shop`];
}

function nameChanges(old: Placed, current: Placed): string[] {
  if (old.rule.name === current.rule.name) return [];
  if (current.rule.name === undefined) return [`${ruleWords(old.rule, old.index)} no longer has a name`];
  return [`${ruleWords(old.rule, old.index)} is now called “${current.rule.name}”`];
}

function conditionChanges({ when: before }: Rule, { when: after }: Rule, called: string): string[] {
  if (isSame(before, after)) return [];
  const lists = listChangeWords(before, after);
  if (lists !== undefined) return [`${called}: ${lists}`];
  return [`${called} is for ${paymentsWords(after)}; was for ${paymentsWords(before)}`];
}

interface Pair {
  from: number;
  to: number;
}

/** The signs that two rules are the same one, the surest first. */
const SIGNS: ((one: Rule, other: Rule) => boolean)[] = [
  isSame,
  (one, other) => one.name !== undefined && one.name === other.name,
  (one, other) => isSame(one.when, other.when),
  (one, other) => isSame(one.use, other.use) && isSame(one.decline, other.decline),
];

/** The rules that exist in both lists, by their new place. */
function pairsOf(old: readonly Rule[], current: readonly Rule[]): Pair[] {
  const pairs: Pair[] = [];
  for (const isSameRule of SIGNS) {
    for (const [to, rule] of current.entries()) {
      if (pairs.some((pair) => pair.to === to)) continue;
      const from = old.findIndex(
        (other, index) => !pairs.some((pair) => pair.from === index) && isSameRule(other, rule),
      );
      if (from >= 0) pairs.push({ from, to });
    }
  }
  return pairs.sort((one, other) => one.to - other.to);
}

/** The new places of rules that others have overtaken: all but the longest run that is still in the old order. */
function movedOf(pairs: readonly Pair[]): ReadonlySet<number> {
  const runs: Pair[][] = [];
  for (const pair of pairs) {
    const before = runs.filter((run) => run.at(-1)!.from < pair.from);
    const longest = before.reduce<Pair[]>((one, other) => (other.length > one.length ? other : one), []);
    runs.push([...longest, pair]);
  }
  const kept = runs.reduce<Pair[]>((one, other) => (other.length > one.length ? other : one), []);
  return new Set(pairs.filter((pair) => !kept.includes(pair)).map(({ to }) => to));
}
