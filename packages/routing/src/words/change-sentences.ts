import type { FlowDefinition } from '../definition/definition.js';
import { assertionWords, attemptsWords, captureWords } from './definition-sentences.js';
import { ruleChanges } from './rule-changes.js';
import { isSame } from './same.js';
import { shopChanges } from './shop-changes.js';
import { STRATEGY_WORDS } from './strategy-words.js';
import { rateWords, type ShopNameOf, targetWords, wholeUse } from './target-words.js';
import { sentence } from './value-words.js';

type Changes = (before: FlowDefinition, after: FlowDefinition, nameOf: ShopNameOf) => string[];

/** Every part of a definition has words: a new field does not compile without them. */
const PARTS: Record<keyof FlowDefinition, Changes> = {
  strategy: strategyChanges,
  success_rate: rateChanges,
  rules: ruleChanges,
  default: defaultChanges,
  shops: shopChanges,
  max_attempts: (before, after) =>
    attemptsOf(before) === attemptsOf(after) ? [] : [`${attemptsWords(after)}; was ${attemptsOf(before)}`],
  capture: (before, after) => (captureWords(before) === captureWords(after) ? [] : [captureWords(after)]),
  assertions: assertionChanges,
};

/** The differences of `after` as sentences; none: the two decide alike. */
export const changeSentences = (before: FlowDefinition, after: FlowDefinition, nameOf: ShopNameOf): string[] =>
  Object.values(PARTS)
    .flatMap((changes) => changes(before, after, nameOf))
    .map(sentence);

const attemptsOf = ({ max_attempts: attempts = 1 }: FlowDefinition): number => attempts;

/** Where payments go in a flow without rules. Its weights and members have sentences of their own. */
function strategyChanges(before: FlowDefinition, after: FlowDefinition, nameOf: ShopNameOf): string[] {
  const [old, current] = [wholeUse(before), wholeUse(after)];
  if (!current) return old ? [`rules decide; was ${targetWords(old, before.shops, nameOf)} for all payments`] : [];
  const target = targetWords(current, after.shops, nameOf);
  if (!old) return [`payments go to ${target}; rules no longer decide`];
  const was = targetWords(old, before.shops, nameOf);
  if (current.strategy !== old.strategy)
    return [
      `payments go to ${target}${was === target ? '' : `; was ${was}`}`,
      `the strategy is “${STRATEGY_WORDS[current.strategy].name}”; was “${STRATEGY_WORDS[old.strategy].name}”`,
    ];
  const hasOwnSentences = current.strategy === 'weighted' || current.strategy === 'sticky';
  return hasOwnSentences || was === target ? [] : [`payments go to ${target}; was ${was}`];
}

/** Options that change no target, because only one shop is switched on. */
function rateChanges(before: FlowDefinition, after: FlowDefinition, nameOf: ShopNameOf): string[] {
  const isKept = before.strategy === after.strategy && !isSame(before.success_rate, after.success_rate);
  return isKept && strategyChanges(before, after, nameOf).length === 0
    ? [`the best shop is the one that ${rateWords(after.success_rate)}`]
    : [];
}

function defaultChanges(before: FlowDefinition, after: FlowDefinition, nameOf: ShopNameOf): string[] {
  const [old, current] = [before.default, after.default];
  if (!current) return [];
  const target = targetWords(current, after.shops, nameOf);
  if (!old) return [`all other payments go to ${target}`];
  const was = targetWords(old, before.shops, nameOf);
  if (was !== target) return [`all other payments go to ${target}; was ${was}`];
  return isSame(old, current) ? [] : ['the default has other settings for the choice of its shop'];
}

function assertionChanges(before: FlowDefinition, after: FlowDefinition, nameOf: ShopNameOf): string[] {
  const [old, current] = [before.assertions ?? [], after.assertions ?? []];
  const missing = (from: typeof old, to: typeof old) => to.filter((each) => !from.some((other) => isSame(each, other)));
  return [
    ...missing(old, current).map((each) => `new check: ${assertionWords(each, nameOf)}`),
    ...missing(current, old).map((each) => `no longer checked: ${assertionWords(each, nameOf)}`),
  ];
}
